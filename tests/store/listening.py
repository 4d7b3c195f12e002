"""What every made-up server of these tests begins with."""

import asyncio

from simulator_bridge.wire import Address


class Listening:
    """Listens while it is entered; ``serve`` is what it does with a client. ``tasks`` end with it."""

    def __init__(self):
        self.tasks = set()

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.address = Address("127.0.0.1", self.server.sockets[0].getsockname()[1])
        return self

    async def __aexit__(self, *exc):
        self.server.close()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def find(self):
        return self.address

    async def serve(self, reader, writer):
        raise NotImplementedError
