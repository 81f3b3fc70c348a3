"""Uploaded files: kept in memory, and limited in size while they are read.

One page asks for a file, the record of a game. Mail providers post replies with attachments; notifications/inbound
limits those requests as a whole.
"""

from django.conf import settings
from django.core.files.uploadhandler import MemoryFileUploadHandler, StopUpload
from django.http import HttpRequest

SPARE = 1024 * 1024  # so that a record that is a little too large gets a form error
LARGEST = settings.LARGEST_RECORD + SPARE  # bytes of all files of a request


class BoundedUploadHandler(MemoryFileUploadHandler):
    """Closes the connection of a request whose files exceed LARGEST."""

    def __init__(self, request: HttpRequest | None = None) -> None:
        super().__init__(request)
        self.size = 0

    def handle_raw_input(self, *_: object, **__: object) -> None:
        """Activates the handler for requests of any size; Django's own takes none above 2.5 MB."""
        self.activated = True

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        """Keeps the chunk. Raises StopUpload when the files are too large."""
        self.size += len(raw_data)
        if self.size > LARGEST:
            raise StopUpload(connection_reset=True)
        return super().receive_data_chunk(raw_data, start)
