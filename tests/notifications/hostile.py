"""Mails no person writes, each made to cost whoever parses it dearly, up to the size that is taken."""

import base64
from collections.abc import Iterator

from notifications.inbound import raw

HEAD = b"From: anna@example.org\r\nMessage-ID: <1@example.org>\r\nMIME-Version: 1.0\r\n"
ROOM = raw.LARGEST_TEXTS - 2048


def hostile() -> Iterator[tuple[str, bytes]]:
    """Names and mails."""
    yield from parts()
    yield from heads()
    yield from bodies()
    yield from words()


def parts() -> Iterator[tuple[str, bytes]]:
    """Structures: many, deep, and none that end."""
    mixed = HEAD + b'Content-Type: multipart/mixed; boundary="x"\r\n\r\n'
    for number in (raw.MOST_PARTS - 1, 10_000, 35_000):
        yield f"{number} empty parts", mixed + b"--x\r\n\r\n" * number
    yield "parts with an empty boundary", HEAD + b'Content-Type: multipart/mixed; boundary=""\r\n\r\n' + b"--\r\n" * 99
    yield "no part ever begins", mixed + b"-x\r\n" * (ROOM // 5)
    yield (
        "a boundary as long as a head may be",
        (
            HEAD
            + b'Content-Type: multipart/mixed; boundary="'
            + b"y" * 3900
            + b'"\r\n\r\n'
            + b"--"
            + b"y" * 3900
            + b"\r\n\r\nx"
        ),
    )
    for name, parameter in (
        ("names in pieces (RFC 2231)", b"; filename*%d*=x"),
        ("names in a slow charset (RFC 2231)", b"; filename%d*=punycode''a-b9a-b9"),
        ("quotes in names", b'; filename%d="\\"'),
    ):
        pieces = b"".join(parameter % number for number in range(80))
        yield f"parts with {name}", mixed + (b"--x\r\nContent-Disposition: inline" + pieces + b"\r\n\r\n") * 90
        yield f"one part with {name}", mixed + b"--x\r\nContent-Disposition: inline" + pieces * 90 + b"\r\n\r\nx"
    name = b"filename*=punycode''" + b"a-b9" * 600
    yield "long names in a slow charset", mixed + (b"--x\r\nContent-Disposition: inline; " + name + b"\r\n\r\n") * 90
    alternatives = mixed.replace(b"mixed", b"alternative")
    yield "ninety alternatives", alternatives + b"--x\r\nContent-Type: text/html\r\n\r\n<p>x\r\n" * 90
    for depth in (30, 90):
        yield f"nested {depth} deep", nested(depth)
    yield "messages in messages", HEAD + b"Content-Type: message/rfc822\r\n\r\n" * 5_000
    yield (
        "a delivery report of nothing but reports",
        HEAD + b"Content-Type: message/delivery-status\r\n\r\n" + b"a: b\r\n\r\n" * 30_000,
    )
    yield "a delivery report of empty lines", HEAD + b"Content-Type: Message/Delivery-Status\r\n\r\n" + b"\n" * ROOM
    yield (
        "one of another alphabet",
        mixed + b"--x\r\nContent-Type: message/global-delivery-status\r\n\r\n" + b"\n" * ROOM,
    )
    yield "line ends of all kinds", mixed + b"--x\r\r\n\n\r" * 90 + b"\r" * 100_000


def nested(depth: int) -> bytes:
    whole = HEAD
    for level in range(depth):
        whole += b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (level, level)
    return whole + b"\r\n9 crowns\r\n"


def heads() -> Iterator[tuple[str, bytes]]:
    """Fields: many, long, folded, and such as are parsed slowly."""
    body = b"\r\n9 crowns\r\n"
    yield "a hundred thousand addresses", b"From: " + b"a@b.c, " * 9_000 + b"\r\n" + body
    yield "addresses in groups in groups", HEAD.replace(b"anna@", b"a:" * 1_900 + b"anna@") + body
    yield "comments in comments", HEAD.replace(b"anna@", b"(" * 3_900 + b"anna@") + body
    yield "quotes side by side", HEAD.replace(b"anna@", b'""' * 1_900 + b"anna@") + body
    yield "groups without members", HEAD.replace(b"anna@", b"a:b;" * 900 + b"anna@") + body
    yield "encoded words in the sender", HEAD.replace(b"anna@", b"=?punycode?q?" + b"a-b9" * 900 + b"?= anna@") + body
    yield "quotes that never end", HEAD.replace(b"anna@", b'"' + b"\\" * 3_900) + body
    yield "long references", HEAD + b"References: " + b"<a@b> " * 10_000 + b"\r\n" + body
    yield "a field folded ten thousand times", HEAD + b"Subject: x" + b"\r\n y" * 9_000 + body
    yield "thousands of fields", HEAD + b"X-A: b\r\n" * 7_000 + body
    yield "thousands of the fields that are read", HEAD + b"Received: x\r\nAuto-Submitted: no\r\n" * 90 + body
    yield "no end of the head", HEAD + b"Subject: " + b"x" * ROOM
    yield "a head without a colon", b"x" * ROOM
    yield (
        "authentication results of a thousand properties",
        (HEAD + b"Authentication-Results: mx.example.org; " + b"dkim=pass header.d=a.example; " * 120 + b"\r\n" + body),
    )
    yield (
        "authentication results of comments",
        HEAD + b"Authentication-Results: mx.example.org" + b"(" * 3_900 + b"\r\n" + body,
    )
    yield (
        "parameters in thousands of pieces (RFC 2231)",
        (HEAD + b"Content-Type: text/plain" + b"".join(b"; a*%d*=x" % n for n in range(350)) + b"\r\n" + body),
    )
    yield (
        "a charset in a language nobody speaks (RFC 2231)",
        (HEAD + b"Content-Type: text/plain; charset*=x'" + b"%41" * 1_200 + b"'utf-8\r\n" + body),
    )
    yield "encoded words side by side (RFC 2047)", HEAD + b"Subject: " + b"=?utf-8?q?=41?= " * 240 + b"\r\n" + body
    yield "encoded words that never end", HEAD + b"Subject: " + b"=?" * 1_900 + b"\r\n" + body
    yield "encoded words in slow codecs", HEAD + b"Subject: " + b"=?idna?q?" + b"a" * 3_500 + b"?=\r\n" + body
    yield (
        "an encoded word that is a bomb",
        (HEAD + b"Subject: =?zlib?b?" + base64.b64encode(bytes(2_000)) + b"?=\r\n" + body),
    )


def bodies() -> Iterator[tuple[str, bytes]]:
    """Encodings and charsets."""
    for encoding in (b"base64", b"quoted-printable", b"x-uuencode", b"x-nonsense"):
        for name, stuff in (("letters", b"QUJD"), ("equals", b"="), ("line ends", b"=\r\n"), ("nothing", b"\0")):
            content = stuff * (ROOM // len(stuff))
            yield f"{encoding.decode()} of {name}", HEAD + b"Content-Transfer-Encoding: %s\r\n\r\n" % encoding + content
    for charset in (
        b"utf-7",
        b"utf-16",
        b"idna",
        b"punycode",
        b"zlib",
        b"rot13",
        b"unicode_escape",
        b"hz",
        b"iso2022_jp_3",
    ):
        head = HEAD + b"Content-Type: text/plain; charset=%s\r\n\r\n" % charset
        yield f"charset {charset.decode()}", head + b"+AGE-~{\x1b$B" * (ROOM // 11)
    yield "flowed for ever", HEAD + b"Content-Type: text/plain; format=flowed\r\n\r\n" + b"x \r\n" * (ROOM // 4)


def words() -> Iterator[tuple[str, bytes]]:
    """Texts: what finds the first own line, and what reads HTML."""
    yield "nothing but empty lines", HEAD + b"\r\n" + b"\r\n" * (ROOM // 2)
    yield "nothing but quotes", HEAD + b"\r\n" + b"> x\r\n" * (ROOM // 5)
    yield "introductions of quotes that never come", HEAD + b"\r\n" + b"On Monday Anna wrote:\r\n" * (ROOM // 23)
    yield "a line without an end", HEAD + b"\r\n" + b"x" * ROOM
    yield "colons", HEAD + b"\r\n" + b": " * (ROOM // 2)
    html = HEAD + b"Content-Type: text/html\r\n\r\n"
    for name, stuff in (
        ("tags that are never closed", b"<div>"), ("brackets", b"<"), ("comments", b"<!--"), ("declarations", b"<!["),
        ("entities", b"&"), ("numbers of signs", b"&#9;"), ("styles", b"<style>"), ("attributes", b"<a b='"),
        ("attributes without an end", b"<a " + b"b=c " * 50), ("scripts and their ends", b"<script></script>"),
        ("processing instructions", b"<?"), ("ends", b"</"),
    ):  # fmt: skip
        yield f"HTML of {name}", html + stuff * (ROOM // len(stuff))
