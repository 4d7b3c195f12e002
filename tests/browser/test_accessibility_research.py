"""Every page a researcher meets: nothing for axe to find, at any width or zoom."""

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.daphne, pytest.mark.store]


@pytest.fixture
def recorded(database):
    """A study with episodes, somebody in the store, and a researcher; gives an episode's id."""

    def make():
        from django.contrib.auth.models import User

        from sessions.models import Episode, Participant
        from tests.web.recorded_study import recorded_study

        study = recorded_study("market", profiles=1, participants=3)
        Participant.objects.create(study=study, code="P099")
        User.objects.create_superuser("rosa", password="a long password")
        return Episode.objects.filter(study=study, turn_count__gt=0).first().public_id

    return database(make)


def test_no_page_of_a_researcher_has_an_accessibility_fault(visitor, recorded, findings):
    page = visitor.page
    page.goto(f"{visitor.url}/research/login/")
    findings("login")
    page.locator("input[name=username]").fill("rosa")
    page.locator("input[name=password]").fill("a long password")
    page.locator("main button").click()
    page.wait_for_url("**/research/")
    study = "studies/market/"
    person = study + "participants/P099/"
    for path in (
        "",
        "studies/new/",
        "studies/from-file/",
        study,
        study + "live/",
        study + "participants/",
        person,
        study + "episodes/",
        f"episodes/{recorded}/",
        study + "results/",
        study + "agreement/",
        study + "export/",
        study + "settings/",
    ):
        answer = page.goto(f"{visitor.url}/research/{path}")
        assert answer.status == 200, path
        findings(path or "studies")
    assert visitor.problems == []
    assert not findings.found, "\n".join(findings.found)
