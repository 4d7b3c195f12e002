"""A participant's call for help, kept where the study's team looks."""

from play.live import LiveSession
from sessions import services
from sessions.database import database_sync_to_async
from sessions.selectors import play as reading
from siturec.protocol.events import Refused


async def call_help(session: LiveSession, text: str) -> Refused | None:
    """Keep the call, with the visit it comes from, whoever plays that; or say why it cannot be taken."""
    refused, screen = await session.turned_away(), session.screen
    if refused is not None:
        return refused
    who = session.participant_id
    at = screen.loaded.row.id if screen is not None else None
    await database_sync_to_async(services.event_add)(
        kind="help",
        episode_id=at or await database_sync_to_async(reading.store_episode)(who),
        participant_id=who,
        turn=screen.turn if screen is not None else None,
        payload={"text": text},
    )
    return None
