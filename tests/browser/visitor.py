"""A person at a browser, step by step."""

from playwright.sync_api import (
    Page,
    Response,
    WebSocket,
    expect,
)


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

    def arrive(self, slug: str, query: str = "", *, practise: bool = False) -> None:
        """From the study's link to the first task's goal, practice skipped; or into the practice."""
        self.page.goto(f"{self.url}/s/{slug}/{query}")
        self.press("[data-start]")
        self.at("consent")
        self.press("input[name=agree]")
        self.press("button[value=agree]")
        self.at("profile")
        self.press("main form button")
        self.at("how")
        if practise:
            self.press("main a.button-primary")
            self.my_turn()
            return
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
        over, turn = "[data-over]:not([hidden])", "[data-send][aria-disabled=false]"
        self.page.locator(f"{over}, canvas:not([data-frame='{before}'])").first.wait_for()
        # A last view is on the screen a moment before the page says that it was the last.
        self.page.locator(f"{over}, {turn}").first.wait_for(timeout=60_000)

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
