"""A study of two assistants, calls to models in it, and its report."""

import io
import re

from django.core.management import call_command

from analysis.filters import Filters
from analysis.services.results import study_results
from tests.core.episode_maker import episode, person, turn
from tests.web.recorded_calls import recorded_call
from tests.web.recorded_study import make_study, record_into

HOME = "/research/studies/market"


def a_call(episode, **more):
    """A call of an episode's assistant, answered after two seconds unless told otherwise."""
    return recorded_call(**({"episode": episode, "duration_s": 2.0, "reply": "Secret fish."} | more))


def results_of(study, **filters):
    return study_results(study=study, filters=Filters(**filters))


def text_of(html):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def some_calls():
    a_call("human-expert-1", tokens_in=100, tokens_out=20, cost_usd=0.25)
    a_call("human-expert-1", outcome="repaired", asked_again=False, duration_s=4.0)
    a_call("simulated-expert-1", outcome="failed", failure="timeout", duration_s=60.0)
    a_call("human-expert-2", outcome="missing", prompt_version="assistant@2:def")
    a_call("somebody-elses", outcome="failed", failure="refused")


def reported(folder):
    """The page of the study's report."""
    out = io.StringIO()
    call_command("report", "market", "--no-pdf", "--out", str(folder), stdout=out, stderr=out)
    assert "pdf" not in out.getvalue()
    assert not (folder / "report.pdf").exists()
    return (folder / "report.html").read_text()


def two_and_two():
    """A study in which two people and two simulated shoppers met each of two assistants."""
    made = make_study(min_reply_ms=1000)
    records = [
        episode(
            [turn(), turn(1)],
            episode_id=f"{kind}-{slug}-{number}",
            assistant=slug,
            **({"user": person(number)} if kind == "human" else {}),
        )
        for kind in ("human", "simulated")
        for slug in ("expert", "plain")
        for number in (1, 2)
    ]
    record_into(made, records)
    return made
