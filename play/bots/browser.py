"""A bot that clicks: the whole way in Chromium, as a person with a mouse."""

import asyncio
import re
import shutil

from playwright.async_api import Browser, Page, async_playwright
from playwright.async_api import Error as BrowserFailure

from play.bots.brief import Brief
from play.bots.report import BotStuck, Report

# Given once more, this switch replaces the driver's own list: what of that list matters here is said again.
_NOT_NEEDED = (
    "WebUIOmniboxPopup",  # a page of its own behind every window's address bar, and a process for it
    "WebUIOmniboxAimPopup",
    "AimEnabled",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-features=" + ",".join(_NOT_NEEDED),
]
MOST_PAGES, MOST_TURNS, WAIT_MS = 400, 40, 90_000
TAKE = "[data-things] .marker-product ~ .thing-dos button:not([aria-disabled])"
GO = "[data-things] .marker-fixture ~ .thing-dos button:not([aria-disabled])"
SAVE = "main form button:not([type])"
GO_HOME = "[data-things] .marker-area ~ .thing-dos button:not([aria-disabled])"


def chromium_path() -> str:
    """Where Chromium is. Raises: BotStuck saying how to get it."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        raise BotStuck("Chromium is not installed here (Debian: apt install chromium).")
    return found


async def take_part_by_clicking(
    base: str, tokens: list[str], report: Report, *, jobs: int = 1, brief: Brief | None = None
) -> None:
    """Each bot in a fresh context of one browser, at most ``jobs`` at once."""
    gate = asyncio.Semaphore(jobs)

    async def one(browser: Browser, place: int, token: str) -> None:
        async with gate:
            try:
                await _one(browser, f"{base.rstrip('/')}/p/{token}/", report, brief or Brief())
            except (BotStuck, BrowserFailure) as error:
                report.end(f"bot {place}", str(error).splitlines()[0])
            else:
                report.end(f"bot {place}")

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_FLAGS)
        await asyncio.gather(*(one(browser, place, token) for place, token in enumerate(tokens, start=1)))
        await browser.close()


async def _one(browser: Browser, address: str, report: Report, brief: Brief) -> None:
    context = await browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.set_default_timeout(WAIT_MS)
    page = await context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    try:
        await page.goto(address)
        for _ in range(MOST_PAGES):
            if "/done/" in page.url:
                shown = await page.locator("[data-code]").all_inner_texts()
                report.code("".join(shown).strip(), brief.code, page.url)
                break
            await _step(page, report, brief)
        else:
            raise BotStuck("there was always one more page")
        report.expect("browser: no script fails", not faults, "; ".join(faults))
    finally:
        await context.close()


async def _step(page: Page, report: Report, brief: Brief) -> None:
    step = re.search(r"/p/[^/]+/(\w+)/", page.url)
    match step.group(1) if step else "":
        case "consent":
            await page.locator("button[value=agree]").click()
            report.expect("browser: consent asks for the tick", "/consent/" in page.url, page.url)
            await page.goto(page.url.replace("/consent/", "/done/"))
            report.expect("browser: no way past: consent", "/consent/" in page.url, page.url)
            await page.locator("input[name=agree]").check()
            await _leave(page, "button[value=agree]")
        case "profile" | "how" | "goal":
            await _leave(page, "main form button")
        case "store":
            await _shop(page, report)
        case "questionnaire":
            await _rate(page, report, brief)
        case other:
            raise BotStuck(f"no idea what to do at step '{other}' ({page.url})")


async def _rate(page: Page, report: Report, brief: Brief) -> None:
    """Leave one item out first: it must be named, unless the study lets it pass."""
    names = await page.locator("[data-item]").evaluate_all("all => all.map(it => it.dataset.item)")
    left_out = next((name for name in names if name not in brief.checks), "")
    for name in names:
        if name != left_out:
            await _mark(page, name, brief)
    before = page.url
    await page.locator(SAVE).first.click()
    if brief.missing_allowed or not left_out:
        await page.wait_for_url(lambda url: url != before)
        return
    await page.locator("[data-errors]").first.wait_for()
    report.expect("browser: a missing answer is named", page.url == before, page.url)
    await _mark(page, left_out, brief)
    await _leave(page, SAVE)


async def _mark(page: Page, name: str, brief: Brief) -> None:
    scale = page.locator(f"input[name={name}][value='{brief.checks.get(name, '4')}']")
    if await scale.count():
        await scale.check()


async def _leave(page: Page, selector: str) -> None:
    before = page.url
    await page.locator(selector).first.click()
    await page.wait_for_url(lambda url: url != before)


async def _shop(page: Page, report: Report) -> None:
    for _ in range(MOST_TURNS):
        over = page.locator("[data-over]:not([hidden]) a")
        ready = page.locator("[data-send][aria-disabled=false]")
        await over.or_(ready).first.wait_for()
        if await over.count():
            await _leave(page, "[data-over] a")
            return
        await _choose(page)
        before = await page.locator("canvas").get_attribute("data-frame")
        with report.timed("browser: turn"):
            await ready.click()
            changed = page.locator(f"canvas:not([data-frame='{before}'])")
            await over.or_(changed).first.wait_for()
    raise BotStuck("the visit never ended")


async def _choose(page: Page) -> None:
    cart = page.locator("button[data-tool=add_to_cart]:not([aria-disabled=true])")
    if await cart.count() and await cart.first.is_enabled():
        await cart.first.click()
        return
    if await page.locator("[data-seen]").get_attribute("open") is None:
        await page.locator("[data-seen] summary").click()
    for choice in (TAKE, GO, GO_HOME):
        if await page.locator(choice).count():
            await page.locator(choice).first.click()
            return
