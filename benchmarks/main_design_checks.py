"""What must hold of a design that was played twice, once with stops."""

import asyncio
import hashlib
import io
import random

from main_design_play import ended, planned

OWN = ("episode_id", "started_at", "ended_at")


class Checks:
    """Compares the two runs; each method raises AssertionError with what differs."""

    def __init__(self, whole, broken):
        self.whole, self.broken = whole, broken

    def files(self):
        """Nothing twice, nothing lost, nothing touched again, every record checked, both files equal."""
        from sessions.models import Episode
        from siturec.trajectory import check_file, read_file

        total = planned(self.whole.name)
        for run in (self.whole, self.broken):
            rows = Episode.objects.filter(run__name=run.name)
            places = list(rows.order_by("position").values_list("position", flat=True))
            assert places == list(range(total)), f"{run.name}: not every item has one episode: {places}"
            assert check_file(run.out) == total, f"{run.name}: its file does not hold {total} episodes"
        now = ended(self.broken.name)
        for before in self.broken.before:
            again = {name for name, at in before.items() if now.get(name) != at}
            assert not again, f"played again after a stop: {sorted(again)[:5]}"
        pairs = zip(read_file(self.whole.out), read_file(self.broken.out), strict=True)
        for number, (one, other) in enumerate(pairs, start=1):
            differ = [key for key in {*one, *other} if key not in OWN and one.get(key) != other.get(key)]
            assert not differ, f"line {number} ({one['task_id']}, {one['assistant']}) differs in {differ}"
        print(f"files: {total} episodes each, once, checked, and equal apart from ids and times", flush=True)

    def replays(self, count):
        """Walk some episodes again from their records and compare every frame."""
        from sessions.models import Episode

        rows = list(Episode.objects.filter(run__name=self.broken.name).order_by("position"))
        some = random.Random(7).sample(rows, min(count, len(rows)))
        frames = asyncio.run(_walk_again(some))
        print(f"replays: {len(some)} episodes, {frames} frames, every one the same", flush=True)

    def scores(self):
        """``manage.py score`` says the same of both files."""
        first, second = (_scored(run.out) for run in (self.whole, self.broken))
        assert first.strip(), "nothing was scored"
        assert first == second, "the scores differ"
        print(f"scores: the same {len(first)} characters of tables", flush=True)


def _scored(path):
    """What the command prints of a file, by whatever name the file goes."""
    from django.core.management import call_command

    told = io.StringIO()
    call_command("score", path, format="json", stdout=told)
    return told.getvalue().replace(path.name, "FILE")


async def _walk_again(episodes):
    from asgiref.sync import sync_to_async

    from play.judging import rated_record
    from play.loading import episode_setting
    from play.progress import resolved_action
    from play.worlds import world_source
    from simulator_bridge.store import STORES

    count = 0
    for episode in episodes:
        setting = (await sync_to_async(episode_setting)(episode.pk)).setting
        record = await sync_to_async(rated_record)(episode)
        async with world_source(episode.scene, setting)() as world:
            await world.reset(pose=setting.start)
            for turn in record["turns"]:
                view = await world.observe(number=turn["turn"])
                seen = {"user": view.user_frame, "assistant": view.assistant_frame}
                for role, picture in seen.items():
                    digest = hashlib.sha256(picture).hexdigest()
                    where = f"{episode.public_id}, turn {turn['turn']}, {role}'s frame"
                    assert digest == turn["frames"][role], f"{where} differs"
                    count += 1
                call = turn["user"]["tool_call"]
                outcome = await world.execute(resolved_action(call["tool"], call["resolved"]))
                assert outcome.model_dump(mode="json") == turn["user"]["outcome"], f"{where}: outcome differs"
    STORES.stop()
    return count
