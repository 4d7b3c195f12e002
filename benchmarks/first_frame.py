"""From arrival at a store to its first frame on the screen, as a person meets it.

    python -m benchmarks.first_frame [--scene supermarket] [--people 8]

A real site (Daphne, SQLite, the embedded store) and a real Chromium, with nothing of an earlier visit kept.
The clock is the page's, from the navigation to the paint of the first frame. The first visit also starts the
store's process, as after a restart of the site; the others find it running.
"""

import argparse
import shutil
import signal
import statistics
import sys

from playwright.sync_api import Browser, sync_playwright

from benchmarks.browser_latency import people, setup, site
from play.bots.browser import CHROMIUM_FLAGS

BAR_MS = 2000.0
PROBE = """
addEventListener("DOMContentLoaded", () => {
  const canvas = document.querySelector("[data-store] canvas");
  if (!canvas) return;
  new MutationObserver((_, observer) => {
    observer.disconnect();
    requestAnimationFrame(() =>
      requestAnimationFrame(() => (document.documentElement.dataset.firstFrame = performance.now()))
    );
  }).observe(canvas, { attributeFilter: ["data-frame"] });
});
"""


def arrival_ms(browser: Browser, address: str) -> float:
    """Go there in a browser that was never here; milliseconds until the first frame was painted."""
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.set_default_timeout(240_000)
    page.add_init_script(PROBE)
    page.goto(address)
    taken = float(page.locator("html[data-first-frame]").get_attribute("data-first-frame") or "nan")
    page.context.close()
    return taken


def main() -> None:
    """Arrive, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scene", default="supermarket")
    parser.add_argument("--people", type=int, default=8, help="who arrive after the first, one after another")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the site ends with this in every case
    environment = setup()
    tokens = people(args.scene, args.people + 1)
    with site(environment) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM_FLAGS)
        cold, *warm = [arrival_ms(browser, f"{url}/p/{token}/store/1/") for token in tokens]
        browser.close()
    print(f"arrival to first frame, the store still to be started: {cold:.0f} ms")
    middle, most = statistics.median(warm), max(warm)
    bar = f"bar {BAR_MS:.0f}, {'met' if most <= BAR_MS else 'MISSED'}"
    print(f"arrival to first frame: p50 {middle:.0f} ms, most {most:.0f} ms (n={len(warm)}; {bar})")


if __name__ == "__main__":
    main()
