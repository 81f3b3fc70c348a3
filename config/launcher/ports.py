"""Ports of this machine: which are free, and what stands in the way of listening there."""

import socket


def address_of(host: str, port: int) -> str:
    """Returns "host:port", an IPv6 host in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def why_not_listening(host: str, port: int) -> OSError | None:
    """Returns the error of listening there, None if nothing is in the way."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return error
    return None


def free_port(wanted: int = 0) -> int:
    """A port nobody listens on: the wanted one if it is free, else any."""
    with socket.socket() as listener:
        try:
            listener.bind(("127.0.0.1", wanted))
        except (OSError, OverflowError):
            listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
