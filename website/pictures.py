"""The pictures of the documentation, as SVG: `python website/pictures.py` writes them to docs/pictures.

Subspaces are drawn in real three-dimensional space, seen from the side: what is true of lines and planes
there is true of subspaces of quantum states.
"""

from __future__ import annotations

from math import cos, pi, sin
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
BLUE, ORANGE, GREY, GREEN, RED = "#3f51b5", "#ef6c00", "#78909c", "#2e7d32", "#c62828"
Point = tuple[float, float]
Space = tuple[float, float, float]
CENTRE, UNIT = (160.0, 120.0), 85.0


def seen(x: float, y: float, z: float) -> Point:
    """A point of space on paper."""
    across, deep = x - 0.45 * y, -z + 0.35 * y
    return round(CENTRE[0] + UNIT * across, 1), round(CENTRE[1] + UNIT * deep, 1)


def line(start: Point, end: Point, colour: str, width: float = 2, dashes: str = "") -> str:
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    (x1, y1), (x2, y2) = start, end
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{colour}" stroke-width="{width}"{dashed}/>'


def arrow(to: Space, colour: str, label: str) -> list[str]:
    """A state: a vector from the origin, with its name at the tip."""
    start, end = seen(0, 0, 0), seen(*to)
    return [
        line(start, end, colour, 2.5),
        f'<circle cx="{end[0]}" cy="{end[1]}" r="4" fill="{colour}"/>',
        text((end[0] + 8, end[1] - 4), label, colour),
    ]


def plane(first: Space, second: Space, colour: str, label: str, at: Point) -> list[str]:
    """A parallelogram around the origin."""
    signs = ((1, 1), (1, -1), (-1, -1), (-1, 1))
    corners = [seen(*(a * u + b * v for u, v in zip(first, second, strict=True))) for a, b in signs]
    points = " ".join(f"{x},{y}" for x, y in corners)
    shape = f'<polygon points="{points}" fill="{colour}" fill-opacity="0.18" stroke="{colour}"/>'
    return [shape, text(at, label, colour)]


def text(at: Point, label: str, colour: str = GREY, size: int = 13) -> str:
    safe = label.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f'<text x="{at[0]}" y="{at[1]}" fill="{colour}" font-size="{size}">{safe}</text>'


def box(at: Point, label: str, colour: str, width: float = 86) -> list[str]:
    x, y = at
    place = f'x="{x}" y="{y}" width="{width}" height="30" rx="6"'
    shape = f'<rect {place} fill="none" stroke="{colour}" stroke-width="2"/>'
    return [shape, text((x + 8, y + 20), label, colour)]


def svg(title: str, parts: list[str], width: int = 320, height: int = 220) -> str:
    """A picture that is readable on light and dark pages."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" '
        f'font-family="sans-serif"><title>{title}</title>'
    )
    return "\n".join([head, *parts, "</svg>", ""])


FLOOR = plane((0.9, 0, 0), (0, 0.9, 0), BLUE, "span(|00>, |11>)", (180, 190))


def inside() -> str:
    """A proposition is true if every arrow lies in it."""
    tips: list[Space] = [(0.8, 0.1, 0), (0.55, -0.6, 0), (-0.5, 0.5, 0)]
    arrows = [part for tip in tips for part in arrow(tip, GREEN, "")]
    return svg("all states lie in the plane", [*FLOOR, *arrows])


def outside() -> str:
    """One arrow outside is a counterexample."""
    parts = [*FLOOR, *arrow((0.8, 0.1, 0), GREEN, ""), *arrow((0.45, -0.4, 0.75), RED, "outside")]
    return svg("one state leaves the plane", parts)


def superposition() -> str:
    """The span of two lines is more than the two lines."""
    parts = [*FLOOR, *arrow((0.9, 0, 0), GREY, ""), *arrow((0, -0.9, 0), GREY, "|11>")]
    parts += [*arrow((0.5, -0.5, 0), GREEN, ""), text((214, 138), "|00>")]
    parts.append(text((206, 84), "|00> + |11>", GREEN))
    return svg("a superposition lies in the span and on neither line", parts)


def complement() -> str:
    """Not inside, and orthogonal."""
    parts = [*FLOOR, *arrow((0, 0, 1), ORANGE, "in ~p"), *arrow((0.5, -0.35, 0.7), RED, "in !p only")]
    return svg("orthogonal to the plane, and merely not in it", parts)


def meet() -> str:
    """Two planes meet in a line."""
    wall = plane((0.9, 0, 0), (0, 0, 0.8), ORANGE, "q", (244, 60))
    start, end = seen(-0.9, 0, 0), seen(0.9, 0, 0)
    parts = [*FLOOR[:1], text((250, 185), "p", BLUE), *wall, line(start, end, GREEN, 4)]
    return svg("the meet of two planes is a line", [*parts, text((30, 118), "p /\\ q", GREEN)])


def grover() -> str:
    """The rotation of Grover's search."""
    cx, cy, r = 60.0, 190.0, 160.0
    parts = [line((cx, cy), (cx + r, cy), GREY, 1), line((cx, cy), (cx, cy - r), GREY, 1)]
    parts += [text((cx + r + 6, cy + 4), "the others"), text((cx - 14, cy - r - 8), "marked")]
    for k in range(4):
        angle = (2 * k + 1) * pi / 16
        tip = (round(cx + r * cos(angle), 1), round(cy - r * sin(angle), 1))
        parts += [
            line((cx, cy), tip, BLUE, 2),
            text((tip[0] + 4, tip[1] - 4), f"after {k}" if k else "uniform", BLUE, 11),
        ]
    return svg("each iteration turns the state in the plane", parts)


def retry() -> str:
    """A loop that repeats until success."""
    parts = [
        *box((20, 90), "attempt", BLUE),
        *box((140, 90), "measure", BLUE),
        *box((230, 20), "done", GREEN, 60),
    ]
    parts += [
        line((106, 105), (140, 105), BLUE),
        line((200, 90), (240, 50), GREEN),
        text((228, 78), "0", GREEN),
    ]
    parts += [
        f'<path d="M183 120 C 183 190, 63 190, 63 120" fill="none" stroke="{ORANGE}" stroke-width="2"/>',
        text((118, 190), "1: again", ORANGE),
    ]
    return svg("repeat until success", parts)


def shares() -> str:
    """Transversal CNOTs between two blocks of shares."""
    parts = [text((20, 40), "secret", BLUE), text((20, 170), "verifier", ORANGE)]
    for k in range(5):
        x = 100 + 40 * k
        parts += [line((x, 40), (x, 160), GREY), f'<circle cx="{x}" cy="36" r="7" fill="{BLUE}"/>']
        parts += [f'<circle cx="{x}" cy="165" r="10" fill="none" stroke="{ORANGE}" stroke-width="2"/>']
        parts += [line((x - 10, 165), (x + 10, 165), ORANGE), line((x, 155), (x, 175), ORANGE)]
    return svg("CNOTs from each share of the secret to the verifier's", parts)


def surface() -> str:
    """The faces of the surface code of distance 3."""
    parts, step, left, top = [], 55, 90, 45
    for row in range(4):
        for column in range(4):
            kind = "XZ"[(row + column) % 2]
            if (column if kind == "X" else row) in (0, 3):
                continue
            corners = [
                (left + step * c, top + step * r)
                for r, c in ((row - 1, column - 1), (row - 1, column), (row, column), (row, column - 1))
                if 0 <= r < 3 and 0 <= c < 3
            ]
            if len(corners) == 2:
                out = (left + step * (column - 0.5), top + step * (row - 0.5))
                corners.append(out)
            points = " ".join(f"{x},{y}" for x, y in corners)
            colour = BLUE if kind == "X" else ORANGE
            parts.append(f'<polygon points="{points}" fill="{colour}" fill-opacity="0.3" stroke="{colour}"/>')
    dots = [(left + step * c, top + step * r) for r in range(3) for c in range(3)]
    parts += [f'<circle cx="{x}" cy="{y}" r="7" fill="{GREY}"/>' for x, y in dots]
    return svg("faces of the surface code", parts)


def messages() -> str:
    """Alice, a channel, Bob."""
    parts = [
        *box((20, 60), "Alice", BLUE, 70),
        *box((230, 60), "Bob", GREEN, 60),
        *box((125, 20), "Eve", RED, 56),
    ]
    parts += [line((90, 75), (230, 75), GREY, 2, "6 4"), line((153, 50), (153, 75), RED)]
    parts += [
        line((55, 90), (55, 140), GREY),
        line((260, 90), (260, 140), GREY),
        line((55, 140), (260, 140), GREY),
    ]
    return svg("a protocol", [*parts, text((118, 158), "classical bits")], height=180)


PICTURES = {
    picture.__name__: picture
    for picture in (
        inside,
        outside,
        superposition,
        complement,
        meet,
        grover,
        retry,
        shares,
        surface,
        messages,
    )
}


def main() -> None:
    """Write all pictures."""
    FOLDER.mkdir(exist_ok=True)
    for name, picture in PICTURES.items():
        (FOLDER / f"{name}.svg").write_text(picture(), encoding="utf-8")


if __name__ == "__main__":
    main()
