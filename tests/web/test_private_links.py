"""No log holds a link that lets its reader in as somebody else."""

import datetime
import io
import logging
import logging.config

import pytest
from daphne.access import AccessLogGenerator
from django.conf import settings
from django.test import Client

import siturec_web.asgi  # noqa: F401  (what Daphne loads, with what it does to the access log)
from siturec_web.private_links import without_links

TOKEN = "VISYSbY0SIZVENkylNGzOe2_"


@pytest.mark.parametrize(
    "line",
    [
        f"Not Found: /p/{TOKEN}/nowhere/",
        f'"GET /p/{TOKEN}" 302',
        f"WSCONNECT /ws/p/{TOKEN}/practice/",
        f"WSCONNECT /ws/play/{TOKEN}/",
        f"https://study.example.org/research/invitation/{TOKEN}/?next=/",
        f"/research/login/?next=/research/invitation/{TOKEN}/",
        f"/research/login/?next=%2Fp%2F{TOKEN}%2F",
        f"two in a line: /p/{TOKEN}/a/ and /p/{TOKEN}/b/",
        f"GET /s/demo/?PROLIFIC_PID={TOKEN}&STUDY_ID=1",
        f"GET /s/demo/?prolific_pid={TOKEN}&study_id=1",
        f"GET /s/demo/?study_id=1&WORKERID={TOKEN}",
    ],
)
def test_a_personal_link_is_cut_short_and_what_is_around_it_stays(line):
    told = without_links(line)
    assert told == line.replace(f"={TOKEN}", "=…").replace(TOKEN, "VISY…")
    assert without_links(told) == told


@pytest.mark.parametrize("line", ["/p/words.js", "/s/demo/", "/research/studies/demo/", "a/p/b c"])
def test_what_names_nobody_is_left_as_it_is(line):
    assert without_links(line) == line


@pytest.fixture
def console(monkeypatch):
    """What the site's own log settings write."""
    written = io.StringIO()
    root = logging.getLogger()
    kept = root.handlers[:]
    logging.config.dictConfig(settings.LOGGING)
    ours = root.handlers[0]
    assert isinstance(ours, logging.StreamHandler)
    ours.setStream(written)
    yield written
    root.handlers[:] = kept


@pytest.mark.django_db
def test_a_page_that_is_not_there_is_logged_without_the_link(console):
    assert Client().get(f"/p/{TOKEN}/nowhere/").status_code == 404
    assert "Not Found: /p/VISY…/nowhere/" in console.getvalue()
    assert TOKEN not in console.getvalue()


def test_a_traceback_is_logged_without_the_link(console):
    try:
        raise LookupError(f"nobody at /p/{TOKEN}/")
    except LookupError:
        logging.getLogger("django.request").exception("Internal Server Error: /p/%s/", TOKEN)
    assert "LookupError" in console.getvalue()
    assert TOKEN not in console.getvalue()


@pytest.mark.parametrize("name", ["django", "django.server", "django.request"])
def test_django_has_no_way_to_the_console_past_the_sites_own(console, name):
    assert all(not logger_of(part).handlers for part in ("django", name))
    assert logger_of(name).propagate


def logger_of(name):
    return logging.getLogger(name)


def test_daphnes_access_log_holds_no_link():
    stream = io.StringIO()
    log = AccessLogGenerator(stream)
    details = {"client": "127.0.0.1:1", "path": f"/p/{TOKEN}/", "method": "GET", "status": 200, "size": 5}
    log("http", "complete", details)
    for action in ("connecting", "connected", "disconnected", "rejected"):
        log("websocket", action, details | {"path": f"/ws/p/{TOKEN}/"})
    assert stream.getvalue().count("VISY…/") == 5
    assert TOKEN not in stream.getvalue()
    assert str(datetime.datetime.now().year) in stream.getvalue()
