"""Episodes in flight against a server that answers after 200 ms: throughput against the ideal."""

import asyncio
import socket
import subprocess
import sys
import time

from runs_kit import cpu_s, plan
from runs_minds import play_all

DELAY_S = 0.2
SERVER = """
import asyncio
from aiohttp import web
async def answer(request):
    await request.read()
    await asyncio.sleep(0.2)
    return web.json_response({"ok": True})
async def main():
    app = web.Application(); app.router.add_post("/", answer)
    runner = web.AppRunner(app); await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", PORT); await site.start()
    await asyncio.Event().wait()
asyncio.run(main())
"""


def flight(jobs, rounds):
    """Throughput against the ideal."""
    import aiohttp

    from sessions.models import Turn

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen([sys.executable, "-c", SERVER.replace("PORT", str(port))])
    try:
        time.sleep(2)
        run = plan("flight", tasks=min(jobs, 100), assistants=("plain",), seeds=rounds)

        async def main():
            connector = aiohttp.TCPConnector(limit=jobs)
            async with aiohttp.ClientSession(connector=connector) as session:
                began = time.monotonic()
                await play_all(run, jobs, session, f"http://127.0.0.1:{port}/")
                return time.monotonic() - began

        before = cpu_s()
        took = asyncio.run(main())
    finally:
        server.terminate()
        server.wait()
    turns = Turn.objects.count()
    ideal = run.episodes.count() / jobs * (20 * 3 - 1) * DELAY_S
    each = (cpu_s() - before) / turns * 1000
    print(f"flight: {jobs} in flight, {turns} turns of 3 answers in {took:.1f} s, {each:.1f} ms CPU a turn")
    print(f"  {ideal / took:.2f} of the ideal ({ideal:.1f} s)")
