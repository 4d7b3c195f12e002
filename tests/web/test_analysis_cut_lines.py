"""Exports over a real line that is cut or breaks: a short file is always noticed."""

import http.client
import socket
import zipfile

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from sessions.models import Episode
from tests.browser.conftest import Site
from tests.web.archives import address, whole
from tests.web.recorded_study import recorded_study

pytestmark = pytest.mark.daphne


@pytest.fixture
def served(transactional_db):
    """A study on a site of its own, and the headers that let a researcher in."""
    study = recorded_study("served")
    known = Client()
    known.force_login(get_user_model().objects.create_superuser("root", password="x"))
    cookie = f"sessionid={known.cookies['sessionid'].value}"
    running = Site()
    running.start()
    try:
        yield study, running.port, {"Cookie": cookie}
    finally:
        running.stop()


def fetched(port, path, headers):
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    line.request("GET", path, headers=headers)
    body = line.getresponse().read()
    line.close()
    return body


def cut_at(port, path, headers, size):
    """What arrived when the network was cut after so many bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as line:
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{head}\r\n".encode())
        response = http.client.HTTPResponse(line)
        response.begin()
        assert response.status == 200
        return response.read(size)


def test_a_download_cut_at_half_is_seen_to_be_short_and_the_retry_is_whole(served, tmp_path):
    study, port, headers = served
    path = address(study, "tables") + "?form=csv&form=jsonl"
    size = len(fetched(port, path, headers))
    half = cut_at(port, path, headers, size // 2)
    assert len(half) == size // 2
    with pytest.raises(zipfile.BadZipFile):
        whole(half)
    short = tmp_path / "half.zip"
    short.write_bytes(half)
    with pytest.raises(CommandError, match="cut short"):
        call_command("verify", str(short))
    files, listed = whole(fetched(port, path, headers))
    assert listed["wide.csv"]["rows"] == files["wide.csv"].count(b"\n") - 1 == 90
    assert listed["trajectories.jsonl"]["rows"] == files["trajectories.jsonl"].count(b"\n") == 90


def test_a_download_that_fails_in_its_middle_ends_as_a_broken_line_not_as_a_short_file(served):
    study, port, headers = served
    last = Episode.objects.filter(study=study).last()
    Episode.objects.filter(pk=last.pk).update(end_reason="nonsense")
    with pytest.raises((http.client.IncompleteRead, ConnectionError)):
        fetched(port, address(study, "trajectories/jsonl"), headers)
    whole(fetched(port, address(study, "events/csv"), headers))
