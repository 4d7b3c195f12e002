"""The participant's pages as a bot reads them: the forms in them, sent back as a browser would."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

import httpx

from play.bots.report import BotStuck


@dataclass
class Form:
    """One form: its fields with their present values, and the choices of radios, boxes and buttons."""

    method: str = "get"
    fields: dict[str, str] = field(default_factory=dict)
    radios: dict[str, list[str]] = field(default_factory=dict)
    boxes: dict[str, str] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.code = ""
        self._in: str = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(Form(method=given.get("method", "get").lower()))
        elif tag in ("input", "textarea", "select", "button") and self.forms:
            _add(self.forms[-1], tag, given)
        self._in = "code" if "data-code" in given else self._in

    def handle_data(self, data: str) -> None:
        if self._in == "code" and data.strip():
            self.code, self._in = data.strip(), ""


def _add(form: Form, tag: str, given: dict[str, str]) -> None:
    name, value, kind = given.get("name", ""), given.get("value", ""), given.get("type", "text")
    if not name:
        return
    if tag == "button":
        form.buttons.append((name, value))
    elif kind == "radio":
        form.radios.setdefault(name, []).append(value)
    elif kind == "checkbox":
        form.boxes[name] = value or "on"
    else:
        form.fields[name] = value


@dataclass
class Page:
    """An answer: where the redirects led, its status, its forms, and the completion code if it shows one."""

    path: str
    status: int
    forms: list[Form]
    code: str

    @property
    def step(self) -> str:
        """The step in the address, such as ``consent`` or ``questionnaire``."""
        parts = self.path.strip("/").split("/")
        return parts[2] if len(parts) > 2 else ""

    def form(self, field_name: str = "") -> Form:
        """The form that has a field (by default the first that is posted). Raises: BotStuck."""
        for form in self.forms:
            named = form.fields | form.radios | form.boxes | dict(form.buttons)
            if form.method == "post" and "language" not in named and (not field_name or field_name in named):
                return form
        raise BotStuck(f"{self.path} (status {self.status}) has no form with '{field_name}'")


class Pages:
    """A browser without a screen: keeps cookies, follows redirects, posts forms."""

    def __init__(self, base: str, *, timeout_s: float = 60.0) -> None:
        self.base = base.rstrip("/")
        self._http = httpx.AsyncClient(base_url=self.base, timeout=timeout_s, follow_redirects=True)

    @property
    def cookies(self) -> str:
        """The cookie header a socket would send."""
        return "; ".join(f"{name}={value}" for name, value in self._http.cookies.items())

    async def get(self, path: str) -> Page:
        """Open an address."""
        return _page(await self._http.get(path))

    async def post(self, path: str, data: dict[str, str]) -> Page:
        """Send a form."""
        return _page(await self._http.post(path, data=data, headers={"Referer": f"{self.base}{path}"}))

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()


def _page(answer: httpx.Response) -> Page:
    reader = _Reader()
    if "html" in answer.headers.get("content-type", ""):
        reader.feed(answer.text)
    return Page(path=answer.url.path, status=answer.status_code, forms=reader.forms, code=reader.code)
