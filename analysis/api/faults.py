"""The answers that say no, in the description of the API: every read endpoint has the same."""

from typing import Any

DETAIL = {"type": "object", "properties": {"detail": {"type": "string"}}, "required": ["detail"]}
WORDS = {"type": "array", "items": {"type": "string"}}
SCHEMAS = {
    "Refusal": DETAIL,
    "WrongQuery": {"oneOf": [WORDS, {"type": "object", "additionalProperties": WORDS}]},
}
ANSWERS = {
    "400": ("WrongQuery", "A filter's value makes no sense; by filter, or as a list of sentences."),
    "401": ("Refusal", "No valid token or session."),
    "403": ("Refusal", "Not allowed."),
    "404": ("Refusal", "There is no such thing, or you have no role in its study; or no such page."),
}


def describe_faults(result: dict[str, Any], **context: Any) -> dict[str, Any]:
    """Add them to every GET; called by drf-spectacular once the rest is described."""
    result["components"].setdefault("schemas", {}).update(SCHEMAS)
    for operations in result["paths"].values():
        for code, (name, words) in ANSWERS.items():
            body = {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}
            if "get" in operations:
                answer = {"description": words, "content": body}
                operations["get"]["responses"].setdefault(code, answer)
    return result
