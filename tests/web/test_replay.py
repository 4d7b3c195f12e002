"""Replaying: what the page is given, what leaves as images or film, and who may look."""

import io
import json
import zipfile

import cv2
import numpy as np
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from analysis.replay.captions import CAPTION_PX, FONT_PX, caption_lines, captioned, drawable
from analysis.replay.document import replay_document
from analysis.replay.export import FILM_FPS, SECONDS_A_TURN
from sessions.models import AuditLog, Episode, Turn
from sessions.services import frame_store
from tests.core.episode_maker import human_cohort
from tests.web.recorded_study import make_study, record_into

pytestmark = pytest.mark.django_db
WIDTH, HEIGHT = 320, 180


def jpeg(shade: int) -> bytes:
    picture = np.full((HEIGHT, WIDTH, 3), shade, np.uint8)
    return cv2.imencode(".jpg", picture)[1].tobytes()


@pytest.fixture
def episode() -> Episode:
    study = make_study()
    record_into(study, [next(iter(human_cohort()))])
    found = Episode.objects.get()
    for turn in found.turns.all():
        turn.user_frame = frame_store(picture=jpeg(40 + turn.index))
        turn.save()
    return found


@pytest.fixture
def client() -> Client:
    made = Client()
    made.force_login(User.objects.create_superuser("root", password="a long password"))
    return made


def test_the_document_holds_every_turn_with_both_sides_and_the_ratings(episode):
    document = replay_document(episode)
    assert [turn["index"] for turn in document["turns"]] == [turn.index for turn in episode.turns.all()]
    first = document["turns"][0]
    assert first["assistant"]["utterance"]
    assert "ranking" in first["assistant"]
    assert all("outlines" not in seen for seen in first["visible"])
    assert document["ratings"]["questionnaire"] is not None
    json.dumps(document)


def test_a_picture_that_was_not_kept_is_none_and_not_a_broken_image(episode, client):
    document = replay_document(episode)
    assert document["turns"][0]["pictures"]["assistant_frame"] is None
    page = reverse("replay:picture", args=[episode.public_id, 0, "assistant_frame"])
    assert client.get(page).status_code == 404


def test_a_frame_is_given_out_byte_for_byte_as_it_was_shown(episode, client):
    page = reverse("replay:picture", args=[episode.public_id, 0, "user_frame"])
    assert client.get(page).content == jpeg(40)
    other = reverse("replay:picture", args=[episode.public_id, 0, "client_id"])
    assert client.get(other).status_code == 404


def test_the_page_opens_and_looking_at_a_person_is_written_down(episode, client):
    answer = client.get(reverse("replay:show", args=[episode.public_id]) + "?turn=1")
    assert answer.status_code == 200
    assert AuditLog.objects.get(action="replayed").subject == episode.public_id


def test_strangers_do_not_learn_that_an_episode_exists(episode):
    outsider = Client()
    outsider.force_login(User.objects.create_user("otto", password="a long password"))
    assert outsider.get(reverse("replay:show", args=[episode.public_id])).status_code == 404
    assert Client().get(reverse("replay:show", args=[episode.public_id])).status_code == 302


def test_images_leave_as_a_zip_with_one_picture_a_turn(episode, client):
    answer = client.get(reverse("replay:export", args=[episode.public_id, "user", "images"]))
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        pictures = [name for name in archive.namelist() if name.endswith(".jpg")]
        assert len(pictures) == episode.turns.count()
        assert archive.read(pictures[0]) == jpeg(40)
        assert json.loads(archive.read("replay.json"))["id"] == episode.public_id


def test_the_film_shows_each_turn_for_three_seconds_over_its_words(episode, client, tmp_path):
    answer = client.get(reverse("replay:export", args=[episode.public_id, "user", "film"]))
    assert answer.headers["Content-Type"] == "video/webm"
    film = tmp_path / "film.webm"
    film.write_bytes(answer.content)
    reader = cv2.VideoCapture(str(film))
    size = (reader.get(cv2.CAP_PROP_FRAME_WIDTH), reader.get(cv2.CAP_PROP_FRAME_HEIGHT))
    count = 0
    while reader.read()[0]:
        count += 1
    assert size == (WIDTH, HEIGHT + CAPTION_PX)
    assert count == episode.turns.count() * SECONDS_A_TURN * FILM_FPS


def test_an_episode_without_pictures_says_so_instead_of_giving_an_empty_film(episode, client):
    Turn.objects.update(user_frame="")
    for form in ("film", "subtitles"):
        answer = client.get(reverse("replay:export", args=[episode.public_id, "user", form]))
        assert answer.status_code == 404
        assert "were kept" in answer.content.decode()


def test_a_silent_user_has_no_line_in_the_caption():
    turn = Turn(
        index=3, assistant={"utterance": "Hello", "action": None}, user={"reply": "", "tool_call": None}
    )
    assert caption_lines(turn) == ["Turn 3", "Assistant: \u2068Hello\u2069"]


@pytest.mark.parametrize(
    ("one", "other"), [("שלום", "אדום"), ("سلام", "كتاب"), ("日本", "中文"), ("Жук", "Дом"), ("🍎", "🍋")]
)
def test_words_of_any_script_are_drawn_as_themselves_or_said_to_be_missing(one, other):
    pictures = [captioned(jpeg(40), ["Turn 0", f"User: {words}"]).tobytes() for words in (one, other)]
    drawn = [drawable(words) for words in (one, other)]
    assert (pictures[0] != pictures[1]) if drawn == [one, other] else drawn == ["[?]", "[?]"]


def test_where_no_font_has_a_character_the_caption_says_so_and_the_rest_is_drawn():
    assert drawable("User: naïve \ue123\ue124 Ł\x00 mug #12") == "User: naïve [?] Ł[?] mug #12"
    told, silent = (captioned(jpeg(40), ["Turn 0", f"User: {words}"]) for words in ("\ue123", "[?]"))
    assert told.tobytes() != silent.tobytes(), "its first line sends one to the subtitles"


def test_a_line_too_long_for_the_frame_is_shortened_to_the_room_there_is():
    band = np.asarray(captioned(jpeg(0), ["x" * 400]))[HEIGHT + 2 :]
    inked = np.flatnonzero((band != band[-1, -1]).any(axis=(0, 2)))
    assert WIDTH - 14 - 2 * FONT_PX < inked.max() < WIDTH - 14


def test_the_subtitles_hold_every_word_whole_at_the_films_times(episode, client):
    turn = episode.turns.order_by("index")[1]
    said = "בא לי mug #12 (אדום) --> 日本語 & more " + "x" * 300
    turn.user = (turn.user or {}) | {"reply": said}
    turn.save()
    answer = client.get(reverse("replay:export", args=[episode.public_id, "user", "subtitles"]))
    assert answer.headers["Content-Type"] == "text/vtt; charset=utf-8"
    assert answer.headers["Content-Disposition"].endswith(f'{episode.public_id}-user.vtt"')
    first, *cues = answer.content.decode().strip().split("\n\n")
    assert first == "WEBVTT"
    assert len(cues) == episode.turns.count()
    assert cues[1].startswith("00:00:03.000 --> 00:00:06.000\nTurn 1")
    assert said.replace("&", "&amp;").replace(">", "&gt;") in cues[1]


def test_the_list_of_episodes_is_filtered_by_its_address(episode, client):
    page = reverse("replay:episodes", args=[episode.study.slug])
    assert episode.public_id in client.get(page).content.decode()
    filtered = client.get(page, {"assistant": episode.assistant, "user_kind": "human"}).content.decode()
    assert episode.public_id in filtered
    assert episode.public_id not in client.get(page, {"user_kind": "simulated"}).content.decode()
