"""Boards in pixels: laid out of pieces that are drawn once, and not to be told from the whole file drawn at once."""

import io

import pytest
import resvg_py
from PIL import Image, ImageChops, ImageStat

from engine.registry import AnyRules, newest
from games.play import pictures
from games.play.pictures import FAMILY, FONTS, Sprite, SpriteCache, SpriteKey, cut, draw, encode
from games.tables import boards
from tests.readme_pictures import view_after

pytestmark = pytest.mark.slow
NAMES = ["Anna", "Begoña", "Дмитрий"]
FILE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" font-family="system-ui, sans-serif" font-size="12">'
    '<title>unseen</title><defs><path id="dot" d="M-1-1H1V1H-1z" /></defs><rect width="40" height="40" fill="#fff" />'
    "{}</svg>"
)


def drawn_whole(svg: str, width: int) -> Image.Image:
    png = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        font_files=FONTS,
        font_family=FAMILY,
        sans_serif_family=FAMILY,
        skip_system_fonts=True,
    )
    return Image.open(io.BytesIO(png)).convert("RGB")


@pytest.mark.parametrize("width", [400, 800])
@pytest.mark.parametrize("rules", newest(), ids=lambda rules: rules.name)
def test_a_board_of_pieces_looks_like_the_file_drawn_at_once(rules: AnyRules, width: int) -> None:
    view = view_after(rules, 40)
    svg = boards.svg(rules.name, rules.picture(view, "en", NAMES), is_plain=True)
    whole, ours = drawn_whole(svg, width), draw(svg, width)
    assert ours.size == whole.size
    apart = ImageChops.difference(ours, whole)
    assert max(ImageStat.Stat(apart).mean) < 1
    blocks = apart.reduce(width // 100)  # of four units: more than that is a piece that is missing, or elsewhere
    assert max(most for _least, most in blocks.getextrema()) < 30
    with Image.open(io.BytesIO(encode(ours))) as small:
        assert max(ImageStat.Stat(ImageChops.difference(small.convert("RGB"), ours)).mean) < 5


def test_a_group_with_a_place_of_its_own_is_a_piece_and_what_stands_between_two_another() -> None:
    dot = '<use href="#dot" />'
    groups = (
        f'<g transform="translate(10 20)" fill="red" data-pick="x">{dot}<g transform="translate(1 2)">{dot}</g>'
        f'<g opacity="0.5">{dot}</g></g><g transform="translate(3 4) scale(2)">{dot}</g>'
    )
    sheet = cut(FILE.format(groups))
    assert (sheet.width, sheet.height) == (40, 40)
    assert [tuple(piece) for piece in sheet.pieces] == [
        ('<rect width="40" height="40" fill="#fff" />', 0, 0),
        (f'<g fill="red">{dot}</g>', 10, 20),
        (f'<g fill="red"><g>{dot}</g></g>', 11, 22),
        (f'<g fill="red"><g opacity="0.5">{dot}</g></g>', 10, 20),
        (f'<g transform="translate(3 4) scale(2)">{dot}</g>', 0, 0),
    ]
    assert 'id="dot"' in sheet.definitions.used_by(sheet.pieces[1].source)


@pytest.mark.parametrize(
    "svg",
    [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="#080" /></svg>',
        '<?xml version="1.0"?>\n<svg viewBox="0 0 40 40" fill="#080" xmlns="http://www.w3.org/2000/svg">'
        '<!-- <g> --><g/><rect width="40" height="40"/></svg>\n',
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2000 2000"><rect width="2000" height="2000" fill="#080"/>'
        '<g transform="translate(2000 2000)"><rect x="-1999" y="-1999" width="9" height="9" fill="#080"/></g></svg>',
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><defs><rect id="a" width="40" height="20"/></defs>'
        '<g fill="#080"><use href="#a"/><defs><rect id="b" y="20" width="40" height="20"/></defs>'
        '<use href="#b"/></g></svg>',
    ],
    ids=["no-defs", "inherited-fill", "large", "defs-twice"],
)
def test_any_svg_of_an_author_is_drawn_whole(svg: str) -> None:
    assert draw(svg, 40).getcolors() == [(1600, (0, 0x88, 0))]


def test_what_is_no_board_is_refused() -> None:
    with pytest.raises(ValueError, match="no viewBox"):
        draw("<svg>nothing</svg>", 400)
    with pytest.raises(ValueError, match="one <svg> element"):
        draw("nothing", 400)


@pytest.mark.parametrize("name", ["Anna", "Begoña", "Дмитрий", "Ελένη", "→✓×–"])
def test_names_are_written_with_the_font_that_is_bundled(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = FILE.format(f'<text y="20">{name}</text>')
    nothing = draw(FILE.format(""), 40).tobytes()
    written = draw(words, 40).tobytes()
    pictures.sprites.clear()
    monkeypatch.setattr(pictures, "FONTS", [])
    assert draw(words, 40).tobytes() == nothing != written


def test_the_sprites_that_were_used_last_are_kept_up_to_a_number_of_bytes() -> None:
    cache, drawn = SpriteCache(most_bytes=1000), []

    def sprite(name: str) -> None:
        made = Sprite(Image.new("RGB", (10, 10)), None, 0, 0)
        cache.get(SpriteKey(name, "", "", 400, 1, 0, 0), lambda: drawn.append(name) or made)

    for name in ("one", "two", "one", "three", "one", "two"):
        sprite(name)
    assert drawn == ["one", "two", "three", "two"] and cache.bytes == 800


def test_a_piece_is_drawn_once_for_sheets_of_other_heights_and_with_other_definitions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[str] = []
    really = pictures.rasterise
    monkeypatch.setattr(pictures, "rasterise", lambda svg, style="": drawn.append(svg) or really(svg, style))
    monkeypatch.setattr(pictures, "sprites", SpriteCache(most_bytes=1_000_000))
    piece = '<defs><circle id="dot" r="4"/>{}</defs><g transform="translate(9 9)"><use href="#dot"/></g>'
    for height, beside in ((100, ""), (140, '<rect id="beside"/>')):
        draw(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 {height}">{piece.format(beside)}</svg>', 40)
    assert len(drawn) == 2, "once to measure it, once to draw it"
