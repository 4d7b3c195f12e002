"""Everything the guided form can say, a study's file can, and the other way round: checked on any design."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from agents.models import LanguageModel
from agents.registry import assistant_slugs, judge_slugs, moderator_slugs
from catalog.selectors import scene_slugs
from play.research.faults import design_faults
from play.research.form import StudyForm
from play.research.studies import config_from_yaml
from questionnaire.selectors import instrument_slugs
from sessions.models import Study
from sessions.selectors.studies import study_config_yaml
from siturec.protocol.study import StudyConfig
from siturec.protocol.vocabulary import CONDITIONS
from tests.web.samples_studies import config

pytestmark = pytest.mark.django_db

WORDS = st.text(max_size=60)
FILLED: st.SearchStrategy[str] = WORDS.filter(lambda text: config_takes(title=text))
SLUGS = st.from_regex(r"[a-z0-9]{1,8}([_-][a-z0-9]{1,8}){0,2}", fullmatch=True)
SEEDS = st.integers(0, 2**53 - 1)
TASKS = st.lists(st.from_regex(r"[0-9]{1,2}[.][0-9]", fullmatch=True), min_size=1, max_size=5, unique=True)
MOMENTS = st.datetimes(
    datetime(2020, 1, 1),
    datetime(2040, 1, 1),
    timezones=st.builds(timezone, st.integers(-14, 14).map(lambda hours: timedelta(hours=hours))),
)


def config_takes(**changes: object) -> bool:
    try:
        config(**changes)
    except ValidationError:
        return False
    return True


@st.composite
def assistants(draw):
    """Any choice of the assistants there are, in any order, with controls."""
    slugs = draw(st.lists(st.sampled_from(assistant_slugs()), min_size=1, unique=True))
    chosen = []
    for slug in slugs:
        others = [other for other in slugs if other != slug]
        control = draw(st.sampled_from(["", "floor", "twin"] if others else ["", "floor"]))
        chosen.append({"slug": slug, "control": control})
        if control == "twin":
            chosen[-1]["twin_of"] = draw(st.sampled_from(others))
    return chosen


@st.composite
def designs(draw):
    """A design with every field set to something."""
    opens, closes = sorted(draw(st.tuples(MOMENTS, MOMENTS)))
    number = st.integers(1, 100)
    visits = st.fixed_dictionaries(
        {"after_episode": st.integers(1, 9), "expected": st.integers(1, 5), "text": FILLED}
    )
    document = {
        "slug": draw(SLUGS),
        "title": draw(FILLED),
        "description": draw(WORDS),
        "contact": draw(WORDS),
        "scene": draw(st.sampled_from(list(scene_slugs()))),
        "scene_version": draw(WORDS),
        "condition": draw(st.sampled_from(CONDITIONS)),
        "assistants": draw(assistants()),
        "tasks": {
            "mode": draw(st.sampled_from(["fixed", "sampled"])),
            "ids": draw(TASKS),
            "sample": draw(number),
            "seed": draw(SEEDS),
            "per_participant": draw(st.integers(1, 20)),
        },
        "seed": draw(SEEDS),
        "quota": draw(number),
        "limits": {
            "turns": draw(number),
            "recommendations": draw(number),
            "stalls": draw(number),
            "abandon_after_s": draw(st.integers(60, 9999)),
            "seat_after_s": draw(st.integers(60, 9999)),
        },
        "roles": {
            "moderator": draw(st.sampled_from(moderator_slugs())),
            "judge": draw(st.sampled_from(["", *judge_slugs()])),
        },
        "consent": {"text": draw(FILLED), "version": draw(FILLED.filter(lambda text: len(text) <= 40))},
        "instrument": draw(st.sampled_from(instrument_slugs())),
        "missing_allowed": draw(st.booleans()),
        "attention_checks": draw(st.lists(visits, max_size=3)),
        "attention_failures_allowed": draw(st.integers(0, 9)),
        "min_reply_ms": draw(st.integers(0, 60_000)),
        "show_user_minimap": draw(st.booleans()),
        "reply_required": draw(st.booleans()),
        "marker_policy": draw(st.sampled_from(["warn", "block"])),
        "identity_policy": draw(st.sampled_from(["mask", "flag"])),
        "codes": {
            "done": draw(WORDS),
            "screened_out": draw(WORDS),
            "returned": draw(WORDS),
            "return_url": draw(WORDS),
        },
        "opens_at": opens,
        "closes_at": closes + timedelta(days=1),
    }
    assert set(document) == set(StudyConfig.model_fields) - {"protocol"}, "a field has no test"
    return StudyConfig.model_validate(document)


def as_a_browser_sends(form):
    """What submitting the form as it is shown would send: line ends as CRLF, empty boxes left out."""
    sent = {}
    for name, field in form.fields.items():
        value = form[name].value()
        shown = field.widget.format_value(value)
        if shown is True or shown is False or value is True or value is False:
            if value:
                sent[name] = "on"
        else:
            text = shown[0] if isinstance(shown, list) else shown
            sent[name] = "" if text is None else str(text).replace("\n", "\r\n")
    return sent


any_design = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@any_design
@given(design=designs())
def test_opening_the_form_and_saving_it_changes_nothing(design):
    initial = StudyForm.initial_of(design)
    form = StudyForm(as_a_browser_sends(StudyForm(initial=initial)), initial=initial)
    assert form.is_valid(), form.errors
    assert form.config == design
    assert form.config.digest == design.digest


@any_design
@given(design=designs())
def test_a_design_comes_back_from_its_file_the_same(design):
    study = Study(slug=design.slug, title=design.title, config=design.model_dump(mode="json"))
    back = config_from_yaml(study_config_yaml(study))
    assert back == design
    assert back.digest == design.digest


def test_a_field_for_everything_a_file_can_hold():
    fields = set(StudyForm().fields)
    for name, field in StudyConfig.model_fields.items():
        if name == "protocol":  # there is one so far
            continue
        inner = getattr(field.annotation, "model_fields", None)
        wanted = {f"{name}_{part}" for part in inner} if inner is not None else {name}
        assert wanted <= fields or name == "assistants", f"{name} cannot be set in the form"


def test_an_assistant_that_is_not_known_here_stays_in_the_design_and_is_named_as_a_fault():
    design = config(assistants=("elsewhere", "expert"))
    initial = StudyForm.initial_of(design)
    form = StudyForm(as_a_browser_sends(StudyForm(initial=initial)), initial=initial)
    assert form.is_valid(), form.errors
    assert form.config == design
    assert design_faults(design) == ["assistants: there is no assistant 'elsewhere' here"]


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"roles": {"moderator": "nobody"}}, "roles.moderator"),
        ({"roles": {"judge": "nobody"}}, "roles.judge"),
        ({"instrument": "nothing"}, "instrument"),
        (
            {"attention_checks": [{"after_episode": 99, "text": "Choose 4.", "expected": 4}]},
            "attention_checks",
        ),
        ({"scene": "nowhere"}, "scene"),
        (
            {"assistants": [{"slug": "plain"}, {"slug": "hasty", "control": "twin", "twin_of": "plain"}]},
            "assistants",
        ),
        ({"tasks": {"mode": "fixed", "ids": ["99.9"]}}, "tasks"),
    ],
)
def test_what_cannot_be_run_here_is_a_fault_that_names_its_key(changes, key):
    document = config().model_dump(mode="json") | changes
    faults = design_faults(StudyConfig.model_validate(document))
    assert [fault.split(":")[0] for fault in faults] == [key]


@pytest.mark.parametrize(
    "changes",
    [
        {"title": " \u00a0 "},
        {"consent": {"text": "\n\n"}},
        {"seed": 2**53},
        {"seed": -1},
        {"opens_at": "2026-11-30T09:00:00"},
        {"tasks": {"ids": ["3.1, 3.2"]}},
        {"assistants": [{"slug": "expert", "control": "twin", "twin_of": "expert"}]},
        {"assistants": [{"slug": "expert", "twin_of": "plain"}, {"slug": "plain"}]},
    ],
)
def test_a_file_cannot_hold_what_nobody_could_use(changes):
    with pytest.raises(ValidationError):
        StudyConfig.model_validate(config().model_dump(mode="json") | changes)


def test_times_are_kept_in_utc_whatever_offset_they_came_with():
    design = config(opens_at=datetime.fromisoformat("2026-11-30T10:30:15.5+02:00"))
    assert design.opens_at == datetime(2026, 11, 30, 8, 30, 15, tzinfo=UTC)


def test_only_a_copy_is_offered_as_a_planted_twin():
    def twins_of(slug):
        choices = StudyForm().fields[f"assistant_{slug}"].choices
        return {value.removeprefix("twin:") for value, _ in choices if value.startswith("twin:")}

    LanguageModel.objects.create(slug="first", model="openai/m", price_in=1.0, price_out=1.0)
    LanguageModel.objects.create(slug="second", model="openai/m", price_in=2.0, price_out=2.0)
    LanguageModel.objects.create(slug="other", model="openai/n")
    assert twins_of("expert-twin") == {"expert"}
    assert twins_of("hasty") == set()
    assert twins_of("second") == {"first"}
    assert twins_of("other") == set()
    chosen = [{"slug": "first"}, {"slug": "second", "control": "twin", "twin_of": "first"}]
    design = config().model_dump(mode="json") | {"assistants": chosen}
    assert design_faults(StudyConfig.model_validate(design)) == []
