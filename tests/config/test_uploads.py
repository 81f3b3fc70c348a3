"""Files that somebody sends without being asked."""

import io

from django.core.files.uploadedfile import InMemoryUploadedFile, SimpleUploadedFile
from django.core.handlers.wsgi import WSGIRequest
from django.test import RequestFactory

from config.web import LARGEST


class Counted(io.BytesIO):
    """Knows how much of it was read."""

    count = 0

    def read(self, size: int | None = -1) -> bytes:
        piece = super().read(size)
        self.count += len(piece)
        return piece


def sent(size: int) -> tuple[WSGIRequest, Counted]:
    """A request with a file of that many bytes, and its body."""
    file = SimpleUploadedFile("picture.png", b"x" * size)
    request = RequestFactory().post("/settings/", {"name": "Anna", "picture": file})
    body = request._stream = Counted(request._stream.read())
    return request, body


def test_a_small_file_stays_in_memory() -> None:
    request, _body = sent(2000)
    assert request.POST["name"] == "Anna"
    assert isinstance(request.FILES["picture"], InMemoryUploadedFile)


def test_the_rest_of_a_large_one_is_not_even_read_and_nothing_is_kept() -> None:
    request, body = sent(8 * LARGEST)
    assert request.POST["name"] == "Anna"
    assert not request.FILES
    assert body.count < 2 * LARGEST
