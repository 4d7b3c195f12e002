"""The columns of every exported table and what they mean: the codebook is made from here."""

from analysis.exporting.column import Column
from analysis.exporting.columns_calls import CALLS, MODEL_CALLS
from siturec.metrics.registry import INDEX, OUTCOME, QUANTITIES
from siturec.protocol.vocabulary import DIMENSIONS

_ID = Column("episode_id", "text", "the episode's public id")
_PERSON = Column("participant", "text", "the participant's code; empty for simulated users")
_ASSISTANT = Column("assistant", "text", "the assistant's slug")
_EPISODE = (
    _ID,
    Column("study", "text", "the study's slug"),
    Column("study_version", "integer", "the version of the design in force"),
    Column("user_kind", "text", "human or simulated"),
    _PERSON,
    Column("participant_state", "text", "active, done, screened_out, returned, abandoned or excluded"),
    Column("user_policy", "text", "which simulated user; empty for people"),
    _ASSISTANT,
    Column("letter", "text", "the letter under which the participant knew it"),
    Column("position", "integer", "place in the participant's or run's order, from 0"),
    Column("scene", "text", "the scene's slug"),
    Column("scene_version", "text", "the scene pack's version"),
    Column("condition", "text", "full, no_ego_view or no_ego_view_no_caption"),
    Column("profile_id", "text", "the shopper's profile"),
    Column("task_id", "text", "the task"),
)
WIDE = (
    *_EPISODE,
    Column("started_at", "time", "when the first observation was made", "ISO 8601, UTC"),
    Column("ended_at", "time", "when the end was recorded", "ISO 8601, UTC"),
    Column("end_reason", "text", "why it ended; abandoned and technical_failure are kept out of metrics"),
    Column("in_metrics", "flag", "whether the episode counts in any metric"),
    Column("turns", "integer", "distinct recorded turns", "turns"),
    Column("final_cart", "text", "product ids bought, separated by blanks"),
    Column("reference_items", "text", "the task's reference items, separated by blanks"),
    *(Column(q.key, "number", q.meaning + " (this episode)", q.unit) for q in OUTCOME),
    *(
        Column(f"{rater}.{name}", "integer", f"{name.replace('_', ' ')} by the {rater}, if given", "1 to 5")
        for rater in ("questionnaire", "judge")
        for name in DIMENSIONS
    ),
    Column("judge", "text", "whose scores the judge.* columns hold: a judge's name and what it is"),
    Column("assistant_version", "text", "the assistant's: model, settings and prompt, or scripted rules"),
    Column("user_version", "text", "version of the simulated user; empty for people"),
    Column("moderator_version", "text", "version of the moderator; empty where it was never asked"),
    Column("judge_version", "text", "version of the judge whose scores are given"),
    Column("scoring_version", "text", "the rules that made the metrics"),
)  # fmt: skip
LONG = (
    *_EPISODE,
    Column("source", "text", "metric, questionnaire or judge"),
    Column("measure", "text", "a metric or one of the seven dimensions"),
    Column("value", "number", "the value, in the measure's unit"),
    Column("unit", "text", "the unit"),
    Column("judge", "text", "where the source is a judge: its name and what it is"),
)
TURNS = (
    _ID,
    _PERSON,
    _ASSISTANT,
    Column("turn", "integer", "the turn's number, from 0"),
    Column("utterance", "text", "what the assistant said"),
    Column("act", "text", "the assistant's hidden annotation"),
    Column("navigation_goal", "text", "where it wanted to lead, as an entity"),
    Column("expected_tool", "text", "the tool it expected the user to use"),
    Column("expected_target", "text", "the entity it expected"),
    Column("ranking", "text", "its ranked product ids, best first, separated by blanks"),
    Column("reply", "text", "what the user said; empty is silence"),
    Column("tool", "text", "the tool the user used"),
    Column("target", "text", "the entity it was used on"),
    Column("ok", "flag", "whether the action was carried out"),
    Column("displacement_m", "number", "how far the user moved", "m"),
)
EVENTS = (
    Column("at", "time", "when it was recorded", "ISO 8601, UTC"),
    Column("participant", "text", "the participant's code; empty where none was involved"),
    Column("episode_id", "text", "the episode's public id; empty where none was involved"),
    Column("turn", "integer", "the turn; empty outside of turns"),
    Column("seq", "integer", "the number of the message that told of it; 0: none"),
    Column("kind", "text", "what happened"),
    Column("payload", "text", "details as JSON, without anything that names a person"),
)
TABLES: dict[str, tuple[Column, ...]] = {
    "wide": WIDE,
    "long": LONG,
    "turns": TURNS,
    "events": EVENTS,
    "model_calls": MODEL_CALLS,
    "calls": CALLS,
}
TITLES = {
    "wide": "one row per episode",
    "long": "one row per episode and measure",
    "turns": "one row per turn",
    "events": "one row per event",
    "model_calls": "one row per language model, role and prompt version: how its answers turned out",
    "calls": "one row per call to a language model, without its words",
    "trajectories": "one whole record per line",
}


def unit_of(measure: str) -> str:
    """The unit of a metric or rating."""
    at = INDEX.get(measure)
    return "" if at is None else QUANTITIES[at].unit


def codebook() -> str:
    """Every table and column in words, as Markdown."""
    lines = [
        "# Codebook",
        "",
        "Empty cells are missing values, never zeros. People appear under coded ids only. Times are UTC.",
    ]
    for name, columns in TABLES.items():
        lines += [
            "",
            f"## {name}: {TITLES[name]}",
            "",
            "| column | type | unit | meaning |",
            "| --- | --- | --- | --- |",
        ]
        for column in columns:
            name_cell = column.name.replace("|", "\\|")
            lines.append(f"| `{name_cell}` | {column.kind} | {column.unit} | {column.meaning} |")
    lines += ["", "## trajectories", "", "JSON Lines, one episode a line, `siturec.trajectory/1`.", ""]
    return "\n".join(lines)
