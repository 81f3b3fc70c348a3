"""Draws the icons of the site on a home screen, from the icon of its browser tab.

    python -m tests.app_icons

They are written to games/static/games/app/.
"""

import re
from pathlib import Path

from resvg_py import svg_to_bytes

ROOT = Path(__file__).resolve().parent.parent
TAB_ICON = ROOT / "games" / "static" / "games" / "icon.svg"
FOLDER = ROOT / "games" / "static" / "games" / "app"
SHEET = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">{body}</svg>'
GROUND = '<rect width="32" height="32" fill="#141a3c"/>'
SMALLER = '<g transform="translate(16 16) scale(0.72) translate(-16 -16)">{body}</g>'  # in the circle that no mask cuts
SIZES = {"icon-192": 192, "icon-512": 512, "maskable-512": 512, "apple-180": 180, "badge-96": 96}


def main() -> None:
    """Draw all of them."""
    FOLDER.mkdir(exist_ok=True)
    for name, svg in icons().items():
        path = FOLDER / f"{name}.png"
        path.write_bytes(bytes(svg_to_bytes(svg_string=svg, width=SIZES[name], height=SIZES[name])))
        print(path)


def icons() -> dict[str, str]:
    """The drawings by name. What a system cuts to a shape of its own reaches to the edges; a badge has one colour."""
    body = re.sub(r"</?svg[^>]*>", "", TAB_ICON.read_text())
    arch = re.sub(r"<rect[^>]*/>", "", body)
    whole = SHEET.format(body=body)
    masked = SHEET.format(body=GROUND + SMALLER.format(body=arch))
    silhouette = re.sub(r'<path fill="#d78d26"[^>]*/>', "", arch).replace("#f2a93b", "#fff")
    return {
        "icon-192": whole,
        "icon-512": whole,
        "maskable-512": masked,
        "apple-180": masked,
        "badge-96": SHEET.format(body=silhouette),
    }


if __name__ == "__main__":
    main()
