"""Models as rows, the call log, the names minds are known by, and the Try it page."""

import io
import json

import pytest
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.urls import reverse

from agents import registry, selectors
from agents.calls import Attempt
from agents.models import LanguageModel, ModelCall
from agents.registry import UnknownMind
from tests.core.agent_samples import moderator_input, user_input
from tests.core.providers import Crooked, fails, says
from tests.web.recorded_calls import recorded_call

USER_SAYS = json.dumps({"reply": "Some fish, please.", "tool_call": {"tool": "idle", "args": {}}})


def a_model(**more):
    fields = {
        "slug": "crooked",
        "label": "Crooked one",
        "model": "openai/crooked",
        "timeout_s": 5,
        "max_wait_s": 1,
    }
    row = LanguageModel(**{**fields, **more})
    row.full_clean()
    row.save()
    return row


def a_call(**more):
    return recorded_call(**({"role": "user", "prompt_version": "user@1:abc"} | more))


@pytest.mark.django_db
def test_the_list_begins_with_the_scripted_assistants_best_first():
    out = io.StringIO()
    call_command("list_assistants", stdout=out)
    slugs = [line.split()[0] for line in out.getvalue().splitlines()]
    assert slugs == ["expert", "capable", "plain", "hasty", "bad", "expert-twin"]


@pytest.mark.django_db
def test_two_settings_name_a_model_for_all_four_roles(settings):
    settings.SITUREC_MODEL, settings.SITUREC_MODEL_API_BASE = "openai/any", "http://127.0.0.1:9/v1"
    for slugs in (
        registry.assistant_slugs,
        registry.user_slugs,
        registry.moderator_slugs,
        registry.judge_slugs,
    ):
        assert "model" in slugs()
    spec = selectors.model_spec("model")
    assert (spec.model, spec.api_base, spec.bounded) == ("openai/any", "http://127.0.0.1:9/v1", True)


@pytest.mark.django_db
def test_unknown_model_options_are_named(settings):
    settings.SITUREC_MODEL, settings.SITUREC_MODEL_OPTIONS = "openai/any", '{"temprature": 1}'
    with pytest.raises(selectors.BadOptions, match="temprature"):
        selectors.model_spec("model")


@pytest.mark.django_db
def test_a_row_is_listed_only_in_the_roles_it_may_take():
    a_model(as_user=False)
    assert "crooked" in registry.assistant_slugs()
    assert "crooked" not in registry.user_slugs()
    assert "crooked+frames" in registry.judge_slugs()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("key_variable", "sk-abcdef123456"),
        ("parameters", {"api_key": "x"}),
        ("slug", "expert"),
        ("price_in", 1.0),
        ("api_base", "not an address"),
    ],
)
def test_a_row_refuses_what_would_leak_clash_or_mislead(field, value):
    with pytest.raises(ValidationError):
        a_model(**{field: value})


@pytest.mark.django_db
def test_fallbacks_that_lead_in_a_circle_are_followed_once():
    first = a_model()
    second = a_model(slug="second", fallback=first)
    first.fallback = second
    first.save()
    assert [spec.slug for spec in selectors.model_spec("crooked").fallbacks] == ["second"]


@pytest.mark.django_db(transaction=True)
async def test_a_model_in_a_row_answers_and_its_call_is_in_the_log():
    with Crooked(says(USER_SAYS)) as server:
        await LanguageModel.objects.acreate(slug="crooked", label="C", model="openai/c", api_base=server.base)
        answer = await registry.make_user("crooked", seed=1).respond(user_input())
    call = await ModelCall.objects.aget(pk=answer.calls[0])
    assert answer.value.reply == "Some fish, please."
    assert (call.outcome, call.role, call.images, call.reply) == ("answered", "user", 1, USER_SAYS)
    assert "data:image" not in json.dumps(call.messages)


@pytest.mark.django_db(transaction=True)
async def test_the_budget_is_kept_across_processes_because_it_is_read_from_the_log():
    with Crooked(says("no")) as server:
        await LanguageModel.objects.acreate(
            slug="crooked", label="C", model="openai/c", api_base=server.base, max_calls=1
        )
        for expected in (None, "budget"):
            answer = await registry.make_moderator("crooked", seed=1).decide(moderator_input())
            assert answer.failure == expected
    assert len(server.requests) == 1


@pytest.mark.django_db(transaction=True)
async def test_what_a_model_answers_as_a_fallback_counts_against_its_own_budget():
    with Crooked(fails(500)) as broken, Crooked(says("no")) as sound:
        other = await LanguageModel.objects.acreate(
            slug="other", label="O", model="openai/o", api_base=sound.base, max_calls=1
        )
        await LanguageModel.objects.acreate(
            slug="crooked", label="C", model="openai/c", api_base=broken.base, max_retries=0, fallback=other
        )
        for slug, expected in (("crooked", None), ("crooked", "budget"), ("other", "budget")):
            answer = await registry.make_moderator(slug, seed=1).decide(moderator_input())
            assert answer.failure == expected
    assert len(sound.requests) == 1


@pytest.mark.django_db(transaction=True)
async def test_a_name_nobody_has_is_an_unknown_mind():
    with pytest.raises(UnknownMind, match="nobody"):
        await registry.make_judge("nobody", seed=1).score(None)


@pytest.mark.django_db
def test_rates_count_answers_once_and_money_always():
    a_call(outcome="missing", asked_again=True, cost_usd=0.5)
    a_call(outcome="repaired", cost_usd=0.25)
    a_call(outcome="failed", failure="timeout")
    (row,) = selectors.outcome_rates()
    assert (row["answers"], row["calls"], row["repaired"], row["missing"], row["failed"]) == (2, 3, 1, 0, 1)
    assert (row["cost"], row["unpriced"], row["failures"]) == (0.75, 1, "timeout 1")
    assert selectors.rates_of("m") == "2: 50 % repaired, 50 % failed"


@pytest.mark.django_db
def test_rates_never_mix_prompt_versions():
    a_call()
    a_call(prompt_version="user@2:def")
    assert [row["prompt_version"] for row in selectors.outcome_rates()] == ["user@1:abc", "user@2:def"]


@pytest.mark.django_db
def test_the_export_holds_no_words_of_prompt_or_reply():
    a_call(episode="e-1", attempts=[Attempt("openai/m", "rate_limit", "slow down, secret", 0.5)])
    (row,) = selectors.calls_redacted(episodes=["e-1"])
    text = json.dumps(row)
    assert "fish" not in text.lower()
    assert "secret" not in text
    assert (row["outcome"], row["reply_chars"], row["attempts"]) == (
        "answered",
        11,
        [{"failure": "rate_limit", "wait_s": 0.5}],
    )
    assert list(selectors.calls_redacted(episodes=["e-2"])) == []


@pytest.fixture
def staff(client, transactional_db):
    get_user_model().objects.create_superuser("boss", "boss@example.org", "secret")
    client.login(username="boss", password="secret")
    return client


def test_try_it_shows_reply_time_and_cost(staff):
    with Crooked(says("Welcome to the shop!")) as server:
        row = a_model(api_base=server.base, price_in=1, price_out=2)
        page = staff.post(reverse("admin:agents_languagemodel_try", args=[row.pk])).content.decode()
    assert "Welcome to the shop!" in page
    assert "$0.000140" in page
    assert ModelCall.objects.get().role == "trial"


def test_try_it_says_in_words_what_went_wrong(staff):
    with Crooked(fails(401, "Incorrect API key provided: sk-verysecretvalue123")) as server:
        row = a_model(api_base=server.base)
        page = staff.post(reverse("admin:agents_languagemodel_try", args=[row.pk])).content.decode()
    assert "provider_error" in page
    assert "Check name, address, key" in page
    assert "verysecret" not in page


def test_opening_try_it_asks_nothing(staff):
    with Crooked(says("hello")) as server:
        row = a_model(api_base=server.base)
        staff.get(reverse("admin:agents_languagemodel_try", args=[row.pk]))
    assert server.requests == []


def test_try_it_is_for_staff_only(client, transactional_db):
    row = a_model()
    address = reverse("admin:agents_languagemodel_try", args=[row.pk])
    assert client.post(address).status_code == 302
    get_user_model().objects.create_user("guest", password="secret", is_staff=True)
    client.login(username="guest", password="secret")
    assert client.post(address).status_code == 403


def test_the_log_can_be_read_in_admin_but_not_changed(staff):
    call = a_call(outcome="missing", fault="the answer was not one JSON object")
    listed = staff.get(reverse("admin:agents_modelcall_changelist")).content.decode()
    shown = staff.get(reverse("admin:agents_modelcall_change", args=[call.pk])).content.decode()
    assert "missing" in listed
    assert "My secret wish is fish." in shown
    assert "Fish it is." in shown
    assert (
        staff.post(reverse("admin:agents_modelcall_change", args=[call.pk]), {"reply": "x"}).status_code
        == 403
    )


def test_admin_lists_models_with_rates_and_the_key_only_by_name(staff, monkeypatch):
    monkeypatch.setenv("CROOKED_KEY", "sk-verysecretvalue123")
    a_model(key_variable="CROOKED_KEY")
    a_call(model_slug="crooked")
    page = staff.get(reverse("admin:agents_languagemodel_changelist")).content.decode()
    assert "1: 100 % answered" in page
    assert "verysecret" not in page
    rates = staff.get(reverse("admin:agents_modelcall_see_rates")).content.decode()
    assert "user@1:abc" in rates


def test_the_log_begins_with_how_answers_turned_out(staff):
    a_call(outcome="failed", failure="timeout")
    page = staff.get(reverse("admin:agents_modelcall_changelist")).content.decode()
    assert "Calls to models" in page
    assert "timeout 1" in page


@pytest.mark.django_db
def test_rates_of_one_study_count_its_own_episodes_only():
    a_call(episode="e-1")
    a_call(episode="e-2", outcome="missing")
    mine = ModelCall.objects.filter(episode="e-1").values_list("episode", flat=True)
    assert [(row["answers"], row["missing"]) for row in selectors.outcome_rates(episodes=mine)] == [(1, 0)]
    assert selectors.outcome_rates(episodes=[]) == []
