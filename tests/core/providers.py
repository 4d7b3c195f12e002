"""Model servers for tests: a crooked one that follows a script, and llmock as a process of its own."""

import contextlib
import json
import socket
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.ports import free_port


def says(text, *, finish="stop"):
    """A scripted answer: HTTP 200 with these words."""
    return 200, {}, completion(text, finish)


def completion(text, finish="stop"):
    """An OpenAI chat completion."""
    return {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "crooked",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }


def fails(status, message="no", **headers):
    """A scripted answer: an HTTP error."""
    return status, {k.replace("_", "-"): str(v) for k, v in headers.items()}, {"error": {"message": message}}


HANGS = "hangs"


class Crooked:
    """Answers each request with the next line of its script, the last one for ever; keeps the requests."""

    def __init__(self, *script):
        self.script = list(script)
        self.requests = []
        self.asked = threading.Event()
        self._stopping = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                outer.requests.append(body)
                outer.asked.set()
                line = outer.script[min(len(outer.requests), len(outer.script)) - 1]
                if line == HANGS:
                    outer._stopping.wait(20)
                    return
                status, headers, answer = line
                data = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                    self.wfile.write(data)

            def log_message(self, *args):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.base = f"http://127.0.0.1:{self._server.server_port}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)


@contextlib.contextmanager
def llmock(*options):
    """llmock on a free port; yields its base address without /v1."""
    port = free_port()
    program = Path(sys.executable).with_name("llmock")
    command = [
        str(program),
        "serve",
        "--host",
        "127.0.0.1",
        "-p",
        str(port),
        "--log-level",
        "error",
        *options,
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    base = f"http://127.0.0.1:{port}"
    try:
        _await(base, process)
        yield base
    finally:
        process.terminate()
        process.wait(10)


def _await(base, process, seconds=20):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode}")
        # A bare connection: a request would count as a client's in the server's verdict.
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", int(base.rpartition(":")[2])), 1).close()
            return
        time.sleep(0.1)
    raise RuntimeError(f"no server at {base} after {seconds} s")
