"""Reading the record."""

from sessions.selectors.balance import Balance, balance_table
from sessions.selectors.people import Place, participant_by_token, participant_place
from sessions.selectors.record import (
    episode_record,
    frame_bytes,
    frame_path,
    frame_strip,
    turns_of,
    with_turns,
)
from sessions.selectors.runs import RunProgress, run_progress
from sessions.selectors.studies import design_of, study_accepting, study_by_slug, study_config_yaml

__all__ = [
    "Balance",
    "Place",
    "RunProgress",
    "balance_table",
    "design_of",
    "episode_record",
    "frame_bytes",
    "frame_path",
    "frame_strip",
    "participant_by_token",
    "participant_place",
    "run_progress",
    "study_accepting",
    "study_by_slug",
    "study_config_yaml",
    "turns_of",
    "with_turns",
]
