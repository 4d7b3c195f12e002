"""Where a server that a test starts may listen, and a line to it."""

import base64
import os
import socket


def free_port() -> int:
    """A port of this machine that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def open_line(port: int, token: str) -> socket.socket:
    """A participant's websocket by hand, read until the server has sent its first message."""
    line = socket.create_connection(("127.0.0.1", port), timeout=20)
    key = base64.b64encode(os.urandom(16)).decode()
    line.sendall(
        f"GET /ws/p/{token}/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
        f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    heard = b""
    while b'"snapshot"' not in heard:
        part = line.recv(65536)
        assert part, heard
        heard += part
    return line
