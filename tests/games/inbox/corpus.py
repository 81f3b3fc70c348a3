"""Answers by mail as people's programs write them: every client with every way to quote, to encode and to sign.

A sample is made of a frame (what a program puts around what is written), a body (what a person wrote) and an encoding.
Nothing here is of a real person: the frames are what the programs are known to write.
"""

import base64
import quopri
from collections.abc import Iterator
from dataclasses import dataclass
from email.header import Header

OURS = [
    "Hello Anna,", "", "It is your turn at the table Thursday.", "", "Round 1: place a token", "",
    "ANSWER BY ONE LINE", "    8 pearls", "    1a (Market)", "    pass", "", "8 gold", "-- ",
    "You get this mail because you play at the table \"Thursday\".",
]  # fmt: skip
WHO = "Caravanserai <reply+k3v9pq2mzt7a-aaaaaaaaaaaaaaaaaaaaaaaaaa@play.example.org>"
QUOTED = "\n".join(f"> {line}".rstrip() for line in OURS)
BARE = "\n".join(OURS)
ATTRIBUTIONS = {
    "en": f"On Wed, 4 Mar 2026 at 12:00, {WHO} wrote:",
    "es": f"El mié, 4 mar 2026 a las 12:00, {WHO} escribió:",
    "de": f"Am Mi., 4. März 2026 um 12:00 Uhr schrieb {WHO}:",
    "fr": f"Le mer. 4 mars 2026 à 12:00, {WHO} a écrit :",
    "it": f"Il giorno mer 4 mar 2026 alle ore 12:00 {WHO} ha scritto:",
    "pt": f"Em qua., 4 de mar. de 2026 às 12:00, {WHO} escreveu:",
    "nl": f"Op wo 4 mrt 2026 om 12:00 schreef {WHO}:",
    "sv": f"Den ons 4 mars 2026 kl 12:00 skrev {WHO}:",
    "pl": f"śr., 4 mar 2026 o 12:00 {WHO} napisał(a):",
    "ru": f"ср, 4 мар. 2026 г. в 12:00, {WHO}:",
    "ja": f"2026年3月4日(水) 12:00 {WHO}:",
    "zh": f"{WHO} 于2026年3月4日周三 12:00写道：",
    "ko": f"2026년 3월 4일 (수) 오후 12:00, {WHO}님이 작성:",
    "tr": f"{WHO}, 4 Mar 2026 Çar, 12:00 tarihinde şunu yazdı:",
    "wrapped": "On Wed, 4 Mar 2026 at 12:00, Caravanserai\n<reply+k3v9pq2mzt7a-aaaaaaaa@play.example.org>\nwrote:",
}
HEADS = {
    "outlook-en": f"From: {WHO}\nSent: Wednesday, March 4, 2026 12:00 PM\nTo: Anna\nSubject: Your move",
    "outlook-es": f"De: {WHO}\nEnviado: miércoles, 4 de marzo de 2026 12:00\nPara: Anna\nAsunto: Te toca",
    "outlook-de": f"Von: {WHO}\nGesendet: Mittwoch, 4. März 2026 12:00\nAn: Anna\nBetreff: Your move",
    "outlook-fr": f"De : {WHO}\nEnvoyé : mercredi 4 mars 2026 12:00\nÀ : Anna\nObjet : Your move",
    "outlook-bold": f"*From:* {WHO}\n*Sent:* Wednesday, March 4, 2026 12:00 PM\n*To:* Anna",
}
RULES = {
    "original": "-----Original Message-----\nFrom: x",
    "underscores": "________________________________\nFrom: x",
    "forwarded": "---------- Forwarded message ---------",
    "mensaje": "-----Mensaje original-----\nDe: x",
    "stars": "* * *",
}
SIGNATURES = {
    "none": "",
    "dashes": "\n-- \nAnna\n8 gold",
    "phone": "\n\nSent from my iPhone",
    "movil": "\n\nEnviado desde mi iPhone",
    "thanks": "\n\nThanks!\nAnna",
}


@dataclass(frozen=True)
class Sample:
    """A mail, what its writer means ("" for no move), and whether it must be understood or may be asked back."""

    name: str
    content: bytes
    means: str
    must: bool
    is_automatic: bool = False


# What is written, and what is meant by it.
WRITTEN = {
    "9 crowns": "9 crowns", "9 coronas": "9 crowns", "place 9 crowns.": "9 crowns", "9 on the Crown cave": "9 crowns",
    "Coloca 9 en la cueva de las coronas": "9 crowns", "9 CROWNS!": "9 crowns", "crowns 9": "9 crowns",
    "Setze 9 in die Kronenhöhle": "9 crowns", "9 kronen": "9 crowns",
}  # fmt: skip
CHAT = [
    "What happened to the 9 crowns?", "I am thinking, 9 crowns or 8 pearls", "Not 9 crowns", "No 9 coronas",
    "Hi all,", "Thanks, see you on Thursday 9", "ok", "yes", "9", "9 crowns, no, 8 pearls", "Stop mailing me",
    "9 crowns if Ben is not there", "maybe 9 crowns", "¿9 coronas?", "9 crowns tomorrow",
    "Nein, 9 Kronen", "9 Kronen oder doch lieber 8 Perlen?", "die 9 zu den Kronen, oder?",
]  # fmt: skip


def frames() -> Iterator[tuple[str, str, bool]]:
    """Name, text with {} where somebody writes, and whether that must be found there."""
    yield "bare", "{}", True
    for name, attribution in ATTRIBUTIONS.items():
        yield f"top-{name}", "{}\n\n" + f"{attribution}\n{QUOTED}\n", True
        yield f"bottom-{name}", f"{attribution}\n{QUOTED}\n\n" + "{}\n", name not in ("ru", "wrapped")
        yield f"spaced-{name}", "\n\n  {}  \n\n\n" + f"{attribution}\n\n{QUOTED}\n", True
        yield f"unquoted-{name}", "{}\n\n" + f"{attribution}\n\n{BARE}\n", True
    for name, head in {**HEADS, **RULES}.items():
        yield f"top-{name}", "{}\n\n" + f"{head}\n\n{BARE}\n", True
        yield f"bottom-{name}", f"{head}\n\n{BARE}\n\n" + "{}\n", False
    for name, signature in SIGNATURES.items():
        yield f"signed-{name}", "{}" + f"{signature}\n\n{ATTRIBUTIONS['en']}\n{QUOTED}", True
    yield "inline", f"{QUOTED[:60]}\n" + "{}\n" + QUOTED[60:], True
    yield "quoted only", QUOTED + "\n", False
    yield "pipes", "{}\n\n" + "\n".join(f"| {line}" for line in OURS), True


def encoded(text: str, encoding: str) -> tuple[bytes, bytes]:
    """Head fields and body of a text in an encoding such as "utf-8/base64"."""
    charset, transfer = encoding.split("/")
    raw = text.replace("\n", "\r\n").encode(charset, errors="replace")
    body = {"base64": base64.encodebytes, "quoted-printable": quopri.encodestring, "8bit": bytes}[transfer](raw)
    kind = f'Content-Type: text/plain; charset="{charset}"\r\nContent-Transfer-Encoding: {transfer}\r\n'
    return kind.encode(), body


def mail(head: bytes, body: bytes, number: int, *, subject: str = "Re: Your move in Thursday", more: str = "") -> bytes:
    """A whole mail of Anna's."""
    fields = (
        f"From: Anna <anna@example.org>\r\nTo: {WHO}\r\nSubject: {Header(subject, 'utf-8').encode()}\r\n"
        f"Message-ID: <{number}@example.org>\r\nMIME-Version: 1.0\r\nX-Auto-Response-Suppress: All\r\n{more}"
    )
    return fields.encode() + head + b"\r\n" + body


def people() -> Iterator[Sample]:
    """Everything people write, in every frame; then every encoding, and HTML."""
    number = 0
    for name, frame, must in frames():
        for written, means in WRITTEN.items():
            number += 1
            head, body = encoded(frame.format(written), "utf-8/8bit")
            yield Sample(f"{name}: {written}", mail(head, body, number), means if "{}" in frame else "", must)
        number += 1
        head, body = encoded(frame.format(CHAT[number % len(CHAT)]), "utf-8/quoted-printable")
        yield Sample(f"{name}: chat", mail(head, body, number), "", must=False)
    for encoding in (
        "utf-8/base64", "utf-8/quoted-printable", "iso-8859-1/8bit", "iso-8859-1/quoted-printable",
        "windows-1252/base64", "iso-8859-15/8bit", "utf-16/base64", "us-ascii/8bit", "koi8-r/8bit",
        "gb18030/base64", "iso-2022-jp/8bit",
    ):  # fmt: skip
        for name in ("top-en", "bottom-es", "top-outlook-es", "signed-dashes"):
            number += 1
            frame = next(text for found, text, _must in frames() if found == name)
            head, body = encoded(frame.format("9 coronas"), encoding)
            yield Sample(f"{encoding} {name}", mail(head, body, number), "9 crowns", must=True)
    for words in CHAT:
        number += 1
        yield Sample(f"chat: {words}", mail(*encoded(words, "utf-8/8bit"), number), "", must=False)
    yield from _html(number + 1000)
    yield from _flowed(number + 2000)


HTML = {
    "gmail": '<div dir="ltr">{}</div><br><div class="gmail_quote gmail_quote_container"><div class="gmail_attr">On Wed'
    " wrote:<br></div><blockquote>8 pearls</blockquote></div>",
    "apple": '<html><body>{}<br><br><blockquote type="cite">8 pearls</blockquote></body></html>',
    "outlook": "<html><head><style>p {{margin:0}}</style></head><body><div><p>{}</p></div>"
    '<div style="border:none;border-top:solid #E1E1E1 1.0pt"><p><b>From:</b> x</p></div><p>8 pearls</p></body></html>',
    "outlook.com": '<div>{}</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b></div>8 pearls',
    "yahoo": '<div>{}</div><div class="yahoo_quoted"><div>8 pearls</div></div>',
    "thunderbird": '<p>{}</p><div class="moz-cite-prefix">On wrote:</div><blockquote>8 pearls</blockquote>',
    "proton": '<div>{}</div><div class="protonmail_quote">8 pearls</div>',
    "spans": "<div><span>9</span> <span>crowns</span></div><hr>8 pearls",
    "hidden": "<title>8 pearls</title><!-- 8 pearls --><script>8 pearls</script><p>{}</p>",
    "entities": "<p>&nbsp;9&#32;crowns&zwnj;</p><blockquote>8 pearls</blockquote>",
}


# What is written of orders, which move it makes at once, and which orders it leaves: kind and token, or limit.
ORDERED = {
    "9 crowns, 5 guard": (9, [("place", 5)]),
    "9 coronas, luego 5 guardia y luego 2 mercado": (9, [("place", 5), ("place", 2)]),
    "9 crowns; bribe up to 4": (9, [("bribe", 4)]),
    "9 Kronen, dann 5 Wächter, 2 markt": (9, [("place", 5), ("place", 2)]),
    "Anweisung 9 Kronen wenn andere Markt höchstens 1": (None, [("place", 9)]),
    "order 9 crowns, 5 guard": (None, [("place", 9), ("place", 5)]),
    "Orden 9 coronas si otros mercado como máximo 1.": (None, [("place", 9)]),
    "order bribe up to 6 spare gold always": (None, [("bribe", 6)]),
}
HESITANT = [
    "9 crowns, no, 8 pearls", "9 crowns, or 8 pearls", "9 crowns, see you on Thursday", "9 crowns, pass",
    "9 coronas, no, mejor 8 perlas", "9 Kronen, nein, 8 Perlen", "9 Kronen, dann bin ich weg",
    "9 crowns, 5 guard?? what do you think", "in that order, 9 crowns", "order!",
    "order 9 crowns or so", "the order was 9 crowns, 5 guard", "9 crowns, then I am away", "9 crowns, keep",
]  # fmt: skip


def ordered() -> Iterator[Sample]:
    """Lines with orders in every frame, and some encodings; and lines that only look as if they ordered something."""
    number = 200_000
    for name, frame, must in frames():
        for written in ORDERED:
            number += 1
            head, body = encoded(frame.format(written), "utf-8/quoted-printable")
            yield Sample(f"{name}: {written}", mail(head, body, number), written if "{}" in frame else "", must)
        number += 1
        words = HESITANT[number % len(HESITANT)]
        yield Sample(f"{name}: {words}", mail(*encoded(frame.format(words), "utf-8/base64"), number), "", must=False)
    for words in HESITANT:
        number += 1
        yield Sample(words, mail(*encoded(words, "iso-8859-1/8bit"), number), "", must=False)
    for name, html in HTML.items():
        number += 1
        if "{}" in html:
            head = b"Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n"
            written = "9 crowns, 5 guard"
            yield Sample(f"html {name}", mail(head, html.format(written).encode(), number), written, must=True)


def _html(number: int) -> Iterator[Sample]:
    for name, html in HTML.items():
        for written in ("9 crowns", "9 coronas"):
            number += 1
            head = b"Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n"
            content = mail(head, html.format(written).encode(), number)
            yield Sample(f"html {name}: {written}", content, "9 crowns", must=True)
    for name, html in HTML.items():
        number += 1
        head = b'Content-Type: multipart/alternative; boundary="b"\r\n'
        part = "--b\r\nContent-Type: {}; charset=utf-8\r\n\r\n{}\r\n"
        body = part.format("text/plain", f"9 crowns\n\n{ATTRIBUTIONS['en']}\n{QUOTED}")
        body += part.format("text/html", html.format("8 pearls")) + "--b--\r\n"
        yield Sample(f"both parts {name}", mail(head, body.encode(), number), "9 crowns", must=True)


def _flowed(number: int) -> Iterator[Sample]:
    head = b"Content-Type: text/plain; charset=utf-8; format=flowed\r\n"
    for wrapped in ("9 \r\ncrowns", "place 9 \r\ncrowns", "9 crowns \r\n\r\nThanks", "9 on the \r\ncrown \r\ncave"):
        number += 1
        body = f"{wrapped}\r\n\r\n{QUOTED}".encode()
        yield Sample(f"flowed {wrapped!r}", mail(head, body, number), "9 crowns", must=True)
    attached = (
        b'--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename="a.txt"\r\n\r\n8 pearls\r\n'
        b"--b\r\nContent-Type: text/plain\r\n\r\n9 crowns\r\n--b--\r\n"
    )
    head = b'Content-Type: multipart/mixed; boundary="b"\r\n'
    yield Sample("attachment first", mail(head, attached, number + 1), "9 crowns", must=True)


AWAY = [  # subjects of automats that write no header, in the languages of their programs
    "Automatic reply: Your move", "Out of Office: Re: Your move", "Auto: Your move", "Autoreply: Your move",
    "Automatische Antwort: Your move", "Abwesenheitsnotiz: Your move", "Réponse automatique : Your move",
    "Absence du bureau", "Respuesta automática: Te toca", "Fuera de la oficina: Te toca", "Risposta automatica: Re",
    "Resposta automática: Re", "Automatisch antwoord: Re", "Afwezig", "Autosvar: Re", "Automatiskt svar: Re",
    "Automaattinen vastaus: Re", "Automatyczna odpowiedź: Re", "Odpowiedź automatyczna: Re", "Automatická odpověď: Re",
    "Automatikus válasz: Re", "Răspuns automat: Re", "Otomatik Yanıt: Re", "Αυτόματη απάντηση: Re",
    "Автоматический ответ: Re", "Автоответ: Re", "Автоматична відповідь: Re", "自動応答: Re", "自动回复: Re",
    "自動回覆: Re", "자동 회신: Re", "رد تلقائي: Re", "תשובה אוטומטית: Re", "不在通知", "Undeliverable: Your move",
    "Mail delivery failed: returning message to sender", "Delivery Status Notification (Failure)",
    "Undelivered Mail Returned to Sender", "Unzustellbar: Your move", "Returned mail: see transcript for details",
    "Samodejni odgovor: Re", "Fravær: Re",
]  # fmt: skip
MARKS = [  # head fields by which automats say what they are
    "Auto-Submitted: auto-replied", "Auto-Submitted: auto-generated; owner-email=x", "Auto-Submitted: auto-notified",
    "Precedence: bulk", "Precedence: auto_reply", "Precedence: junk", "Precedence: list", "Return-Path: <>",
    "X-Autoreply: yes", "X-Autorespond: Your move", "X-Auto-Reply: 1", "List-Id: <club.example.org>",
    "List-Unsubscribe: <mailto:x@example.org>", "X-Failed-Recipients: x@example.org", "X-Loop: vacation",
    "X-Autogenerated: Reply",
]  # fmt: skip
SENDERS = ["MAILER-DAEMON@example.org", "postmaster@example.org", "no-reply@example.org", "noreply+1@example.org"]


def automats() -> Iterator[Sample]:
    """Programs that answer everything; each writes what would be a move if a person had written it."""
    number = 90_000
    for subject in AWAY:
        number += 1
        content = mail(*encoded("9 crowns", "utf-8/8bit"), number, subject=subject)
        yield Sample(subject, content, "", must=False, is_automatic=True)
    for mark in MARKS:
        number += 1
        content = mail(*encoded("9 crowns", "utf-8/8bit"), number, more=f"{mark}\r\n")
        yield Sample(mark, content, "", must=False, is_automatic=True)
    for sender in SENDERS:
        number += 1
        content = mail(*encoded("9 crowns", "utf-8/8bit"), number).replace(b"anna@example.org", sender.encode())
        yield Sample(sender, content, "", must=False, is_automatic=True)
    number += 1
    report = b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n"
    yield Sample("report", mail(report, b"--b\r\n\r\n9 crowns\r\n--b--", number), "", must=False, is_automatic=True)
