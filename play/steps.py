"""Where a participant is, as an address: the server decides the step, a page only shows it."""

from dataclasses import dataclass

from django.urls import reverse

from catalog.selectors import scene_pack
from sessions.models import Episode, Participant
from sessions.selectors import Place, participant_place
from siturec.protocol.events import Goal

_NUMBERED = ("goal", "store", "questionnaire")
_OVER = ("done", "screened_out", "returned", "closed")


@dataclass(frozen=True)
class Here:
    """A step and its page. ``page`` is the view's name, ``url`` the only address that shows it."""

    page: str
    url: str
    place: Place

    @property
    def percent(self) -> int:
        """How far along the whole way, for the bar at the top: 0 to 100."""
        before = {"consent": 2, "profile": 5, "how": 8}
        if self.page in before:
            return before[self.page]
        if self.page == "done":
            return 100
        inside = {"goal": 0.0, "store": 0.2, "questionnaire": 0.8}.get(self.page, 1.0)
        done = (self.place.number - 1 + inside) / max(self.place.total, 1)
        return round(10 + 88 * done)


def here(participant: Participant) -> Here:
    """The step a participant is at, with its address."""
    place = participant_place(participant)
    page = str(place.step)
    if page in _OVER or page == "finish":
        page = "done" if page in _OVER else "finish"
    if page == "goal" and place.number == 1 and participant.practised_at is None:
        page = "how"
    if page == "finish":
        return Here(page=page, url=reverse("play:go", args=[participant.token]), place=place)
    if page in _NUMBERED:
        url = reverse(f"play:{page}", args=[participant.token, place.number])
    else:
        url = reverse(f"play:{page}", args=[participant.token])
    return Here(page=page, url=url, place=place)


def may_practise(participant: Participant) -> bool:
    """Whether a practice store is for this participant now: after the profile, before the first visit."""
    return here(participant).page in ("how", "goal")


@dataclass(frozen=True)
class TaskPlace:
    """Which of the participant's tasks an episode belongs to, from 1, and how many assistants meet it."""

    number: int
    total: int
    assistants: int


def task_place(episode: Episode) -> TaskPlace:
    """Where the episode's task stands among the participant's tasks."""
    rows = Episode.objects.filter(participant=episode.participant).order_by("position")
    tasks = list(rows.values_list("task_id", flat=True))
    order = list(dict.fromkeys(tasks))
    return TaskPlace(order.index(episode.task_id) + 1, len(order), tasks.count(episode.task_id))


def goal_of(episode: Episode) -> Goal:
    """What the participant is told to shop for."""
    pack = scene_pack(episode.scene, episode.scene_version or None)
    task = next(task for task in pack.tasks if task.id == episode.task_id)
    return Goal(
        text=task.goal,
        budget=task.budget,
        preferences=task.preferences,
        needs=tuple(need.text for need in task.needs),
    )
