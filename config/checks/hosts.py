"""Which hosts are this machine."""

from urllib.parse import urlsplit


def is_elsewhere(url: str) -> bool:
    """Whether an address names a host, and another one than this machine."""
    host = urlsplit(url).hostname
    return bool(host) and not is_here(host)


def is_here(host: str | None) -> bool:
    """Whether a host is this machine."""
    return host in ("localhost", "127.0.0.1", "::1")
