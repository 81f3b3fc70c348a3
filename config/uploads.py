"""Files that somebody sends. No page asks for one: what comes is kept in memory while it is small, and cut off else.

Only mail providers send files, those of answers by mail; notifications/inbound bounds their requests as a whole.
"""

from typing import Any

from django.core.files.uploadhandler import FileUploadHandler, StopUpload

LARGEST = 1024 * 1024  # bytes of all files of a request


class Bounded(FileUploadHandler):
    """Ends the reading of a request whose files are larger than any we have a use for."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.seen = 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        """The piece, for the next handler. Raises StopUpload when it is too much."""
        self.seen += len(raw_data)
        if self.seen > LARGEST:
            raise StopUpload(connection_reset=True)
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """The file is the next handler's."""
