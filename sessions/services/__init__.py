"""Writing the record: keyword-only, one transaction each."""

from sessions.services.audit import audit_add
from sessions.services.episodes import (
    episode_begin,
    episode_draft,
    episode_end,
    episode_fail,
    episode_goal_read,
    episode_judged,
    episode_rated,
    episode_version,
    event_add,
    events_add,
)
from sessions.services.frames import frame_store
from sessions.services.leases import episode_lease, episode_release, episode_renew
from sessions.services.people import (
    participant_consent,
    participant_exclude,
    participant_finish,
    participant_join,
    participant_profile,
    participant_return,
    participant_screen_out,
    participant_seen,
)
from sessions.services.runs import episode_reroll, run_finish, run_plan
from sessions.services.seats import seat_claim, seat_release, seats_release_stale
from sessions.services.studies import (
    study_close,
    study_create,
    study_open,
    study_pause,
    study_revise,
    study_update,
)
from sessions.services.turns import (
    turn_answered,
    turn_executed,
    turn_moderated,
    turn_observed,
    turn_replied,
)

__all__ = [
    "audit_add",
    "episode_begin",
    "episode_draft",
    "episode_end",
    "episode_fail",
    "episode_goal_read",
    "episode_judged",
    "episode_lease",
    "episode_rated",
    "episode_release",
    "episode_renew",
    "episode_reroll",
    "episode_version",
    "event_add",
    "events_add",
    "frame_store",
    "participant_consent",
    "participant_exclude",
    "participant_finish",
    "participant_join",
    "participant_profile",
    "participant_return",
    "participant_screen_out",
    "participant_seen",
    "run_finish",
    "run_plan",
    "seat_claim",
    "seat_release",
    "seats_release_stale",
    "study_close",
    "study_create",
    "study_open",
    "study_pause",
    "study_revise",
    "study_update",
    "turn_answered",
    "turn_executed",
    "turn_moderated",
    "turn_observed",
    "turn_replied",
]
