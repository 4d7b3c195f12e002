"""The answers that say no, in the description of the API: every read endpoint has the same."""

from typing import Any

DETAIL = {"type": "object", "properties": {"detail": {"type": "string"}}, "required": ["detail"]}
WORDS = {"type": "array", "items": {"type": "string"}}
SCHEMAS = {
    "Refusal": DETAIL,
    "WrongQuery": {"oneOf": [WORDS, {"type": "object", "additionalProperties": WORDS}]},
}
ANSWERS = {
    "400": ("WrongQuery", "A filter's or field's value makes no sense; by name, or as a list of sentences."),
    "401": ("Refusal", "No valid token or session."),
    "403": ("Refusal", "Not allowed."),
    "404": ("Refusal", "There is no such thing, or you have no role in its study; or no such page."),
}


def describe_faults(result: dict[str, Any], **context: Any) -> dict[str, Any]:
    """Add them to every GET, and to a POST what a wrong form is told; drf-spectacular calls it last."""
    result["components"].setdefault("schemas", {}).update(SCHEMAS)
    for operations in result["paths"].values():
        for code, (name, words) in ANSWERS.items():
            body = {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}
            # What is posted can be wrong, or come from another site's page; no study is behind it yet.
            methods = ("get", "post") if code in ("400", "403") else ("get",)
            for method in methods:
                if method in operations:
                    answer = {"description": words, "content": body}
                    operations[method]["responses"].setdefault(code, answer)
    return result
