"""The corpus of server-side request forgery, and sockets that write down where anybody tries to connect to."""

import ipaddress
import json
import socket
from pathlib import Path
from typing import Any

import pytest

CORPUS: dict[str, Any] = json.loads((Path(__file__).parent / "ssrf.json").read_text())
"""`inside`, `outside`: addresses. `written`, `looked_up`, `answered`: cases, as test_ssrf.py says at each."""
Address = tuple[Any, ...]


class Net:
    """Every connection that is tried, and a name server of the test's own.

    No connection is made but to `allowed`. The real resolver reads what is a number in any spelling, and is asked for
    no name: those are answered from `names`, each list in turn, the last one for ever.
    """

    def __init__(self) -> None:
        self.tried: list[str] = []
        self.asked: list[str] = []
        self.names: dict[str, list[list[str]]] = {}
        self.allowed: set[Address] = set()
        self._resolve = socket.getaddrinfo

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Stand in for the system: whatever library connects comes through here."""
        for name in ("connect", "connect_ex", "sendto"):
            monkeypatch.setattr(socket.socket, name, self._counted(getattr(socket.socket, name)))
        monkeypatch.setattr(socket, "getaddrinfo", self._look_up)

    def _counted(self, original: Any) -> Any:
        def go(handle: socket.socket, *args: Any) -> Any:
            address = args[-1]
            self.tried.append(address[0])
            if address in self.allowed:
                return original(handle, *args)
            raise ConnectionRefusedError("only noted")

        return go

    def _look_up(self, host: str, port: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            flags = kwargs.pop("flags", 0) | socket.AI_NUMERICHOST
            return self._resolve(host, port, *args, flags=flags, **kwargs)
        except socket.gaierror:
            return self._answers(host, port)

    def _answers(self, name: str, port: Any) -> list[Any]:
        self.asked.append(name)
        turns = self.names.get(name.rstrip(".").lower(), [])
        found = turns.pop(0) if len(turns) > 1 else turns[0] if turns else []
        if not found:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [_entry(address, port) for address in found]


def _entry(address: str, port: Any) -> Any:
    if ipaddress.ip_address(address.partition("%")[0]).version == 4:
        return (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))
    return (socket.AF_INET6, socket.SOCK_STREAM, 6, "", (address, port, 0, 0))
