"""A small study on the shipped supermarket, for tests."""

from django.utils import timezone

from sessions.services import study_create, study_open
from sessions.services.people import participant_consent, participant_join, participant_profile
from siturec.protocol.study import AssistantChoice, Consent, StudyConfig, TaskChoice
from tests.web.shelf import shelve

FIVE = ("expert", "capable", "plain", "hasty", "bad")


def config(slug="study", *, assistants=FIVE, **changes):
    """A design in the paper's shape unless told otherwise."""
    fields = {
        "slug": slug,
        "title": "A study",
        "scene": "supermarket",
        "assistants": tuple(AssistantChoice(slug=name) for name in assistants),
        "tasks": TaskChoice(),
        "consent": Consent(text="I take part."),
        "min_reply_ms": 0,
    }
    return StudyConfig(**(fields | changes))


def opened(slug="study", **changes):
    """An open study."""
    shelve(str(changes.get("scene", "supermarket")))
    return study_open(study=study_create(config=config(slug, **changes)))


def seated(study, *, kind="human", external_id=""):
    """Someone who has agreed and has a seat."""
    person = participant_join(study=study, kind=kind, external_id=external_id)
    return participant_consent(participant=person, shown_hash=study.design.consent.digest)


def shopping(study, *, kind="human"):
    """Someone who stands at the first goal."""
    return participant_profile(participant=seated(study, kind=kind), profile={"age": "25-34"})


def rate_all(person):
    """Everything played and rated, as at the end of participation."""
    person.episodes.update(
        status="ended",
        end_reason="turn_limit",
        started_at=timezone.now(),
        ended_at=timezone.now(),
        rated_at=timezone.now(),
    )
