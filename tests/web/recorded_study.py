"""Puts trajectory records into the database as a study's episodes, as the runner would have left them."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from questionnaire.models import Rating
from sessions.models import Episode, Participant, Study, Turn
from siturec.protocol.study import AssistantChoice, Consent, StudyConfig
from tests.core.episode_maker import SKILLS, human_cohort, simulated_cohort


def make_study(slug: str = "market", **changes: Any) -> Study:
    """An open study of the five graded assistants, one of them the planted bad one."""
    config = StudyConfig(
        slug=slug,
        title=changes.pop("title", "The market study"),
        scene="supermarket",
        assistants=tuple(
            AssistantChoice(slug=name, control="floor" if name == "bad" else "") for name in SKILLS
        ),
        consent=Consent(text="Do you agree?"),
        **changes,
    )
    return Study.objects.create(
        slug=slug, title=config.title, config=config.model_dump(mode="json"), status=Study.Status.OPEN
    )


def record_into(study: Study | None, records: Iterable[dict[str, Any]], prefix: str = "") -> None:
    """Store records with their turns and ratings. Raises: ValueError for people of no study."""
    people: dict[str, Participant] = {}
    places: dict[str, int] = {}
    episodes, turns, ratings = [], [], []
    for record in records:
        code = record["user"]["participant"]
        if code is not None and code not in people:
            if study is None:
                raise ValueError(f"{record['episode_id']} is a participant's: name the study")
            people[code] = Participant.objects.create(study=study, code=code, state="done")
        position = places.get(code, 0) if code is not None else 0
        places[code] = position + 1
        episode = Episode(
            public_id=prefix + record["episode_id"],
            study=study,
            study_version=1,
            participant=people.get(code),
            scene=record["scene"],
            task_id=record["task_id"],
            profile_id=record["profile_id"],
            assistant=record["assistant"],
            letter="A" if code is not None else "",
            user_kind=record["user"]["kind"],
            user_policy=record["user"]["policy"] or "",
            condition=record["condition"],
            position=position,
            status=Episode.Status.ENDED,
            end_reason=record["end_reason"],
            started_at=datetime.fromisoformat(record["started_at"]),
            ended_at=datetime.fromisoformat(record["ended_at"]),
            rated_at=datetime.fromisoformat(record["ended_at"]) if record["questionnaire"] else None,
            judged_at=datetime.fromisoformat(record["ended_at"]) if record["judge"] else None,
            final_cart=record["final_cart"],
            reference_items=record["reference_items"],
            turn_count=len(record["turns"]),
        )
        episodes.append(episode)
        turns += [
            Turn(
                episode=episode,
                index=turn["turn"],
                observation=turn["observation"],
                assistant=turn["assistant"],
                user=turn["user"],
                moderator=turn["moderator"],
            )
            for turn in record["turns"]
        ]
        for kind, given in (("human", record["questionnaire"]), ("judge", record["judge"])):
            ratings += [
                Rating(
                    episode=episode,
                    rater_kind=kind,
                    rater=code if kind == "human" else "rules",
                    dimension=dimension,
                    score=score,
                )
                for dimension, score in (given or {}).items()
            ]
        if len(episodes) == 200:
            _store(episodes, turns, ratings)
    _store(episodes, turns, ratings)


def _store(episodes: list[Episode], turns: list[Turn], ratings: list[Rating]) -> None:
    Episode.objects.bulk_create(episodes)
    Turn.objects.bulk_create(turns, batch_size=500)
    Rating.objects.bulk_create(ratings, batch_size=1000)
    episodes.clear()
    turns.clear()
    ratings.clear()


def recorded_study(slug: str = "market", profiles: int = 2, participants: int = 5, **changes: Any) -> Study:
    """A study with people and simulated users behind it."""
    study = make_study(slug, **changes)
    record_into(study, human_cohort(participants=participants), prefix=f"{slug}-")
    record_into(study, simulated_cohort(profiles=profiles), prefix=f"{slug}-")
    return study
