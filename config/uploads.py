"""Files that somebody sends: kept in memory, and cut off when they are larger than any we have a use for.

One page asks for a file, the record of a game. Mail providers send those of answers by mail; notifications/inbound
bounds their requests as a whole.
"""

from typing import Any

from django.conf import settings
from django.core.files.uploadhandler import MemoryFileUploadHandler, StopUpload

SPARE = 1024 * 1024  # a record that is somewhat too large is refused in words
LARGEST = settings.LARGEST_RECORD + SPARE  # bytes of all files of a request


class Bounded(MemoryFileUploadHandler):
    """Ends the reading of a request whose files are larger than any we have a use for."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.seen = 0

    def handle_raw_input(self, *arguments: Any, **named: Any) -> None:
        """Django would keep none in memory of more than 2.5 MB; here the bound is what is read."""
        self.activated = True

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        """Keeps the piece. Raises StopUpload when it is too much."""
        self.seen += len(raw_data)
        if self.seen > LARGEST:
            raise StopUpload(connection_reset=True)
        return super().receive_data_chunk(raw_data, start)
