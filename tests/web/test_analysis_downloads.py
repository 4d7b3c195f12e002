"""Downloads of exports: sent while rows are being read, and a short one is noticed."""

import asyncio
import csv
import hashlib
import io
from functools import partial

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from analysis.exporting import rows
from analysis.exporting.column import Column
from analysis.exporting.parts import Part, to_zip
from analysis.exporting.writers import write_jsonl, write_parquet
from sessions.models import AuditLog, Episode
from siturec_web.pacing import paced
from tests.web.archives import address, whole

FILES_OF_TABLES = {
    f"{what}{suffix}"
    for what in ("wide", "long", "turns", "events", "model_calls", "calls")
    for suffix in (".csv", ".parquet")
} | {"trajectories.jsonl", "codebook.md", "manifest.json"}


@pytest.fixture
def study(recorded_once, db):
    return recorded_once


def researcher():
    return get_user_model().objects.create_superuser("root", password="x")


@pytest.fixture
def client(db):
    known = Client()
    known.force_login(researcher())
    return known


def test_one_table_comes_with_its_codebook_and_a_manifest_of_rows_bytes_and_hash(study, client):
    found = client.get(address(study, "wide/csv"))
    assert found["Content-Disposition"] == f'attachment; filename="{study.slug}-wide-csv.zip"'
    files, listed = whole(found.getvalue())
    assert set(files) == {"wide.csv", "codebook.md", "manifest.json"}
    table = list(csv.reader(io.StringIO(files["wide.csv"].decode())))
    assert listed["wide.csv"]["rows"] == len(table) - 1 == 90
    assert client.get(address(study, "trajectories/csv")).status_code == 404
    assert client.get(address(study, "wide/xlsx")).status_code == 404


def test_all_tables_come_in_the_forms_that_were_chosen(study, client):
    files, _ = whole(client.get(address(study, "tables") + "?form=csv&form=parquet").getvalue())
    assert set(files) == FILES_OF_TABLES
    everything, _ = whole(client.get(address(study, "tables")).getvalue())
    assert set(everything) > FILES_OF_TABLES
    assert everything["turns.csv"] == files["turns.csv"]
    assert client.get(address(study, "tables") + "?form=xlsx").status_code == 404


def test_the_page_offers_them_and_the_bundle(study, client):
    page = client.get(address(study, "").removesuffix("/")).content.decode()
    assert f'action="{address(study, "tables")}"' in page
    files, _ = whole(client.get(address(study, "bundle")).getvalue())
    assert {"results.json", "people.jsonl", "scenes/supermarket/scene.json"} <= set(files)


def test_verify_compares_a_download_with_its_manifest_and_says_what_is_short(study, client, tmp_path):
    body = client.get(address(study, "tables")).getvalue()
    path, said = tmp_path / "tables.zip", io.StringIO()
    path.write_bytes(body)
    call_command("verify", str(path), stdout=said)
    assert "files: all there, all as the manifest says" in said.getvalue()
    assert "this is no bundle" in said.getvalue()
    path.write_bytes(body[: len(body) // 2])
    with pytest.raises(CommandError, match="cut short"):
        call_command("verify", str(path))


@pytest.mark.parametrize("write", [write_jsonl, write_parquet])
def test_the_first_rows_go_out_while_later_ones_are_not_read_yet(write):
    read = 0

    def endless():
        nonlocal read
        while True:
            read += 1
            yield {"text": hashlib.sha256(str(read).encode()).hexdigest()}

    part = Part("rows", partial(write, endless(), (Column("text", "text", ""),)))
    pieces = to_zip([part], lambda written: b"")
    assert next(pieces)
    assert read == 0
    assert len(next(pieces)) >= 60_000
    assert read < 5_000
    pieces.close()
    before = read
    assert list(pieces) == []
    assert read == before


@pytest.fixture
def read(monkeypatch):
    """The records that an export has read so far."""
    found, original = [], rows.trajectories

    def noted(episodes):
        for row in original(episodes):
            found.append(row)
            yield row

    monkeypatch.setattr(rows, "trajectories", noted)
    return found


def test_a_page_sends_its_first_bytes_before_any_record_is_read(study, client, read):
    pieces = iter(client.get(address(study, "trajectories/jsonl")).streaming_content)
    assert next(pieces).startswith(b"PK")
    assert not read
    assert len(next(pieces)) >= 60_000
    assert 0 < len(read) < 90
    rest = sum(map(len, pieces))
    assert len(read) == 90
    assert rest > 0


def test_a_record_that_cannot_be_written_breaks_the_download_off_and_the_page_says_why(study, client):
    broken = Episode.objects.filter(study=study).last()
    Episode.objects.filter(pk=broken.pk).update(end_reason="nonsense")
    with pytest.raises(Exception, match="end_reason"):
        client.get(address(study, "trajectories/jsonl")).getvalue()
    page = client.get(f"/research/studies/{study.slug}/export/").content.decode()
    assert "broke off at a record that cannot be written" in page
    assert "end_reason" in page
    assert AuditLog.objects.filter(study=study, action="export stopped").count() == 1
    client.get(address(study, "events/csv")).getvalue()
    assert "broke off" not in client.get(f"/research/studies/{study.slug}/export/").content.decode()


class Line:
    """Daphne's end of a connection: what was sent, and the producer it may pause."""

    def __init__(self):
        self.sent, self.producer, self.aborted = [], None, False
        self.channel = self.transport = self

    def registerProducer(self, producer, streaming):
        assert streaming
        self.producer = producer

    def unregisterProducer(self):
        self.producer = None

    def abortConnection(self):
        self.aborted = True

    async def handle(self, message):
        self.sent.append(message)
        if self.producer is not None and len(self.sent) == 3:
            self.producer.pauseProducing()


def sending(line):
    async def send(line, message):
        await line.handle(message)

    return partial(send, line)


async def test_a_slow_line_is_given_no_more_than_it_takes():
    line = Line()

    async def answer(scope, receive, send):
        await send({"type": "http.response.start", "status": 200})
        for _ in range(9):
            await send({"type": "http.response.body", "body": b"x", "more_body": True})
        await send({"type": "http.response.body"})

    task = asyncio.ensure_future(paced(answer)({"type": "http"}, None, sending(line)))
    for _ in range(20):
        await asyncio.sleep(0)
    assert len(line.sent) == 3
    line.producer.resumeProducing()
    await task
    assert len(line.sent) == 11
    assert line.producer is None


async def test_an_answer_that_fails_in_its_middle_is_broken_off():
    line = Line()

    async def answer(scope, receive, send):
        await send({"type": "http.response.start", "status": 200})
        raise ValueError("the middle")

    await paced(answer)({"type": "http", "path": "/"}, None, sending(line))
    assert line.aborted
