"""A real site for a real browser: Daphne and its embedded store as processes of their own."""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Playwright,
    Response,
    WebSocket,
    expect,
    sync_playwright,
)

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
ASSISTANTS = ("expert", "bad")
SCENE = "pharmacy_corner"
"""The smallest scene there is: a store like any other, with shelves a few steps away."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def await_answer(url: str, process: subprocess.Popen[bytes], log: Path, within_s: float = 60.0) -> None:
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        if process.poll() is not None:
            pytest.fail(f"the site ended at once:\n{log.read_text()[-4000:]}")
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except urllib.error.HTTPError:
            break
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    pytest.fail(f"the site did not come up:\n{log.read_text()[-4000:]}")


class Site:
    """The running site; ``log`` holds everything it printed."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = Path(settings.TEST_DIR) / "site.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [
            sys.executable,
            "-m",
            "daphne",
            "-b",
            "127.0.0.1",
            "-p",
            str(self.port),
            "siturec_web.asgi:application",
        ]
        environment = os.environ | {"DJANGO_SETTINGS_MODULE": "siturec_web.settings.test"}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True
            )
        await_answer(f"{self.url}/p/words.js", self.process, self.log)

    def stop(self, how: int = signal.SIGTERM) -> None:
        if self.process is None or self.process.poll() is not None:
            return
        os.killpg(self.process.pid, how)
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(15)


def bake_store(scene: str) -> None:
    """Start the store once as the site will, so that its light is in the cache and nobody waits for it."""
    from catalog.selectors import scene_pack
    from simulator_bridge.pool import scene_folder

    folder = str(scene_folder(scene_pack(scene)))
    command = [sys.executable, "-m", "storefront", "--scene", folder, "--host", "127.0.0.1", "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as store:
        assert store.stdout is not None
        ready = store.stdout.readline()
        store.terminate()
    assert b"listening" in ready


@pytest.fixture(scope="package")
def site(django_db_setup: None, django_db_blocker) -> Iterator[Site]:
    from django.core.management import call_command

    # No test here carries the database marker, so nobody else may have made the tables.
    with django_db_blocker.unblock(), ThreadPoolExecutor(1) as thread:
        thread.submit(call_command, "migrate", verbosity=0).result()
        thread.submit(bake_store, SCENE).result()
    running = Site()
    try:
        running.start()
        yield running
    finally:
        running.stop()


Database = Callable[[Callable[[], Any]], Any]


@pytest.fixture
def database(site: Site, django_db_blocker) -> Iterator[Database]:
    """Runs a function on the site's own rows: without a transaction, or neither would see the other's.

    In a thread of its own, for the browser's driver has an event loop in this one.
    """
    from django.db import connection

    def run(work: Callable[[], Any]) -> Any:
        try:
            return work()
        finally:
            connection.close()

    with django_db_blocker.unblock(), ThreadPoolExecutor(1) as thread:
        yield lambda work: thread.submit(run, work).result()


@pytest.fixture
def study(database: Database) -> Callable[..., str]:
    """Opens a study and gives its slug."""
    from sessions.services.studies import study_create, study_open
    from siturec.protocol.study import StudyConfig

    def opened(**changes: object) -> str:
        return database(lambda: make(changes))

    def make(changes: dict[str, object]) -> str:
        slug = f"browser-{secrets.token_hex(4)}"
        document = {
            "slug": slug,
            "title": "Shopping with assistants",
            "scene": SCENE,
            "assistants": [{"slug": name} for name in ASSISTANTS],
            "tasks": {"sample": 2, "per_participant": 1},
            "quota": 20,
            "min_reply_ms": 0,
            "consent": {"text": "You walk through a store and talk to assistants."},
            "contact": "team@example.org",
        } | changes
        study_open(study=study_create(config=StudyConfig.model_validate(document)))
        return slug

    return opened


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    found = shutil.which("chromium")
    assert found, "Chromium is not installed: apt-get install chromium"
    # Playwright gives every launch a new empty user-data directory.
    launched = playwright.chromium.launch(executable_path=found, args=CHROMIUM_FLAGS)
    yield launched
    launched.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    made.set_default_timeout(20_000)
    yield made
    made.close()


class Visitor:
    """A person at a browser, step by step. ``by`` is what they act with: mouse, keyboard or touch."""

    def __init__(self, page: Page, url: str, by: str = "mouse") -> None:
        self.page, self.url, self.by = page, url, by
        self.problems: list[str] = []
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", lambda told: told.type == "error" and self.problems.append(told.text))

    def press(self, selector: str) -> None:
        """Activate a control the way this person does."""
        control = self.page.locator(selector).first
        control.wait_for()
        if self.by == "keyboard":
            self.tab_to(selector)
            toggles = "input[type=checkbox], input[type=radio]"
            self.page.keyboard.press(
                "Space" if control.evaluate("(it, s) => it.matches(s)", toggles) else "Enter"
            )
        elif self.by == "touch":
            control.tap()
        else:
            control.click()

    def tab_to(self, selector: str) -> None:
        """Reach a control by Tab alone; fails when the keyboard cannot get there."""
        wanted = self.page.locator(selector).first
        for _ in range(160):
            if wanted.evaluate("it => document.activeElement === it"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab never reaches {selector}")

    def write(self, text: str) -> None:
        """Type into the reply box."""
        if self.by == "keyboard":
            self.tab_to("#reply")
            self.page.keyboard.type(text)
        else:
            self.page.locator("#reply").fill(text)

    def overhear(self) -> list[tuple[str, str]]:
        """From now on, everything the server says and is told: (where, text), as it comes."""
        heard: list[tuple[str, str]] = []

        def answered(response: Response) -> None:
            heard.append((f"address of {response.url}", response.url))
            heard.append((f"headers of {response.url}", repr(response.all_headers())))
            kind = response.headers.get("content-type") or ""
            if not kind.startswith("image/") and response.status < 300:
                heard.append((f"body of {response.url}", response.text()))

        def opened(socket: WebSocket) -> None:
            heard.append(("socket's address", socket.url))
            for way in ("framereceived", "framesent"):
                socket.on(way, lambda data, way=way: isinstance(data, str) and heard.append((way, data)))

        self.page.on("response", answered)
        self.page.on("websocket", opened)
        return heard

    def at(self, step: str) -> None:
        """The page shows this step."""
        self.page.wait_for_url(f"**/{step}/")

    def arrive(self, slug: str, query: str = "") -> None:
        """From the study's link to the first task's goal, practice skipped."""
        self.page.goto(f"{self.url}/s/{slug}/{query}")
        self.press("[data-start]")
        self.at("consent")
        self.press("input[name=agree]")
        self.press("button[value=agree]")
        self.at("profile")
        self.press("main form button")
        self.at("how")
        self.press("main form button")
        self.at("goal/1")

    def enter(self) -> None:
        """Into the store, until it is one's turn."""
        self.press("main form button")
        self.page.wait_for_url("**/store/*/")
        self.my_turn()

    def my_turn(self) -> None:
        """Wait until one can act."""
        self.page.locator("[data-send][aria-disabled=false]").wait_for(timeout=60_000)
        self.page.locator("canvas[data-frame]").wait_for()

    def turn(self) -> int:
        """The number of the frame that is shown."""
        return int(self.page.locator("canvas").get_attribute("data-frame") or -1)

    def send(self, text: str = "") -> None:
        """Send the message with the chosen action, and wait for what follows."""
        before = self.turn()
        if text:
            self.write(text)
        if self.by == "keyboard":
            self.page.keyboard.press("Control+Enter")
        else:
            self.press("[data-send]")
        self.page.locator(f"[data-over]:not([hidden]), canvas:not([data-frame='{before}'])").first.wait_for()
        if self.page.locator("[data-over]").is_hidden():
            self.my_turn()

    def pick_something_up(self) -> None:
        """Walk to the first place of the list, and take the first product in reach there."""
        reach = "[data-things] .marker-product ~ .thing-dos button:not([aria-disabled])"
        self.press("[data-seen] summary")
        if self.page.locator(reach).count() == 0:
            self.press("[data-things] .marker-fixture ~ .thing-dos button:not([aria-disabled])")
            self.send("Let us go there.")
        self.press(reach)
        self.send("I take this one.")

    def buy(self) -> None:
        """Take something and put it in the cart; the visit is then over."""
        self.pick_something_up()
        self.press("button[data-tool=add_to_cart]")
        self.send("Yes, this is fine.")
        expect(self.page.locator("[data-over]")).to_be_visible()

    def rate(self, point: int = 4) -> None:
        """Answer every item with the same point and save."""
        names = self.page.locator("[data-item]").evaluate_all("all => all.map(it => it.dataset.item)")
        for name in names:
            if self.by == "keyboard":
                self.tab_to(f"input[name={name}]")
                self.page.keyboard.press("Space")
                for _ in range(point - 1):
                    self.page.keyboard.press("ArrowRight")
            else:
                choice = self.page.locator(f"input[name={name}][value='{point}']")
                choice.tap() if self.by == "touch" else choice.check()
        self.press("main form button:not([type])")


@pytest.fixture
def visitor(context: BrowserContext, site: Site) -> Visitor:
    return Visitor(context.new_page(), site.url)


@pytest.fixture
def phone(browser: Browser, site: Site) -> Iterator[Visitor]:
    """A visitor with a small touch screen."""
    made = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    made.set_default_timeout(20_000)
    yield Visitor(made.new_page(), site.url, by="touch")
    made.close()


@pytest.fixture
def store_link(site: Site, study: Callable[..., str], database: Database) -> Callable[..., str]:
    """Gives the address of a newcomer's first visit to a new study, or one given, by way of the record."""

    def joined(slug: str) -> str:
        from django.utils import timezone

        from sessions.models import Participant, Study
        from sessions.selectors import design_of
        from sessions.services.episodes import episode_goal_read
        from sessions.services.people import participant_consent, participant_join, participant_profile

        person = participant_join(study=Study.objects.get(slug=slug))
        person = participant_consent(participant=person, shown_hash=design_of(person.study).consent.digest)
        participant_profile(participant=person, profile={})
        Participant.objects.filter(pk=person.pk).update(practised_at=timezone.now())
        episode_goal_read(episode=person.episodes.order_by("position")[0])
        return f"{site.url}/p/{person.token}/store/1/"

    def link(slug: str = "", **changes: object) -> str:
        into = slug or study(**({"assistants": [{"slug": "expert"}]} | changes))
        return str(database(lambda: joined(into)))

    return link


@pytest.fixture
def in_store(
    visitor: Visitor, study: Callable[..., str], store_link: Callable[..., str]
) -> Callable[..., None]:
    """Puts the visitor (or several) into a store at their first turn."""

    def enter(*visitors: Visitor, **changes: object) -> None:
        slug = study(**({"assistants": [{"slug": "expert"}]} | changes))
        for one in visitors or (visitor,):
            one.page.goto(store_link(slug))
        for one in visitors or (visitor,):
            one.my_turn()

    return enter
