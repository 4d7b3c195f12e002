"""Pictures of every page of a participant, and of a researcher's main pages, into docs/screenshots.

Starts a site and a store of its own on free ports, with a database of its own, and takes part once per width
and theme; then people are in the store while the researcher's pages are taken. Needs Chromium.
Usage: python scripts/screenshots.py [--research] [FOLDER]     (--research: one person's way, then these)
"""

import importlib
import io
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "browser"), str(ROOT / "scripts")]
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "siturec_web.settings.test")
os.environ.setdefault("SITUREC_TEST_DIR", tempfile.mkdtemp(prefix="siturec-pictures-"))

import django  # noqa: E402

django.setup()

from django.core.management import call_command  # noqa: E402
from PIL import Image  # noqa: E402
from playwright.sync_api import Browser, Page, sync_playwright  # noqa: E402

# The browser tests' own site and visitor: a picture shows what a test has walked through.
walk: Any = importlib.import_module("conftest")
research: Any = importlib.import_module("screenshots_research")

SCENE = "supermarket"
WIDTHS = {1280: 800, 768: 1024, 360: 740}
THEMES = ("light", "dark")
TALLEST = 1800
CONSENT = """What this is about. We study how people shop with the help of talking assistants in a 3D store.

What you do. You get a shopping goal, walk through the store with one assistant after the other, and answer \
a few questions after each visit.

Your data. What you say and do, and your answers, are kept under a code, not under your name, and used for \
research only. You can have them erased at any time from the pages of the study.

You may stop at any time without giving a reason."""


def open_study() -> str:
    """A study with two assistants and one task; its slug."""
    from sessions.services.studies import study_create, study_open
    from siturec.protocol.study import StudyConfig

    document = {
        "slug": "shopping",
        "title": "Shopping with assistants",
        "scene": SCENE,
        "assistants": [{"slug": "expert"}, {"slug": "plain"}],
        "tasks": {"sample": 2, "per_participant": 1},
        "quota": 20,
        "min_reply_ms": 0,
        "consent": {"text": CONSENT},
        "contact": "team@example.org",
    }
    study_open(study=study_create(config=StudyConfig.model_validate(document)))
    return "shopping"


class Camera:
    """Writes one picture per page into the folder; JPEG, so that a hundred of them stay small."""

    def __init__(self, page: Page, folder: Path, suffix: str) -> None:
        self.page, self.folder, self.suffix = page, folder, suffix

    def take(self, name: str, *, whole: bool = True) -> None:
        """The page as it is now; ``whole`` includes what lies below the fold, to a limit."""
        self.page.wait_for_timeout(250)
        picture = Image.open(io.BytesIO(self.page.screenshot(full_page=whole))).convert("RGB")
        if picture.height > TALLEST:
            picture = picture.crop((0, 0, picture.width, TALLEST))
        picture.save(self.folder / f"{name}-{self.suffix}.jpg", quality=62, optimize=True, progressive=True)


def before_the_store(visitor: Any, camera: Camera, slug: str) -> None:
    """Front door, arrival, consent, profile, instructions, practice, goal."""
    page = visitor.page
    page.goto(f"{visitor.url}/")
    camera.take("home")
    page.goto(f"{visitor.url}/s/{slug}/")
    camera.take("arrival")
    visitor.press("[data-start]")
    visitor.at("consent")
    camera.take("consent")
    visitor.press("input[name=agree]")
    visitor.press("button[value=agree]")
    visitor.at("profile")
    camera.take("profile")
    visitor.press("main form button")
    visitor.at("how")
    camera.take("how")
    page.goto(page.url.replace("/how/", "/practice/"))
    visitor.my_turn()
    camera.take("practice", whole=False)
    visitor.press("[data-skip]")
    visitor.at("goal/1")
    camera.take("goal")


def in_the_store(visitor: Any, camera: Camera) -> None:
    """First view, a menu over the picture, the list, an item in hand, the end."""
    page = visitor.page
    visitor.enter()
    camera.take("store", whole=False)
    visitor.press("button[data-opens=walkMenu]")
    camera.take("store-menu", whole=False)
    page.keyboard.press("Escape")
    visitor.press("[data-open-keys]")
    camera.take("store-keys", whole=False)
    page.keyboard.press("Escape")
    visitor.pick_something_up()
    page.evaluate("scrollTo(0, 0)")
    visitor.press("button[data-tool=add_to_cart]")
    camera.take("store-held", whole=False)
    visitor.send("Yes, that one.")
    page.evaluate("scrollTo(0, 0)")
    camera.take("store-over", whole=False)


def after_the_store(visitor: Any, camera: Camera) -> None:
    """Questionnaire, what is missing, thanks, leaving."""
    visitor.press("[data-over] a")
    visitor.at("questionnaire/1")
    camera.take("questionnaire")
    visitor.press("main form button:not([type])")
    visitor.page.locator("[data-errors]").wait_for()
    camera.take("questionnaire-missing", whole=False)
    visitor.rate()
    visitor.my_turn()
    visitor.buy()
    visitor.press("[data-over] a")
    visitor.at("questionnaire/2")
    visitor.rate()
    visitor.at("done")
    camera.take("done")
    visitor.press("main a[href$='/leave/']")
    visitor.at("leave")
    camera.take("leave")


def one_round(browser: Browser, site: Any, folder: Path, slug: str, width: int, theme: str) -> None:
    """Take part once at this width in this theme."""
    small = width < 600
    context = browser.new_context(
        viewport={"width": width, "height": WIDTHS[width]},
        color_scheme="dark" if theme == "dark" else "light",
        has_touch=small,
        locale="en-GB",
        reduced_motion="reduce",
    )
    context.set_default_timeout(60_000)
    visitor = walk.Visitor(context.new_page(), site.url, by="touch" if small else "mouse")
    camera = Camera(visitor.page, folder, f"{width}-{theme}")
    before_the_store(visitor, camera, slug)
    in_the_store(visitor, camera)
    after_the_store(visitor, camera)
    context.close()


@contextmanager
def running_site() -> Iterator[Any]:
    """A site with a database of its own."""
    call_command("migrate", verbosity=0)
    walk.bake_store(SCENE)
    site = walk.Site()
    site.start()
    try:
        yield site
    finally:
        site.stop()


def a_visitor(browser: Browser, site: Any) -> Any:
    """Somebody in a browser of their own."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.set_default_timeout(60_000)
    return walk.Visitor(context.new_page(), site.url)


def main() -> None:
    """Every width in every theme, then the researcher's pages."""
    import shutil

    only_research = "--research" in sys.argv
    folders = [given for given in sys.argv[1:] if not given.startswith("-")]
    folder = Path(folders[0]) if folders else ROOT / "docs" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("Chromium is not installed: apt-get install chromium")
    with running_site() as site:
        slug = open_study()
        research.make_team()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=walk.CHROMIUM_FLAGS)
            for width in WIDTHS if not only_research else (1280,):
                for theme in THEMES if not only_research else ("light",):
                    one_round(browser, site, folder, slug, width, theme)
            research.research_round(
                browser,
                site.url,
                slug,
                lambda: a_visitor(browser, site),
                lambda page, name, look: Camera(page, folder, look).take(name),
            )
            browser.close()


if __name__ == "__main__":
    main()
