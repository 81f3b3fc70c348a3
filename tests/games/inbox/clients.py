# ruff: noqa: E501  # heads and HTML stand as programs send them
"""Answers by mail as fifteen programs send them: their heads, their quotes, their HTML, in many languages.

What the writer wrote is "9 crowns" in some words, right above what his program puts there; what is quoted would be
the move "8 pearls". The structures are those of the programs, the words our own.
"""

import base64
import quopri
import textwrap
from collections.abc import Callable, Iterator
from itertools import cycle
from random import Random

from tests.games.inbox.corpus import ATTRIBUTIONS, BARE, OURS, QUOTED, WHO, WRITTEN, Sample

MANY = {
    **ATTRIBUTIONS,
    "yahoo-en": f"On Wednesday, March 4, 2026 at 12:00:00 PM GMT+1, {WHO} wrote:",
    "yahoo-de": f"Am Mittwoch, 4. März 2026 um 12:00:00 MEZ hat {WHO} Folgendes geschrieben:",
    "yahoo-es": f"El miércoles, 4 de marzo de 2026, 12:00:00 CET, {WHO} escribió:",
    "yahoo-fr": f"Le mercredi 4 mars 2026 à 12:00:00 UTC+1, {WHO} a écrit :",
    "apple-en": f"On Mar 4, 2026, at 12:00 PM, {WHO} wrote:",
    "apple-de": f"Am 04.03.2026 um 12:00 schrieb {WHO}:",
    "apple-es": f"El 4 mar 2026, a las 12:00, {WHO} escribió:",
    "apple-nl": f"Op 4 mrt 2026 om 12:00 heeft {WHO} het volgende geschreven:",
    "apple-da": f"Den 4. mar. 2026 kl. 12.00 skrev {WHO}:",
    "apple-fi": f"{WHO} kirjoitti 4.3.2026 kello 12.00:",
    "apple-cs": f"4. 3. 2026 v 12:00, {WHO}:",
    "apple-el": f"Στις 4 Μαρ 2026, στις 12:00, ο χρήστης {WHO} έγραψε:",
    "apple-hu": f"{WHO} ezt írta (2026. márc. 4., Sze, 12:00):",
    "apple-ro": f"Pe mie., 4 mar. 2026 la 12:00, {WHO} a scris:",
    "apple-uk": f"ср, 4 бер. 2026 р. о 12:00 {WHO} пише:",
    "apple-he": f"\u200f\u202b\u202aבתאריך יום ד׳, 4 במרץ 2026 ב-12:00 מאת {WHO}:",
    "apple-ar": f"في الأربعاء، 4 مارس 2026 في 12:00 م تمت كتابة ما يلي بواسطة {WHO}:",
    "thunderbird-en": "On 3/4/26 12:00, Caravanserai wrote:",
    "thunderbird-de": "Am 04.03.26 um 12:00 schrieb Caravanserai:",
    "thunderbird-fr": "Le 04/03/2026 à 12:00, Caravanserai a écrit :",
    "thunderbird-it": "Il 04/03/26 12:00, Caravanserai ha scritto:",
    "mutt": "On Wed, Mar 04, 2026 at 12:00:00PM +0100, Caravanserai wrote:",
    "roundcube-de": "Am 2026-03-04 12:00, schrieb Caravanserai:",
    "kmail": "On Wednesday, 4 March 2026 12:00:00 CET Caravanserai wrote:",
    "vivaldi": f"On 04.03.2026 12:00, {WHO} wrote:",
    "k9": f'Am 4. März 2026 12:00:00 MEZ schrieb "Caravanserai" {WHO.partition(" ")[2]}:',
    "gmail-wrapped": "On Wed, Mar 4, 2026 at 12:00 PM Caravanserai <\nreply+k3v9pq2mzt7a-aaaa@play.example.org> wrote:",
    "gmail-wrapped-de": "Am Mi., 4. März 2026 um 12:00 Uhr schrieb Caravanserai <\nreply+k3v9@play.example.org>:",
    "wrapped-at-72": "On Wednesday, March 4, 2026 at 12:00:00 PM GMT+1, Caravanserai of the\ntable Thursday <a@b.org>\nwrote:",
    "a word of one's own": "Thanks, everybody:",
    "a word of one's own-de": "Caravanserai meinte:",
}
BLOCKS = {
    "outlook-en": f"From: {WHO}\nSent: Wednesday, March 4, 2026 12:00 PM\nTo: Anna\nSubject: Your move",
    "outlook-de": f"Von: {WHO}\nGesendet: Mittwoch, 4. März 2026 12:00\nAn: Anna\nBetreff: Your move",
    "outlook-es": "De: Caravanserai\nEnviado: miércoles\nPara: Anna\nAsunto: Te toca",
    "outlook-fr": f"De : {WHO}\nEnvoyé : mercredi 4 mars 2026 12:00\nÀ : Anna\nObjet : Your move",
    "outlook-it": f"Da: {WHO}\nInviato: mercoledì 4 marzo 2026 12:00\nA: Anna\nOggetto: Your move",
    "outlook-nl": "Van: Caravanserai\nVerzonden: woensdag 4 maart 2026 12:00\nAan: Anna\nOnderwerp: Your move",
    "outlook-pl": f"Od: {WHO}\nWysłane: środa, 4 marca 2026 12:00\nDo: Anna\nTemat: Your move",
    "outlook-ru": f"От: {WHO}\nОтправлено: 4 марта 2026 г. 12:00\nКому: Anna\nТема: Your move",
    "outlook-ja": f"差出人: {WHO}\n送信日時: 2026年3月4日 12:00\n宛先: Anna\n件名: Your move",
    "outlook-bold": f"*From:* {WHO}\n*Sent:* Wednesday, March 4, 2026 12:00 PM\n*To:* Anna",
    "original": f"-----Original Message-----\nFrom: {WHO}\nTo: Anna",
    "original-de": f"-----Ursprüngliche Nachricht-----\nVon: {WHO}\nAn: Anna",
    "original-es": "----- Mensaje original -----\nDe: Caravanserai",
    "original-fr": "-------- Message d'origine --------\nDe : Caravanserai",
    "original-gmx": f"Gesendet: Mittwoch, 04. März 2026 um 12:00 Uhr\nVon: {WHO}\nAn: Anna\nBetreff: Your move",
    "zoho": f"---- On Wed, 04 Mar 2026 12:00:00 +0100 {WHO} wrote ----",
    "outlook-app": f"________________________________\nFrom: {WHO}",
    "groupwise": ">>> Caravanserai 04.03.26 12.00 Uhr >>>",
    "proton": "------- Original Message -------\nOn Wednesday, March 4th, 2026 at 12:00 PM, Caravanserai wrote:",
    "dashes of a telephone": "⁣———— Original ————\nFrom: Caravanserai",
}
HEADS = {  # each with the encoding of the body where that program has it, seldom last
    "gmail": "MIME-Version: 1.0\nReferences: <a@b>\nIn-Reply-To: <a@b>\nFrom: Anna <anna@example.org>\nDate: {date}\n"
    "Message-ID: <{id}@mail.example.org>\nSubject: {subject}\nTo: {to}\nContent-Type: {kind}\n"
    "Content-Transfer-Encoding: {encoding}",
    "iphone": "Content-Type: {kind}\nContent-Transfer-Encoding: {encoding}\nFrom: Anna <anna@example.org>\n"
    "Mime-Version: 1.0 (1.0)\nSubject: {subject}\nDate: {date}\nMessage-Id: <{id}@example.org>\nReferences: <a@b>\n"
    "In-Reply-To: <a@b>\nTo: {to}\nX-Mailer: iPhone Mail (23A1)",
    "apple": "From: Anna <anna@example.org>\nContent-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n"
    "Mime-Version: 1.0 (Mac OS X Mail 16.0)\nSubject: {subject}\nDate: {date}\nTo: {to}\n"
    "Message-Id: <{id}@example.org>\nX-Mailer: Apple Mail (2.1)",
    "outlook": "From: Anna <anna@example.org>\nTo: {to}\nReferences: <a@b>\nSubject: {subject}\nDate: {date}\n"
    "Message-ID: <{id}@example.org>\nMIME-Version: 1.0\nContent-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n"
    "X-Mailer: Microsoft Outlook 16.0\nThread-Index: AQHZ\nContent-Language: en-us",
    "exchange": "From: Anna <anna@example.org>\nTo: {to}\nSubject: {subject}\nThread-Topic: Your move\nDate: {date}\n"
    "Message-ID: <{id}@example.org>\nAccept-Language: en-US\nContent-Language: en-US\nX-MS-Has-Attach:\n"
    "Content-Type: {kind}\nContent-Transfer-Encoding: {encoding}\nMIME-Version: 1.0",
    "yahoo": "Date: {date}\nFrom: Anna <anna@example.org>\nTo: {to}\nMessage-ID: <{id}@mail.example.org>\n"
    "Subject: {subject}\nMIME-Version: 1.0\nContent-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n"
    "References: <a@b>\nX-Mailer: WebService/1.1 YMailNorrin\nContent-Length: 300",
    "thunderbird": "Message-ID: <{id}@example.org>\nDate: {date}\nMIME-Version: 1.0\nUser-Agent: Mozilla Thunderbird\n"
    "Subject: {subject}\nTo: {to}\nContent-Language: de-DE\nFrom: Anna <anna@example.org>\nIn-Reply-To: <a@b>\n"
    "Content-Type: {kind}\nContent-Transfer-Encoding: {encoding}",
    "k9": "Date: {date}\nFrom: Anna <anna@example.org>\nTo: {to}\nSubject: {subject}\nUser-Agent: K-9 Mail\n"
    "Message-ID: <{id}@example.org>\nMIME-Version: 1.0\nContent-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n"
    "Autocrypt: addr=anna@example.org; keydata=\n xsBNBF",
    "samsung": "Date: {date}\nSubject: {subject}\nMessage-ID: <{id}@example.org>\nImportance: normal\n"
    "From: Anna <anna@example.org>\nTo: {to}\nMIME-Version: 1.0\nContent-Type: {kind}\n"
    "Content-Transfer-Encoding: {encoding}\nX-Null-Tag: 0",
    "gmx": "MIME-Version: 1.0\nMessage-ID: <{id}@example.org>\nFrom: Anna <anna@example.org>\nTo: {to}\n"
    "Subject: {subject}\nContent-Type: {kind}\nContent-Transfer-Encoding: {encoding}\nDate: {date}\n"
    "Importance: normal\nSensitivity: Normal",
    "mutt": "Date: {date}\nFrom: Anna <anna@example.org>\nTo: {to}\nSubject: {subject}\nMessage-ID: <{id}@example.org>\n"
    "MIME-Version: 1.0\nContent-Type: {kind}\nContent-Disposition: inline\nContent-Transfer-Encoding: {encoding}\n"
    "In-Reply-To: <a@b>",
    "roundcube": "MIME-Version: 1.0\nDate: {date}\nFrom: Anna <anna@example.org>\nTo: {to}\nSubject: {subject}\n"
    "User-Agent: Roundcube Webmail\nMessage-ID: <{id}@example.org>\nX-Sender: anna@example.org\nContent-Type: {kind}\n"
    "Content-Transfer-Encoding: {encoding}",
    "proton": "Date: {date}\nTo: {to}\nFrom: Anna <anna@example.org>\nSubject: {subject}\nMessage-ID: <{id}@example.org>\n"
    "MIME-Version: 1.0\nContent-Type: {kind}\nContent-Transfer-Encoding: {encoding}\nFeedback-ID: 1:user:proton",
    "zoho": "Date: {date}\nFrom: Anna <anna@example.org>\nTo: {to}\nMessage-Id: <{id}@example.org>\nSubject: {subject}\n"
    "MIME-Version: 1.0\nContent-Type: {kind}\nContent-Transfer-Encoding: {encoding} \nImportance: Medium",
    "squirrelmail": "Message-ID: <{id}@example.org>\nDate: {date}\nSubject: {subject}\nFrom: anna@example.org\nTo: {to}\n"
    "User-Agent: SquirrelMail/1.4.23\nMIME-Version: 1.0\nContent-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n"
    "X-Priority: 3 (Normal)",
}
ENCODINGS = ("quoted-printable", "base64", "8bit", "QUOTED-PRINTABLE", "Base64")
PLAIN, HTML = 'text/plain; charset="utf-8"', 'text/html; charset="utf-8"'


def mail(
    client: str, number: int, text: str, *, kind: str = PLAIN, encoding: str = "8bit", charset: str = "utf-8"
) -> bytes:
    """A mail as a client sends it, with the line ends of SMTP."""
    head = HEADS[client].format(
        date="Wed, 04 Mar 2026 12:30:00 +0100", id=f"{client}.{number}", subject="Re: Your move in Thursday", to=WHO,
        kind=kind, encoding=encoding,
    )  # fmt: skip
    content = text.replace("\n", "\r\n").encode(charset)
    how = {"base64": base64.encodebytes, "quoted-printable": quopri.encodestring}.get(encoding.lower().strip(), bytes)
    return (
        head.replace("\n", "\r\n").encode() + b"\r\n\r\n" + how(content).replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    )


def marked(text: str, mark: str = "> ") -> str:
    """Each line with a mark before it."""
    return "\n".join(f"{mark}{line}".rstrip() for line in text.split("\n"))


def above() -> Iterator[tuple[str, str]]:
    """Texts with {} where somebody writes, right above what his program puts there."""
    for name, attribution in MANY.items():
        yield f"{name}, right above", "{}\n" + f"{attribution}\n{QUOTED}\n"
        yield f"{name}, marked as well", "{}\n" + marked(f"{attribution}\n\n{BARE}")
        if "own" not in name:
            yield f"{name}, nothing marked", "{}\n" + f"{attribution}\n\n{BARE}\n"
            yield f"{name}, an empty line above the quotation", "{}\n" + f"{attribution}\n\n{QUOTED}\n"
    for name, block in BLOCKS.items():
        yield f"{name}, right above", "{}\n" + f"{block}\n\n{BARE}\n"
        yield f"{name}, marked", "{}\n" + f"{marked(block)}\n{QUOTED}\n"
        yield f"{name}, behind a telephone's words", "{}\n\nSent from my phone\n" + f"{block}\n\n{BARE}\n"
    yield "no attribution", "{}\n" + QUOTED
    yield "a mark alone", "{}\n> On ... wrote:\n>"
    yield "initials before each line", "{}\nCaravanserai wrote:\n" + marked(BARE, "CV> ")
    yield "pipes", "{}\nCaravanserai wrote:\n" + marked(BARE, "| ")
    yield "two levels", "{}\nOn Tuesday Ben wrote:\n" + marked(f"On Monday Caravanserai wrote:\n{QUOTED}")
    yield "a greeting of one's own above the quotation", "{}\nThanks, everybody:\n> Hello\n"
    yield "invisible letters before it", "\ufeff\u200b{}\nOn 4.3.2026 12:00 Caravanserai wrote:\n" + QUOTED


WEB = {  # HTML as it is written; where two values stand: what is written, and what is above the quotation
    "gmail": '<div dir="ltr">{}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">'
    '{}<br></div><blockquote class="gmail_quote" style="margin:0px;border-left:1px solid">8 pearls</blockquote></div>',
    "gmail on a telephone": '<div dir="auto">{}</div><div class="gmail_quote"><div>{}</div>8 pearls</div>',
    "apple": '<html><body style="overflow-wrap: break-word;">{}<br><div><blockquote type="cite"><div>{}</div>8 pearls'
    "</blockquote></div></body></html>",
    "iphone": '<html><body dir="auto">{}<div dir="ltr"></div><div dir="ltr"><blockquote type="cite">{}<br>8 pearls'
    "</blockquote></div></body></html>",
    "outlook": '<html><head><style><!-- p.MsoNormal {{margin:0}} --></style></head><body><div class="WordSection1">'
    '<p class="MsoNormal">{}<o:p></o:p></p><p class="MsoNormal"><o:p>&nbsp;</o:p></p><div style="border:none;'
    'border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal"><b>From:</b> {}</p></div>8 pearls',
    "outlook.com": '<div class="elementToProof">{}</div><div id="appendonsend"></div><hr tabindex="-1"><div id="divRplyFwdMsg">'
    "<b>From:</b> {}</div><div>8 pearls</div>",
    "outlook on a telephone": '<div dir="ltr">{}</div><div id="ms-outlook-mobile-signature"></div><div id="mail-editor-'
    'reference-message-container"><hr><div>{}</div>8 pearls</div>',
    "yahoo": '<div class="yahoo-style-wrap"><div dir="ltr">{}</div></div><div id="yahoo_quoted_1" class="yahoo_quoted">'
    "<div>{}</div><div>8 pearls</div></div>",
    "yahoo, right above": "<div>{}</div><div>{}</div><blockquote>8 pearls</blockquote>",
    "thunderbird": '<p>{}</p><div class="moz-cite-prefix">{}<br></div><blockquote type="cite">8 pearls</blockquote>',
    "proton": '<div style="font-family: Arial">{}</div><div class="protonmail_quote">{}<br><blockquote>8 pearls',
    "gmx": '<div>{}<div name="quote" style="margin:10px 5px;border-left:2px solid #C3D9E5;"><div>{}</div>8 pearls</div></div>',
    "zimbra": '<div>{}</div><hr id="zwchr" data-marker="__DIVIDER__"><div data-marker="__HEADERS__">{}</div>8 pearls',
    "zoho": '<div>{}</div><div class="zmail_extra"><div>---- {} ----</div><blockquote>8 pearls</blockquote></div>',
    "samsung": '<div dir="auto">{}</div><div style="font-size:100%" class="original-message"><div>{}</div>8 pearls</div>',
    "mail.ru": '<div>{}</div><blockquote style="border-left:1px solid #0857A6">{}<br>8 pearls</blockquote>',
    "fairemail": '<p dir="auto">{}</p><div class="fairemail_quote"><p>{}</p><blockquote>8 pearls</blockquote></div>',
    "spark": '<div name="messageBodySection"><div dir="auto">{}</div></div><div name="messageReplySection">{}<br>8 pearls</div>',
    "nothing but lines": "{}<br>{}<br><br>8 pearls",
    "a hidden line first": '<div style="display:none">8 pearls</div><div>{}</div><div>{}</div><div>8 pearls</div>',
    "a line that is taken back": "<div><s>8 pearls</s></div><div>{}</div><div>{}</div><div>8 pearls</div>",
}
SPELLED = [  # "9 crowns" as HTML has it
    "9 crowns", "9 <b>crowns</b>", "<span>9</span> <span>crowns</span>", "9&nbsp;crowns", "<font>9 </font>crowns",
    "<b>9</b>\n<i>crowns</i>", "9\n  crowns", "<s>8 pearls</s> 9 crowns", "<del>8</del> 9 <u>crowns</u>",
    '<span style="text-decoration: line-through">8 pearls</span> 9 crowns', "9 crowns<br>", "9&#160;<a>crowns</a>",
    "<strike>no, 8 pearls</strike>9 crowns", "<p>9 crowns</p>", "<span>9 crowns</span><span hidden> no</span>",
]  # fmt: skip


def everybody() -> Iterator[Sample]:
    """Mails of all clients that must be heard."""
    clients, encodings, words = cycle(HEADS), cycle(ENCODINGS), cycle(WRITTEN)
    number = 0
    for name, frame in above():
        for _ in range(2):
            number += 1
            client, encoding = next(clients), next(encodings)
            content = mail(client, number, frame.format(next(words)), encoding=encoding)
            yield Sample(f"{name} ({client}, {encoding})", content, "9 crowns", must=True)
    shown, attributions = cycle(SPELLED), cycle(one.replace("<", "&lt;") for one in ATTRIBUTIONS.values())
    for name, frame in WEB.items():
        for spelled in (*SPELLED[:3], next(shown), next(shown)):
            number += 1
            client, encoding = next(clients), next(encodings)
            text = frame.format(spelled, next(attributions))
            content = mail(client, number, text, kind=HTML, encoding=encoding)
            yield Sample(f"HTML of {name}: {spelled} ({client}, {encoding})", content, "9 crowns", must=True)
    for spelled in SPELLED:
        number += 1
        content = mail(
            next(clients), number, WEB["gmail"].format(spelled, "On Wed"), kind=HTML, encoding=next(encodings)
        )
        yield Sample(f"HTML spelled {spelled}", content, "9 crowns", must=True)
    yield from labelled(number)


def labelled(number: int) -> Iterator[Sample]:
    """Texts in another charset than they say, and joined lines (RFC 3676)."""
    text = "Setze 9 in die Kronenhöhle\nAm 04.03.2026 um 12:00 schrieb Caravanserai:\n" + QUOTED
    for says, charset in (
        ("iso-8859-1", "utf-8"), ("us-ascii", "utf-8"), ("windows-1252", "utf-8"), ("utf-8", "windows-1252"),
        ("x-unknown", "utf-8"), ("", "utf-8"), ("us-ascii", "iso-8859-1"), ("gb18030", "utf-8"), ("utf-16", "utf-8"),
        ("iso-2022-jp", "utf-8"), ("unknown-8bit", "utf-8"), ("iso-8859-15", "iso-8859-1"),
    ):  # fmt: skip
        for client, encoding in zip(("iphone", "outlook", "gmx"), ENCODINGS, strict=False):
            number += 1
            kind = f"text/plain; charset={says}" if says else "text/plain"
            content = mail(client, number, text, kind=kind, encoding=encoding, charset=charset)
            yield Sample(f"{charset} as {says or 'nothing'} ({client}, {encoding})", content, "9 crowns", must=True)
    for name, parameters, written in (
        ("flowed", "format=flowed", "9 \ncrowns"), ("flowed and joined", "format=flowed; delsp=yes", "9 crow \nns"),
        ("joined with a space", "format=flowed; delsp=yes", "9  \ncrowns"), ("stuffed", "format=flowed", " 9 crowns"),
    ):  # fmt: skip
        number += 1
        kind = f"text/plain; charset=utf-8; {parameters}"
        content = mail("apple", number, f"{written}\nOn 3/4/26 12:00, Caravanserai wrote:\n{QUOTED}", kind=kind)
        yield Sample(name, content, "9 crowns", must=True)


LONG = "You may place any of your tokens at any of the places that are still free, for example 8"


def nobody() -> Iterator[Sample]:
    """Mails in which only quoted lines would be a move, however a program broke the quotation."""
    texts = {
        "a soft line break took the mark": f"> {LONG}\npearls\n> more",
        "a long line lost the mark of its end": f"> {LONG} gold, or for another example that is longer\n8 pearls\n> more",
        "the same, above an attribution": f"On Wed, 4 Mar 2026 Ben wrote:\n> {LONG}, that is\n8 pearls",
        "undecoded soft breaks": f"> {LONG[:70]}=\n8 pearls\n> more",
        "everything below lost its mark": "> Hello Anna,\n>\n> it is your turn\n8 pearls\n",
        "a mark before each paragraph": f"> {LONG}\nor at another place\n\n8 pearls",
        "a mark before the first line": "> Hello Anna,\nit is your turn\n\n8 pearls",
        "flowed without marks": f"> {LONG} \n8 pearls",
        "marks that became text": marked(BARE, "&gt; "),
        "an inline answer that is none": f"> {OURS[0]}\n\n8 pearls\n\n> 1a (Market)",
        "below all of it": f"{QUOTED}\n\n8 pearls",
        "initials": marked("8 pearls\nHello", "CV> "),
        "a lone frame": "8 pearls".join(["│ ", "\n"]),
        "GroupWise": ">>> Caravanserai <a@b.org> 3/4/2026 12:00 PM >>>\n8 pearls\n",
        "a bullet list of fields": "From: Caravanserai\nDate: Wednesday\nTo: Anna\n\n8 pearls",
        "fields of other words": "Absender: Caravanserai\nZeit: gestern\nThema: Zug\n8 pearls",
        "a telephone's rule": "⁣———— Original ————\n8 pearls",
        "a rule of signs": "~~~~~~~~\n8 pearls",
        "brackets": "[Quoted text]\n8 pearls",
    }
    for name, attribution in MANY.items():
        if "own" not in name:
            texts[f"{name}, nothing marked, nothing written"] = f"{attribution}\n\n8 pearls\n"
            texts[f"{name}, right below"] = f"{attribution}\n8 pearls\n"
        texts[f"{name}, then a broken line"] = f"{attribution}\n> {LONG}\n8 pearls\n> more"
        texts[f"{name}, marked, then one without"] = f"> {attribution}\n> {LONG}\n8 pearls"
    for name, block in BLOCKS.items():
        texts[f"{name}, nothing written"] = f"{block}\n\n8 pearls\n"
        texts[f"{name}, right below"] = f"{block}\n8 pearls\n"
    web = {
        f"HTML of {name}, nothing written": frame.format("", "On Wed, 4 Mar 2026 at 12:00, Caravanserai wrote:")
        for name, frame in WEB.items()
    } | {
        "HTML whose quotation is closed too early": "<blockquote>Hello</blockquote><div>8 pearls</div>",
        "HTML struck out": "<s>8 pearls</s>", "HTML deleted": "<p><del>8 pearls</del></p>",
        "HTML struck out beyond its paragraph": "<p><s>x</p><p>8 pearls</p>",
        "HTML struck out by style": '<p style="color:red; text-decoration:underline line-through">8 pearls</p>',
        "HTML without a size": '<p style="font-size:0px">8 pearls</p>', "HTML in a template": "<template>8 pearls</template>",
        "HTML hidden": "<p hidden>8 pearls</p>", "HTML of Outlook, hidden": '<p style="mso-hide:all">8 pearls</p>',
        "HTML that shows a quotation by a line": '<div style="border-left: 2px solid blue">8 pearls</div>',
        "HTML of marks": "<div>&gt; 8 pearls</div>", "HTML of a field": "<p><b>From:</b> a@b.org</p><p>8 pearls</p>",
        "HTML of fields": "<div><b>Von:</b> C.</div><div><b>Gesendet:</b> heute</div><div><b>An:</b> A.</div>8 pearls",
        "HTML whose hidden element never ends": '<div style="display:none"><p>x</p>8 pearls',
    }  # fmt: skip
    clients, encodings = cycle(HEADS), cycle(ENCODINGS)
    for number, (name, text) in enumerate((texts | web).items(), 500_000):
        client, encoding = next(clients), next(encodings)
        kind = HTML if name in web else PLAIN
        kind = f"{kind}; format=flowed" if name.startswith("flowed") else kind
        content = mail(client, number, text, kind=kind, encoding=encoding)
        yield Sample(f"{name} ({client}, {encoding})", content, "", must=False)


def mutilated(number: int) -> Iterator[Sample]:
    """As many answers, or mails without one, whose quotation a program broke in several ways at once."""
    quoted = [*OURS, "", f"{LONG} pearls, or any other of those", "8 pearls", f"{LONG} gold", "8 pearls"]
    heads = [*MANY.values(), *BLOCKS.values()]
    for seed in range(number):
        chance = Random(seed)
        mark = chance.choice(["> ", ">", "", "| ", "CV> ", "> > "])
        lines = [*chance.choice(heads).split("\n"), *[""] * chance.choice([0, 0, 1])]
        lines += marked("\n".join(quoted), mark).split("\n") if mark else quoted
        for break_lines in chance.sample(WAYS, chance.randrange(1, 4)):
            lines = break_lines(lines, chance)
        own = chance.choice(["", "9 crowns\n", "9 crowns\n\n"])
        client, encoding = chance.choice(list(HEADS)), chance.choice(ENCODINGS)
        content = mail(client, 700_000 + seed, own + "\n".join(lines), encoding=encoding)
        yield Sample(f"seed {seed}", content, own.strip(), must=bool(own))


def _wrapped(lines: list[str], chance: Random) -> list[str]:
    width = chance.choice([30, 40, 60, 64, 72, 76, 78])
    return [part for line in lines for part in textwrap.wrap(line, width) or [""]]


def _unmarked_below(lines: list[str], chance: Random) -> list[str]:
    at = chance.randrange(len(lines))
    return [*lines[:at], *(line.lstrip("> ") for line in lines[at:])]


WAYS: list[Callable[[list[str], Random], list[str]]] = [
    _wrapped,
    _unmarked_below,
    lambda lines, chance: [line.lstrip("> ") if chance.random() < 0.2 else line for line in lines],
    lambda lines, chance: [part for line in lines for part in (line, "")],
    lambda lines, chance: [line for line in lines if line.strip(" >")],
    lambda lines, chance: [
        line[at : at + 75] + "=" * (len(line) > at + 75) for line in lines for at in range(0, max(1, len(line)), 75)
    ],
    lambda lines, chance: [f"    {line}" for line in lines],
    lambda lines, chance: [" ".join(lines[at : at + 2]) for at in range(0, len(lines), 2)],
    lambda lines, chance: ["" if line.strip() == ">" else line for line in lines],
]
