"""Judging finished episodes, simulated and human ones alike."""

from agents.calls import calling
from agents.registry import make_judge
from catalog.selectors import scene_pack
from play.loading import knowledge_of, shopper_of
from questionnaire.selectors import ratings_of
from questionnaire.services import judgement_save
from sessions import selectors
from sessions.database import database_sync_to_async
from sessions.models import Episode
from siturec.protocol.messages import JudgeInput
from siturec.protocol.seeds import derive_seed


def _given(episode_id: int, *, frames: bool) -> tuple[Episode, JudgeInput]:
    """What a judge is given: the textual record without earlier scores, task, profile, and the catalog."""
    episode = Episode.objects.select_related("participant", "study").get(pk=episode_id)
    pack = scene_pack(episode.scene, episode.scene_version or None)
    task, profile = shopper_of(
        pack, task_id=episode.task_id, profile_id=episode.profile_id, whose=episode.public_id
    )
    pictures = [selectors.frame_bytes(name) for name in selectors.frame_strip(episode)] if frames else []
    return episode, JudgeInput(
        record=selectors.episode_record(episode),
        task=task.model_dump(mode="json"),
        profile=profile.model_dump(mode="json"),
        catalog=knowledge_of(pack).catalog,
        frames=tuple(picture for picture in pictures if picture is not None),
        seed=derive_seed("judge", episode.seed),
    )


async def judge_episode(episode_id: int, *, judge: str) -> bool:
    """Score one finished episode and store the scores; whether there were any.

    An answer that does not parse is missing, kept raw; it is never the lowest score.
    Raises: LookupError when the episode's scene, task or profile is not here.
    """
    episode, given = await database_sync_to_async(_given)(episode_id, frames=judge.endswith("+frames"))
    with calling(episode=episode.public_id):
        answer = await make_judge(judge, seed=given.seed).score(given)
    scores = answer.value.scores if answer.value is not None else {}
    evidence = answer.value.evidence if answer.value is not None else {}
    version = f"{judge} {answer.policy_version}".strip()
    await database_sync_to_async(judgement_save)(
        episode=episode, judge=judge, scores=scores, raw=answer.raw, version=version, evidence=evidence
    )
    return answer.value is not None


def rated_record(episode: Episode) -> dict[str, object]:
    """A finished episode's record with what the participant and the judge said of it."""
    return selectors.episode_record(
        episode, ratings=ratings_of(episode, "human"), judged=ratings_of(episode, "judge")
    )
