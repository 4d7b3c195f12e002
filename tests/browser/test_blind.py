"""Nothing that reaches a participant tells which assistant a letter stands for."""

import re

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.daphne, pytest.mark.store]
SLUGS = ("capable", "hasty")
NAMES = re.compile(r"\b(capable|hasty|expert|scripted|litellm|gpt|claude|gemini)\b", re.IGNORECASE)


def test_no_page_message_header_or_asset_names_an_assistant(visitor, study):
    """A whole session is listened to: every address, header and body, every socket message both ways."""
    heard: list[tuple[str, str]] = []
    page = visitor.page

    def answered(response):
        heard.append((f"address of {response.url}", response.url))
        heard.append((f"headers of {response.url}", repr(response.all_headers())))
        if not (response.headers.get("content-type") or "").startswith("image/") and response.status < 300:
            heard.append((f"body of {response.url}", response.text()))

    def opened(socket):
        heard.append(("socket's address", socket.url))
        for way in ("framereceived", "framesent"):
            socket.on(way, lambda data, way=way: isinstance(data, str) and heard.append((way, data)))

    page.on("response", answered)
    page.on("websocket", opened)
    visitor.arrive(study(assistants=[{"slug": slug} for slug in SLUGS], limits={"turns": 2}))
    for number in (1, 2):
        visitor.press("main form button") if number == 1 else None
        visitor.my_turn()
        visitor.send("hello")
        visitor.send("goodbye")
        page.request.get(page.url.split("/store/")[0] + "/state/")
        visitor.press("[data-over] a")
        visitor.at(f"questionnaire/{number}")
        visitor.rate()
    visitor.at("done")
    page.goto(page.url.replace("/done/", "/leave/"))
    assert {"framereceived", "framesent"} <= {where for where, _ in heard}
    assert len(heard) > 100
    leaks = {(where, found.group()) for where, text in heard for found in [NAMES.search(text)] if found}
    assert leaks == set()
