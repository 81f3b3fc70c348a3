"""Ports of this machine: which are free, and listening at an address as servers do."""

import socket
from urllib.parse import urlsplit


def address_of(host: str, port: int) -> str:
    """Returns "host:port", an IPv6 host in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def host_and_port(address: str) -> tuple[str, int]:
    """Reads "host:port" or "scheme://host:port". Raises ValueError."""
    parts = urlsplit(address if "://" in address else f"//{address}")
    if not parts.hostname or parts.port is None or parts.path:
        raise ValueError(address)
    return parts.hostname, parts.port


def listen_at(host: str, port: int) -> socket.socket:
    """Returns a listening socket. Connections of a server that has ended do not stand in the way. Raises OSError."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen()
    except OSError:
        listener.close()
        raise
    return listener


def free_port() -> int:
    """A port nobody listens on."""
    with listen_at("127.0.0.1", 0) as listener:
        return int(listener.getsockname()[1])
