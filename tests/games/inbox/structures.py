"""Answers by mail of several parts (RFC 2046) as mail programs build them: files, mails and texts beside the own words.

What the writer wrote is always "9 crowns" or nothing; what lies beside it would be the move "8 pearls" if it were read.
"""

from collections.abc import Iterator

from tests.games.inbox.corpus import ATTRIBUTIONS, QUOTED, Sample, mail

OWN = f"9 crowns\n\n{ATTRIBUTIONS['en']}\n{QUOTED}\n"
OTHER = "8 pearls\n"
HTML_TYPE, FLOWED = "text/html; charset=utf-8", "text/plain; charset=us-ascii; format=flowed"
INLINE_FILE = 'inline; filename="notes.txt"'


def part(kind: str, text: str, disposition: str = "", more: str = "") -> str:
    """A part that is no multipart, its head before its text."""
    shown = f"Content-Disposition: {disposition}\n" if disposition else ""
    return f"Content-Type: {kind}\n{shown}{more}\n{text}"


def text(words: str = OWN, disposition: str = "") -> str:
    """A plain text."""
    return part("text/plain; charset=utf-8", words, disposition)


def html(words: str = "9 crowns", more: str = "") -> str:
    """An HTML text, with what Gmail puts under it."""
    return part(HTML_TYPE, f'<div>{words}</div><div class="gmail_quote">On Wed wrote: 8 pearls</div>', more=more)


def multi(kind: str, *parts: str, parameters: str = "") -> str:
    """A multipart; no boundary of one is the beginning of another's."""
    boundary = f"{len(''.join(parts)):06}-{kind}"
    lines = [f"--{boundary}\n{one}\n" for one in parts]
    return f'Content-Type: multipart/{kind}; boundary="{boundary}"{parameters}\n\n{"".join(lines)}--{boundary}--\n'


def attached(disposition: str = 'attachment; filename="Move.eml"', words: str = OTHER) -> str:
    """Another's mail."""
    return part("message/rfc822", f"From: Ben <ben@example.org>\nSubject: My move\n\n{words}", disposition)


def listed() -> str:
    """What a mailing list, or the scanner of a company, adds below; it has no name."""
    return part("text/plain; charset=us-ascii", OTHER, more="MIME-Version: 1.0\nContent-Transfer-Encoding: 7bit\n")


PHOTO = part(
    "image/jpeg; name=IMG_1.jpeg", "QUJD", "inline; filename=IMG_1.jpeg", "Content-Transfer-Encoding: base64\n"
)
LOGO = part("image/png", "QUJD", "inline", "Content-ID: <logo>\nContent-Transfer-Encoding: base64\n")
PDF = part(
    'application/pdf; name="a.pdf"', "QUJD", 'attachment; filename="a.pdf"', "Content-Transfer-Encoding: base64\n"
)
SIGNATURE = part('application/pgp-signature; name="signature.asc"', "-----BEGIN PGP SIGNATURE-----")
SMIME = part("application/pkcs7-signature; name=smime.p7s", "QUJD", "attachment; filename=smime.p7s")
KEY = part("application/pgp-keys; name=publickey.asc", OTHER, "attachment; filename=publickey.asc")
CALENDAR = part('text/calendar; charset="utf-8"; method=REQUEST', "BEGIN:VCALENDAR\nSUMMARY:8 pearls\nEND:VCALENDAR")
VCARD = part('text/vcard; name="anna.vcf"', "NOTE:8 pearls", 'attachment; filename="anna.vcf"')
AMP = part("text/x-amp-html; charset=utf-8", "<p>8 pearls</p>")
BOTH = multi("alternative", text(), html())

UNDERSTOOD = {
    "own text and an attached mail": multi("mixed", text(), attached()),
    "own text and a text file shown inline": multi("mixed", text(), text(OTHER, INLINE_FILE)),
    "own HTML and an attached mail": multi("mixed", html(), attached()),
    "own HTML and a text file shown inline": multi("mixed", html(), text(OTHER, INLINE_FILE)),
    "own HTML and a file named in its type alone": multi("mixed", html(), part("text/plain; name=notes.txt", OTHER)),
    "own HTML and a file of a name in another alphabet (RFC 2231)": multi(
        "mixed", html(), text(OTHER, "inline; filename*=UTF-8''a%C3%B1o.txt")
    ),
    "own HTML and a name in pieces (RFC 2231)": multi(
        "mixed", html(), text(OTHER, 'inline; filename*0="no"; filename*1="tes.txt"')
    ),
    "own HTML and the footer of a list": multi("mixed", html(), listed()),
    "own text and the footer of a list": multi("mixed", text(), listed()),
    "Gmail: both": BOTH,
    "Gmail: both and a file": multi("mixed", BOTH, PDF),
    "Gmail: both with a picture among the words": multi("related", BOTH, LOGO),
    "Gmail: a picture among the words and a file": multi("mixed", multi("related", BOTH, LOGO), PDF),
    "Gmail: both and a forwarded mail attached": multi("mixed", BOTH, attached('attachment; filename="Your move.eml"')),
    "Gmail on Android: both, HTML with a charset of its own": multi("alternative", text(), html(more="X-A: b\n")),
    "Apple: text, photo, text": multi("mixed", part(FLOWED, "9 crowns\n"), PHOTO, part(FLOWED, OTHER)),
    "Apple: photo, then the words": multi("mixed", PHOTO, part(FLOWED, OWN)),
    "Apple: HTML with a file between, beside the text": multi(
        "alternative", part(FLOWED, OWN), multi("mixed", html(), PDF, part(HTML_TYPE, OTHER))
    ),
    "Apple: HTML with a picture, beside the text": multi(
        "alternative", part(FLOWED, OWN), multi("related", html(), LOGO), parameters=';\n charset="utf-8"'
    ),
    "Apple: HTML alone with a picture": multi("related", html(), LOGO, parameters='; type="text/html"'),
    "Apple: an attached mail after the words": multi(
        "mixed", part(FLOWED, OWN), attached("attachment; filename=a.eml")
    ),
    "iPhone: HTML, photo, HTML": multi("mixed", html(), PHOTO, part(HTML_TYPE, OTHER)),
    "iPhone: alternative of mixed parts": multi(
        "alternative", part(FLOWED, OWN), multi("mixed", html(), PHOTO, part(HTML_TYPE, "<br>8 pearls"))
    ),
    "Outlook: a logo in the signature": multi("related", BOTH, LOGO, parameters=';\n\ttype="multipart/alternative"'),
    "Outlook: a logo and a file": multi("mixed", multi("related", BOTH, LOGO), PDF),
    "Outlook: HTML before its text": multi("alternative", html(OTHER), text()),
    "Outlook: a mail attached without a name": multi("mixed", BOTH, attached("attachment")),
    "Outlook: a mail attached without a disposition": multi("mixed", BOTH, attached("")),
    "Outlook: two mails attached": multi("mixed", BOTH, attached(), attached()),
    "Outlook: winmail.dat": multi("mixed", text(), part("application/ms-tnef; name=winmail.dat", "QUJD")),
    "Outlook: a visiting card": multi("mixed", BOTH, VCARD),
    "Outlook: the answer to an invitation, with words": multi("alternative", text(), html(), CALENDAR),
    "Thunderbird: text and a mail": multi("mixed", part(FLOWED, OWN), attached('attachment; filename="Your move.eml"')),
    "Thunderbird: text and a mail shown inline": multi("mixed", part(FLOWED, OWN), attached("inline")),
    "Thunderbird: HTML with a picture": multi("alternative", text(), multi("related", html(), LOGO)),
    "Thunderbird: the root named by start": multi(
        "related", html(OTHER), html(more="Content-ID: <r>\n"), parameters='; start="<r>"'
    ),
    "Enigmail: signed text": multi("signed", text(), SIGNATURE, parameters="; micalg=pgp-sha256"),
    "Enigmail: signed both and a key": multi("signed", multi("mixed", BOTH, KEY), SIGNATURE),
    "Thunderbird: protected head of a signed mail": multi(
        "signed",
        multi("mixed", part('text/plain; charset="utf-8"', OWN), parameters='; protected-headers="v1"'),
        SIGNATURE,
    ),
    "S/MIME: signed HTML and a list's footer": multi("mixed", multi("signed", html(), SMIME), listed()),
    "Proton: HTML and a public key": multi("mixed", html(), KEY),
    "Proton: both, a picture and a key": multi("mixed", multi("related", BOTH, LOGO), KEY),
    "mutt: text and a patch": multi("mixed", text(disposition="inline"), text(OTHER, "attachment; filename=a.patch")),
    "mutt: a log shown inline": multi("mixed", text(disposition="inline"), text(OTHER, "inline; filename=a.log")),
    "mutt: forwarded as a mail": multi("mixed", text(disposition="inline"), attached("inline")),
    "K-9: both, no name for the picture": multi("mixed", BOTH, part("image/png", "QUJD", "attachment")),
    "Samsung: both within mixed": multi("mixed", BOTH),
    "Yahoo: both within mixed within mixed": multi("mixed", multi("mixed", BOTH), PDF),
    "Yahoo: HTML only, and a text": multi("mixed", html(), text(OTHER, "attachment; filename=a.txt")),
    "Roundcube: text and a card": multi("mixed", part(FLOWED, OWN), VCARD),
    "Lotus: HTML as the only alternative": multi("related", multi("alternative", html()), LOGO),
    "Gmail: three ways to say it": multi("alternative", text(), AMP, html()),
    "Mailman: signed, and a footer": multi("mixed", multi("signed", BOTH, SIGNATURE), listed()),
    "a company's scanner adds a notice": multi("mixed", multi("related", BOTH, LOGO), listed()),
    "a multipart nobody knows": multi("x-new", text(), text(OTHER)),
    "Mac: two forks of a file": multi("mixed", text(), multi("appledouble", part("text/plain; name=a", OTHER), PDF)),
    "names in capitals": multi(
        "mixed", html(), part("TEXT/PLAIN; NAME=NOTES.TXT", OTHER, "INLINE; FILENAME=NOTES.TXT")
    ),
    "the file first": multi("mixed", text(OTHER, INLINE_FILE), text()),
    "a file named in its type alone, first": multi("mixed", part("text/plain; name=notes.txt", OTHER), text()),
    "an attached mail first": multi("mixed", attached(), text()),
    "own HTML beside a named text": multi("alternative", part("text/plain; name=notes.txt", OTHER), html()),
}
NOTHING = {
    "an attached mail alone": multi("mixed", attached()),
    "a mail, attached without a disposition, alone": multi("mixed", attached("")),
    "a mail as the whole": attached(""),
    "a mail shown inline as the whole": attached("inline"),
    "Outlook: an empty answer to a mail that is attached": multi(
        "mixed", multi("alternative", text("\n"), html("")), attached()
    ),
    "Thunderbird: forwarded as a file without a word": multi("mixed", part(FLOWED, "\n"), attached()),
    "Thunderbird: a mail shown inline without a word": multi("mixed", part(FLOWED, ""), attached("inline")),
    "Apple: a mail between nothing and a text": multi("mixed", part(FLOWED, "\n"), attached(), part(FLOWED, OTHER)),
    "forwarded by Gmail": multi(
        "alternative", text(f"---------- Forwarded message ---------\nFrom: Ben\n\n{OTHER}"), html("")
    ),
    "forwarded by Outlook": text(f"\n\nFrom: Ben <ben@example.org>\nSent: 4 March 2026\nTo: Anna\n\n{OTHER}"),
    "own HTML that is empty, and a text": multi("mixed", part(HTML_TYPE, "<br>"), text(OTHER)),
    "own text that is empty, and a text": multi("mixed", text(""), text(OTHER)),
    "own text that is empty, and HTML": multi("mixed", text("\n"), html(OTHER)),
    "only quoted, and a text": multi("mixed", text(QUOTED), text(OTHER)),
    "an empty text beside other HTML": multi("alternative", text(""), html(OTHER)),
    "both empty, and a list's footer": multi("mixed", multi("alternative", text(""), html("")), listed()),
    "a file alone": multi("mixed", text(OTHER, INLINE_FILE)),
    "a file as the whole": text(OTHER, "attachment; filename=a.txt"),
    "a file named in its type as the whole": part("text/plain; name=notes.txt", OTHER),
    "HTML as a file": multi("mixed", part(HTML_TYPE, OTHER, "attachment; filename=a.html")),
    "a file of a disposition nobody knows": multi("mixed", text(OTHER, "x-hidden")),
    "a form": multi("form-data", text(OTHER, "form-data; name=move")),
    "a digest": multi("digest", f"\n{attached()}", f"\nFrom: Ben <ben@example.org>\n\n{OTHER}"),
    "a digest after nothing": multi("mixed", text(""), multi("digest", f"\nSubject: x\n\n{OTHER}")),
    "a digest with a text in it": multi("digest", text(OTHER)),
    "a report within": multi(
        "mixed", multi("report", text(OTHER), parameters="; report-type=disposition-notification")
    ),
    "part of a mail": part('message/partial; id="x"; number=1; total=2', f"Subject: x\n\n{OTHER}"),
    "encrypted, with a text after it": multi("encrypted", part("application/pgp-encrypted", "Version: 1"), text(OTHER)),
    "signed, with an attached mail in it": multi("signed", attached(), SIGNATURE),
    "a text after the signed nothing": multi("signed", text(""), text(OTHER)),
    "a text beside a picture that is the root": multi("related", LOGO, text(OTHER)),
    "mails within mails": multi("mixed", attached(words="x"), part("message/rfc822", attached(""))),
    "an attached mail of several parts": multi(
        "mixed", part("message/rfc822", f"Subject: x\n{multi('mixed', text(OTHER))}")
    ),
    "a multipart without parts": "Content-Type: multipart/mixed; boundary=x\n\n8 pearls\n",
    "a part of two dispositions": multi(
        "mixed", part("text/plain", OTHER, "inline", 'Content-Disposition: attachment; filename="a.txt"\n')
    ),
    "a part of two types": multi("mixed", part("text/plain", OTHER, more="Content-Type: text/plain; name=a.txt\n")),
    "HTML that is not shown": multi("mixed", part(HTML_TYPE, '<div style="display: none">8 pearls</div>')),
    "an unknown text": multi("mixed", part("text/x-log", OTHER), text(OTHER)),
}


def structured() -> Iterator[Sample]:
    """All of them."""
    for number, (name, whole) in enumerate({**UNDERSTOOD, **NOTHING}.items(), 300_000):
        head, _blank, body = whole.replace("\n", "\r\n").partition("\r\n\r\n")
        content = mail(f"{head}\r\n".encode(), body.encode(), number)
        yield Sample(name, content, "9 crowns" if name in UNDERSTOOD else "", must=name in UNDERSTOOD)
