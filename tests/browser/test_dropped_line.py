"""A line that ends without a word, as of a lost network: seen, waited for, and nobody else's loss."""

import socket
import struct
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from tests.ports import open_line

pytestmark = [pytest.mark.browser, pytest.mark.daphne, pytest.mark.store]


def drop(line):
    """No closing message and no end of the stream: the connection is reset."""
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    line.close()


def test_who_drops_off_is_away_within_a_minute_and_keeps_the_seat_until_the_rule_frees_it(
    visitor, site, study, store_link, database
):
    from django.utils import timezone

    from sessions.models import Participant, Seat, Study
    from sessions.selectors.progress import study_presence
    from siturec_web.serving import sweep

    before = site.log.stat().st_size  # others' lines
    slug = study(assistants=[{"slug": "expert"}], quota=2)
    address = store_link(slug)
    token = address.split("/p/")[1].split("/")[0]
    drop(open_line(site.port, token))

    def standing(later=timedelta(0)):
        row = Study.objects.get(slug=slug)
        presence = {one.participant.token: one for one in study_presence(row, now=timezone.now() + later)}
        seats = Seat.objects.filter(study=row).order_by("number", "deal")
        return presence[token].away, list(seats.values_list("status", flat=True))

    assert database(standing) == (False, ["claimed", "free"])
    assert database(lambda: standing(timedelta(seconds=61))) == (True, ["claimed", "free"])

    visitor.page.goto(store_link(slug))
    visitor.my_turn()
    visitor.send("I have the store to myself.")
    database(sweep)
    assert database(standing)[1] == ["claimed", "claimed"], "gone is not yet given up"

    def long_gone():
        seen = timezone.now() - timedelta(hours=3)
        Participant.objects.filter(token=token).update(seen_at=seen)
        sweep()
        person = Participant.objects.get(token=token)
        seat = Seat.objects.get(participant=person)
        freed = Seat.objects.filter(study=person.study, status="free").count()
        return person.state, seat.status, seat.reason, freed

    state, status, reason, freed = database(long_gone)
    assert (state, status, freed) == ("abandoned", "released", 1)
    assert reason
    visitor.page.goto(address)
    expect(visitor.page.locator("main")).to_contain_text("Your time for this study has run out")
    assert b"Traceback" not in site.log.read_bytes()[before:]
