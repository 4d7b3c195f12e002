"""A bot that clicks: the whole way in Chromium, as a person with a mouse."""

import re
import shutil

from playwright.async_api import Browser, Page, async_playwright
from playwright.async_api import Error as BrowserFailure

from play.bots.report import BotStuck, Report

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
MOST_PAGES, MOST_TURNS, WAIT_MS = 400, 40, 90_000
TAKE = "[data-things] .marker-product ~ .thing-dos button:not([aria-disabled])"
GO = "[data-things] .marker-fixture ~ .thing-dos button:not([aria-disabled])"
GO_HOME = "[data-things] .marker-area ~ .thing-dos button:not([aria-disabled])"


def chromium_path() -> str:
    """Where Chromium is. Raises: BotStuck saying how to get it."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        raise BotStuck("Chromium is not installed here (Debian: apt install chromium).")
    return found


async def take_part_by_clicking(
    base: str, tokens: list[str], report: Report, *, code: str | None = None
) -> None:
    """One bot after another in a fresh browser context each; ``code`` as for ``Bot``."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        for token in tokens:
            try:
                await _one(browser, f"{base.rstrip('/')}/p/{token}/", report, code)
            except (BotStuck, BrowserFailure) as error:
                report.crashed.append(f"{token[:6]}…: {str(error).splitlines()[0]}")
        await browser.close()


async def _one(browser: Browser, address: str, report: Report, code: str | None) -> None:
    context = await browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(WAIT_MS)
    page = await context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    try:
        await page.goto(address)
        for _ in range(MOST_PAGES):
            if "/done/" in page.url:
                shown = await page.locator("[data-code]").all_inner_texts()
                report.code("".join(shown).strip(), code, page.url)
                report.finished += 1
                break
            await _step(page, report)
        report.expect("browser: no script fails", not faults, "; ".join(faults))
    finally:
        await context.close()


async def _step(page: Page, report: Report) -> None:
    step = re.search(r"/p/[^/]+/(\w+)/", page.url)
    match step.group(1) if step else "":
        case "consent":
            await page.locator("button[value=agree]").click()
            report.expect("browser: consent asks for the tick", "/consent/" in page.url, page.url)
            await page.locator("input[name=agree]").check()
            await _leave(page, "button[value=agree]")
        case "profile" | "how" | "goal":
            await _leave(page, "main form button")
        case "store":
            await _shop(page, report)
        case "questionnaire":
            for name in await page.locator("[data-item]").evaluate_all(
                "all => all.map(it => it.dataset.item)"
            ):
                scale = page.locator(f"input[name={name}][value='4']")
                if await scale.count():
                    await scale.check()
            await _leave(page, "main form button:not([type])")
        case other:
            raise BotStuck(f"no idea what to do at step '{other}' ({page.url})")


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
