"""A person's tabs on a store page, as the socket knows them."""

import asyncio
import contextlib
import json

from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator

from play import live
from sessions.models import Turn
from sessions.services.episodes import episode_goal_read
from siturec.protocol.events import SERVER_EVENT, unpack_picture
from siturec.protocol.study import TaskChoice
from siturec_web.asgi import application
from tests.web.samples_studies import opened, shopping


@sync_to_async
def shopper(**changes):
    study = opened(tasks=TaskChoice(sample=2), quota=3, **changes)
    person = shopping(study)
    episode_goal_read(episode=person.episodes.order_by("position").first())
    return person


class Browser:
    """A tab: reads messages as they come, keeps all of them."""

    def __init__(self, person):
        self.person, self.seen, self.pictures = person, [], []
        self.client = WebsocketCommunicator(application, f"/ws/play/{person.token}/", headers=ORIGIN)

    async def __aenter__(self):
        connected, _ = await self.client.connect(timeout=20)
        assert connected
        return self

    async def __aexit__(self, *exception):
        with contextlib.suppress(asyncio.CancelledError):
            await self.client.disconnect()

    async def send(self, **message):
        await self.client.send_to(text_data=json.dumps(message))

    async def until(self, kind, **wanted):
        """The next message of a kind with these values."""
        while True:
            got = await self.client.receive_output(timeout=20)
            if "bytes" in got and got["bytes"] is not None:
                self.pictures.append(unpack_picture(got["bytes"]))
                continue
            assert got["type"] == "websocket.send", got
            message = json.loads(got["text"])
            SERVER_EVENT.validate_python(message)
            self.seen.append(message)
            if message["type"] == kind and all(message.get(key) == value for key, value in wanted.items()):
                return message

    async def my_turn(self, turn=0):
        """Wait until it is this turn and the person's."""
        await self.until("phase", phase="user", turn=turn)

    async def act(self, frame=0, client_id="client-1", reply="Hello.", tool="turn", **more):
        args = more.pop("args", {"direction": "left", "angle": 30} if tool == "turn" else {})
        await self.send(
            type="act", client_id=client_id, frame=frame, reply=reply, tool=tool, args=args, **more
        )


ORIGIN = [(b"origin", b"http://testserver"), (b"host", b"testserver")]


async def ended(person):
    await live.session_of(person.pk, person.token).stop()


@sync_to_async
def turns_of(person):
    return list(Turn.objects.filter(episode__participant=person).order_by("index"))
