"""What axe, the widths and the targets have against the page that is shown."""

from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).parent / "vendor" / "axe-4.14.1.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# What passes is told of by one node a rule only: to describe them all takes most of axe's time.
FAULTS = "tags => axe.run({ runOnly: tags, resultTypes: ['violations'] })"
SMALL = """() => [...document.querySelectorAll(
    "button, summary, select, input:not([type=hidden]), textarea, a.button, .choice, .point")]
  .filter(it => it.offsetParent && !it.matches(".choice input, .point input"))
  // A box in a label is pressed by its label.
  .map(it => it.matches("[type=checkbox], [type=radio]") ? it.closest("label") ?? it : it)
  .map(it => ({ what: it.outerHTML.slice(0, 90), w: it.offsetWidth, h: it.offsetHeight }))
  .filter(it => it.w < 44 || it.h < 44)"""
# Colours change over a moment, and a colour half way is nobody's fault.
PAINTED = """() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
  .then(() => Promise.all(document.getAnimations()
    .filter(it => it.effect.getComputedTiming().iterations !== Infinity)
    .map(it => it.finished.catch(() => 0))))"""
SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


class Findings:
    """Looks at the page that is shown at several sizes; ``found`` is what is wrong with all it has seen."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.found: list[str] = []
        page.context.add_init_script(path=AXE)

    def __call__(self, name: str) -> None:
        for width, height in ((1280, 800), (320, 568), (640, 400)):  # 640 x 400: 1280 x 800 at 200 %
            self.page.set_viewport_size({"width": width, "height": height})
            self.page.evaluate(PAINTED)
            if self.page.evaluate(SIDEWAYS) > 0:
                self.found.append(f"{name} scrolls sideways at {width}")
            self.found.extend(f"{name} at {width}: {small}" for small in self.page.evaluate(SMALL))
            if width == 640:
                continue
            told = self.page.evaluate(FAULTS, TAGS)
            self.found.extend(
                f"{name} at {width}: {rule['id']}: {node['html'][:160]}"
                for rule in told["violations"]
                for node in rule["nodes"][:3]
            )
        self.page.set_viewport_size({"width": 1280, "height": 800})
