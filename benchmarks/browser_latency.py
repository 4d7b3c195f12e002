"""Action to marked frame as a person meets it: from the key that sends to the new frame on the screen.

    python -m benchmarks.browser_latency [--scene supermarket] [--turns 60]

A real site (Daphne, SQLite, the embedded store) and a real Chromium. Actions are sent by Ctrl+Enter and by a
click on *Send*, in turn. The clock is the page's: it starts at the time stamp of the event that sends, and
stops when the frame of the next turn has been drawn and the browser has painted it. The assistant is a
scripted one, so there is no model time in it. What a walk, a turn or a look itself takes is the pace people
move at and no latency: for those, the time beyond the motion is given.
"""

import argparse
import contextlib
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from play.bots.browser import CHROMIUM_FLAGS

ROOT = Path(__file__).resolve().parent.parent
BAR_MS, WARM_UP, WALK_MPS = 120.0, 4, 1.4
KEYS = "x", "f", "x", "d", "x", "w", "x", "r", "x", "a", "x", "s"
"""Keys of the page: stay, and between that look down, turn, walk ahead, look up, turn, step back."""
PROBE = """
addEventListener("DOMContentLoaded", () => {
  const canvas = document.querySelector("[data-store] canvas");
  if (!canvas) return;
  const probe = (window.probe = {});
  const start = ({ timeStamp: sent }) => {
    // `whole` is a promise and not polled for: the page's policy forbids what polling evaluates.
    const whole = new Promise((told) => {
      probe.done = () => told({ marks: probe.marks, painted: probe.painted });
    });
    Object.assign(probe, { sent, marks: [], painted: null, whole });
  };
  addEventListener("keydown", (event) => event.ctrlKey && event.key === "Enter" && start(event), true);
  addEventListener("click", (event) => event.target.closest("[data-send]") && start(event), true);
  const afterPaint = (run) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => run(performance.now());
    channel.port2.postMessage(0);
  });
  new MutationObserver(() => {
    const sent = probe.sent;
    afterPaint((now) => {
      if (sent !== probe.sent) return;
      probe.painted = now - sent;
      probe.done();
    });
  }).observe(canvas, { attributeFilter: ["data-frame"] });
});
const Plain = WebSocket;
window.WebSocket = class extends Plain {
  constructor(url) {
    super(url);
    this.addEventListener("message", ({ data }) => {
      const told = typeof data === "string" ? JSON.parse(data) : null;
      const name = told ? told.phase ?? told.type : "picture " + new DataView(data).getUint8(0);
      window.probe?.marks?.push([name, performance.now() - window.probe.sent]);
    });
  }
};
"""


def setup() -> dict[str, str]:
    """A database of this benchmark's own; the environment of processes that use it too."""
    var, kept = Path(tempfile.mkdtemp(prefix="siturec-latency-")), ROOT / "var" / "cache" / "storefront"
    kept.mkdir(parents=True, exist_ok=True)
    (var / "storefront").symlink_to(kept)  # baked light and compiled kernels serve the next run too
    os.environ["SITUREC_VAR"] = str(var)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "siturec_web.settings.dev")
    os.environ.setdefault("LOG_LEVEL", "WARNING")
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    return dict(os.environ)


def people(scene: str, count: int = 1) -> list[str]:
    """A study with long visits, and people who have just read their goal; their links' tokens."""
    from django.utils import timezone

    from sessions.models import Participant
    from sessions.selectors import design_of
    from sessions.services.episodes import episode_goal_read
    from sessions.services.people import participant_consent, participant_join, participant_profile
    from sessions.services.studies import study_create, study_open
    from siturec.protocol.study import StudyConfig

    design = {
        "slug": "latency",
        "title": "Latency",
        "scene": scene,
        "assistants": [{"slug": "expert"}],
        "tasks": {"sample": 1, "per_participant": 1},
        "limits": {"turns": 100, "recommendations": 100, "stalls": 100},
        "min_reply_ms": 0,
        "quota": count,
        "consent": {"text": "You walk through a store."},
        "contact": "team@example.org",
    }
    study = study_open(study=study_create(config=StudyConfig.model_validate(design)))
    tokens = []
    for _ in range(count):
        one = participant_join(study=study)
        one = participant_consent(participant=one, shown_hash=design_of(one.study).consent.digest)
        participant_profile(participant=one, profile={})
        Participant.objects.filter(pk=one.pk).update(practised_at=timezone.now())
        episode_goal_read(episode=one.episodes.order_by("position")[0])
        tokens.append(str(one.token))
    return tokens


@contextlib.contextmanager
def site(environment: dict[str, str]) -> Iterator[str]:
    """The site on a free port, until the block ends."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, start_new_session=True, stdout=subprocess.DEVNULL
    )
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            with contextlib.suppress(OSError), contextlib.suppress(urllib.error.HTTPError):
                urllib.request.urlopen(f"{url}/p/words.js", timeout=5).close()
                break
            time.sleep(0.2)
        yield url
    finally:
        os.killpg(process.pid, signal.SIGINT)
        process.wait(20)


def act(page: Page, key: str, *, by_click: bool) -> dict[str, object]:
    """Choose an action by its key, send it, and wait for the next turn; what the page's clock says."""
    before = page.locator("canvas").get_attribute("data-frame")
    page.keyboard.press(key)
    if by_click:
        page.locator("[data-send]").click()
    else:
        page.keyboard.press("Control+Enter")
    page.locator(f"canvas:not([data-frame='{before}'])").wait_for()
    seen: dict[str, object] = page.evaluate("window.probe.whole")
    page.locator("[data-send][aria-disabled=false]").wait_for()
    return seen


def p95(values: list[float]) -> float:
    """The 95th percentile, as an observed value."""
    return sorted(values)[min(int(0.95 * len(values)), len(values) - 1)]


def said(name: str, values: list[float]) -> None:
    """One line of the report."""
    middle, high = statistics.median(values), p95(values)
    print(f"{name}: p50 {middle:.0f} ms, p95 {high:.0f} ms (n={len(values)}; bar p95 {BAR_MS:.0f})")


def motion_ms(turn: int) -> float | None:
    """How long a turn's motion lasts by itself: the store's paces for eyes and body, the scene's for feet.

    None for a walk that met something: whoever slides along it walks as long and gets less far.
    """
    from sessions.models import Turn
    from simulator_bridge.motion import LONGEST_WALK_S
    from storefront.shopper_body import LOOK_RATE, TURN_RATE

    user = Turn.objects.get(index=turn).user
    resolved, went_m = user["tool_call"]["resolved"], user["outcome"]["displacement_m"]
    rate = LOOK_RATE if user["tool_call"]["tool"] == "look_up_down" else TURN_RATE
    if went_m < (resolved.get("distance") or 0.0) - 0.05:
        return None
    turned_s = (resolved.get("angle_deg") or resolved.get("angle") or 0.0) / rate
    return 1e3 * (turned_s + min(went_m / WALK_MPS, LONGEST_WALK_S))


def steps(rounds: list[dict[str, object]]) -> None:
    """Where the time goes, by what the page hears of."""
    times: dict[str, list[float]] = defaultdict(list)
    for one in rounds:
        for name, at in dict(reversed(one["marks"])).items():  # type: ignore[call-overload]
            times[name].append(at)
    ordered = sorted(times.items(), key=lambda item: statistics.median(item[1]))
    told = ", ".join(f"{name} {statistics.median(at):.0f}" for name, at in ordered)
    print(f"  heard first, ms after sending (p50): {told}")


def main() -> None:
    """Play, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scene", default="supermarket")
    parser.add_argument("--turns", type=int, default=60, help="at most 96")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the site ends with this in every case
    environment = setup()
    (token,) = people(args.scene)
    with site(environment) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM_FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(240_000)
        page.add_init_script(PROBE)
        page.goto(f"{url}/p/{token}/store/1/")
        page.locator("[data-send][aria-disabled=false]").wait_for()
        rounds = [act(page, key, by_click=turn % 4 < 2) for turn, key in zip(range(args.turns), cycle(KEYS))]
        with ThreadPoolExecutor(1) as thread:  # the browser's driver has an event loop in this one
            lasted = list(thread.map(motion_ms, range(args.turns)))
        browser.close()
    both = [(one, motion) for one, motion in zip(rounds, lasted, strict=True) if motion is not None][WARM_UP:]
    still = [one for one, motion in both if motion == 0.0]
    said("sent to marked frame painted, staying", [one["painted"] for one in still])
    steps(still)
    beyond = [one["painted"] - motion for one, motion in both if motion > 0.0]
    said("sent to marked frame painted, moving, beyond the motion itself", beyond)
    steps([one for one, motion in both if motion > 0.0])


if __name__ == "__main__":
    main()
