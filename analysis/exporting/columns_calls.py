"""The columns of the two tables about language models: how answers turned out, and every call."""

from agents.call_summary import FAILURES
from analysis.exporting.column import Column

_ASKED = (
    Column("model", "text", "the model's name here"),
    Column("role", "text", "assistant, user, moderator, judge or judge_frames"),
    Column("prompt_version", "text", "files, versions and hash of the prompt"),
    Column("answered_by", "text", "the model that was asked last: the model's own, or its fallback's"),
)
MODEL_CALLS = (
    *_ASKED,
    Column("calls", "integer", "all calls, also for replies that were asked about again"),
    Column("answers", "integer", "answers: calls less the replies that were asked about again"),
    Column("answered", "integer", "answers whose first reply could be read"),
    Column("repaired", "integer", "answers dug out of other text, or asked for once more"),
    Column("missing", "integer", "answers that could not be read twice; never scored"),
    Column("failed", "integer", "answers that never came, by kind in the next columns"),
    *(Column(f"failed_{kind}", "integer", f"of them: {kind.replace('_', ' ')}") for kind in FAILURES),
    Column("median_s", "number", "median time of a call, waiting and retries included", "s"),
    Column("tokens_in", "integer", "tokens sent, as far as providers tell", "tokens"),
    Column("tokens_out", "integer", "tokens received, as far as providers tell", "tokens"),
    Column("cost_usd", "number", "cost of the calls that have a price", "US$"),
    Column("unpriced", "integer", "calls without a price"),
)
CALLS = (
    Column("id", "text", "the call's id; turns name it in their notes"),
    *_ASKED,
    Column("episode", "text", "the episode's public id"),
    Column("turn", "integer", "the turn, from 0; empty for a judge's"),
    Column("started_at", "time", "when it began", "ISO 8601, UTC"),
    Column("duration_s", "number", "how long it took, waiting and retries included", "s"),
    Column("outcome", "text", "answered, repaired, missing or failed"),
    Column("failure", "text", "the kind of failure; empty where none"),
    Column("asked_again", "flag", "whether the reply could not be used and was asked about again"),
    Column(
        "attempts",
        "text",
        "requests that did not simply succeed, and the seconds waited after each, as JSON",
    ),
    Column("images", "integer", "pictures sent"),
    Column("tokens_in", "integer", "tokens sent, as the provider counts them", "tokens"),
    Column("tokens_out", "integer", "tokens received, as the provider counts them", "tokens"),
    Column("cost_usd", "number", "the call's cost, where it has a price", "US$"),
    Column("prompt_sha256", "text", "hash of what was sent; the words stay here"),
    Column("prompt_bytes", "integer", "its length", "bytes"),
    Column("reply_sha256", "text", "hash of the reply; the words stay here"),
    Column("reply_chars", "integer", "its length", "characters"),
)
