"""One bot's way from consent to completion code, through the same pages as a person's."""

import asyncio
import random
from collections.abc import Sequence

import httpx

from play.bots.brief import Brief
from play.bots.pages import Form, Page, Pages
from play.bots.report import BotStuck, Report
from play.bots.shop import Shopper

MOST_PAGES = 400
SAME_ANSWER_AT_ONCE = 5


class Bot:
    """Takes part once, under the link of ``token``."""

    def __init__(
        self, base: str, token: str, *, seed: int, report: Report, brief: Brief | None = None
    ) -> None:
        self._brief = brief or Brief()
        self._base, self._token, self._report = base.rstrip("/"), token, report
        self._rng = random.Random(seed)  # noqa: S311  (a bot's whims, not a secret)
        self._pages = Pages(self._base)

    async def take_part(self) -> str:
        """Go through every step; returns the completion code. Raises: BotStuck."""
        try:
            page = await self._pages.get(f"/p/{self._token}/")
            for _ in range(MOST_PAGES):
                if page.step == "done":
                    self._report.code(page.code, self._brief.code, page.path)
                    return page.code
                page = await self._step(page)
        except (httpx.HTTPError, TimeoutError) as error:
            raise BotStuck(f"{type(error).__name__}: {error}") from error
        finally:
            await self._pages.close()
        raise BotStuck("there was always one more page")

    async def _step(self, page: Page) -> Page:
        steps = {
            "consent": self._consent,
            "profile": self._profile,
            "how": self._plain,
            "goal": self._plain,
            "store": self._store,
            "questionnaire": self._questionnaire,
        }
        if page.step not in steps:
            raise BotStuck(f"no idea what to do at {page.path} (status {page.status})")
        return await steps[page.step](page)

    async def _ahead(self, page: Page) -> None:
        """Another step's address leads back to the step one is at."""
        jumped = await self._pages.get(f"/p/{self._token}/done/")
        self._report.expect(f"no way past: {page.step}", jumped.step == page.step, jumped.path)

    async def _consent(self, page: Page) -> Page:
        form = page.form("agree")
        agree = form.fields | {"choice": "agree"}
        stayed = await self._pages.post(page.path, agree)
        self._report.expect("consent refuses: not ticked", stayed.step == "consent", stayed.path)
        other = agree | {"agree": form.boxes["agree"], "shown": "0" * 64}
        stayed = await self._pages.post(page.path, other)
        self._report.expect("consent refuses: another text", stayed.step == "consent", stayed.path)
        await self._ahead(page)
        return await self._pages.post(page.path, agree | {"agree": form.boxes["agree"]})

    async def _profile(self, page: Page) -> Page:
        form = page.form()
        answers = _answers(form, self._rng)
        first = next((name for name in form.fields if name != "csrfmiddlewaretoken"), "")
        if first:
            stayed = await self._pages.post(page.path, answers | {first: "no such choice"})
            self._report.expect("profile refuses: unknown choice", stayed.step == "profile", stayed.path)
        return await self._pages.post(page.path, answers)

    async def _plain(self, page: Page) -> Page:
        return await self._pages.post(page.path, page.form().fields)

    async def _store(self, page: Page) -> Page:
        await self._ahead(page)
        with self._report.timed("visit"):
            shopper = Shopper(self._base, self._token, self._pages.cookies, self._rng, self._report)
            await shopper.shop()
        landed = await self._pages.get(f"/p/{self._token}/")
        if landed.path == page.path:
            raise BotStuck(f"the visit is over, but {page.path} is still the step")
        return landed

    async def _questionnaire(self, page: Page) -> Page:
        form = page.form("client_id")
        right = {name: value for name, value in self._brief.checks.items() if name in form.radios}
        answers = _answers(form, self._rng) | right
        if form.radios:
            left_out = next((name for name in form.radios if name not in right), next(iter(form.radios)))
            some = {name: value for name, value in answers.items() if name != left_out}
            stayed = await self._pages.post(page.path, some)
            taken = stayed.path != page.path
            self._report.expect(
                "questionnaire: one item left out is as the study says",
                taken == self._brief.missing_allowed,
                f"left out {left_out}, landed at {stayed.path}",
            )
            if taken:
                return stayed
        sent = [self._pages.post(page.path, answers) for _ in range(SAME_ANSWER_AT_ONCE)]
        landed = await asyncio.gather(*sent)
        alike = all(one.status == 200 for one in landed)
        self._report.expect(
            "questionnaire: five times at once is once", alike, str([o.status for o in landed])
        )
        return await self._pages.get(f"/p/{self._token}/")


def _answers(form: Form, rng: random.Random) -> dict[str, str]:
    """Every field as it stands, and some choice for every scale."""
    return form.fields | {name: rng.choice(points) for name, points in form.radios.items()}


async def walk(bots: Sequence[Bot], report: Report, *, jobs: int) -> None:
    """Let all take part, at most ``jobs`` at once; who cannot go on is in the report."""
    gate = asyncio.Semaphore(jobs)

    async def one(place: int, bot: Bot) -> None:
        async with gate:
            try:
                await bot.take_part()
            except BotStuck as error:
                report.end(f"bot {place}", str(error))
            else:
                report.end(f"bot {place}")

    await asyncio.gather(*(one(place, bot) for place, bot in enumerate(bots, start=1)))
