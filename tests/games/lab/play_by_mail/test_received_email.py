"""What a person finds in a mail."""

from email.message import EmailMessage

from games.lab.play_by_mail.person import ACT, BACK, Link, ReceivedEmail

ADDRESS = "http://localhost:8000"
TOKEN = "a" * 26


def letter(text, html=""):
    message = EmailMessage()
    message.set_content(text)
    if html:
        message.add_alternative(html, subtype="html")
    return ReceivedEmail.read("anna@example.org", message.as_bytes())


def test_links_that_open_a_door_are_found_once_and_without_their_query():
    url = f"{ADDRESS}/act/abc123/{TOKEN}/"
    found = letter(f"Answer: {url}\nFirst way: {url}?do=place&token=7\nTable: {ADDRESS}/table/xyz/\n").doors
    assert found == [Link(ACT, "abc123", url)]


def test_text_and_html_are_read_apart():
    one = letter(f"{ADDRESS}/back/xyz/2/{TOKEN}/", f'<a href="{ADDRESS}/act/abc123/{TOKEN}/?do=a&amp;b=1">x</a>')
    assert [link.door for link in one.doors] == [BACK]
    assert one.html_doors == [Link(ACT, "abc123", f"{ADDRESS}/act/abc123/{TOKEN}/")]


def test_a_sentence_s_full_stop_is_no_part_of_a_link():
    assert letter(f"See {ADDRESS}/act/abc123/{TOKEN}/.").doors[0].url.endswith(f"{TOKEN}/")


def test_a_code_stands_on_a_line_of_its_own():
    assert letter("Your code is below.\n\n  QJ3K-9XPT\n\nGoodbye\n").code == "QJ3K-9XPT"
    assert letter("No code here, ANNA.\n").code == ""


def test_a_hash_stands_on_a_line_of_its_own():
    text = f"commitment\n{'ab' * 32}\nStop: {ADDRESS}/never-write/{'cd' * 32}.x/\n"
    assert letter(text).hashes == {"ab" * 32}


def test_a_mail_without_html_has_an_empty_one():
    assert letter("words").html == ""
    assert letter("words").html_doors == []
