"""The site out of the repository as it is: pages are written for code hosts, and adapted to the site here.

Links to files beside `docs/` become links of the site, the file name behind a fence's language becomes the
block's title, and `\\|` in code inside of a table becomes `|`.

README, CONTRIBUTING and CHANGELOG become pages, examples become files of the site, links to folders of
examples lead to the gallery.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
PAGES = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
LINK = re.compile(r"\]\((?!https?:|#)(?P<target>[^)#\s]+)(?P<anchor>#[^)]*)?\)")
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
FILE_NAME = re.compile(r"\A```(\w+) (\S+)$", re.MULTILINE)
ROW = re.compile(r"^\|.*\|$", re.MULTILINE)
CODE = re.compile(r"(`+)(?!`).+?\1")


def on_files(files: Files, config: Any) -> Files:
    """Pages and examples from outside of `docs/`."""
    for name, page in PAGES.items():
        files.append(File.generated(config, page, content=(ROOT / name).read_text(encoding="utf-8")))
    for path in sorted((ROOT / "examples").rglob("*.*")):
        if path.suffix in (".py", ".qasm"):
            uri = path.relative_to(ROOT).as_posix()
            files.append(File.generated(config, uri + ".txt", abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """The page as it is in the repository, in the dialect of the site."""
    here = page.file.src_uri
    parts = FENCE.split(markdown)
    return "".join(_titled(part) if part.startswith("```") else _bent(_rows(part), here) for part in parts)


def _titled(fence: str) -> str:
    """A code block whose second word, a file name, is its title."""
    return FILE_NAME.sub(r'```\1 title="\2"', fence)


def _rows(text: str) -> str:
    """Tables whose code has plain bars: code hosts want them escaped, Python-Markdown shows the escape."""
    return ROW.sub(lambda row: CODE.sub(lambda code: code[0].replace("\\|", "|"), row[0]), text)


def _bent(text: str, here: str) -> str:
    """The links of a piece of text on that page."""
    original = {page: name for name, page in PAGES.items()}.get(here, f"docs/{here}")

    def bend(match: re.Match[str]) -> str:
        target = normpath(str(PurePosixPath(original).parent / match["target"]))
        there = relpath(_on_site(target), PurePosixPath(here).parent.as_posix() or ".")
        return f"]({there}{match['anchor'] or ''})"

    return LINK.sub(bend, text)


def _on_site(target: str) -> str:
    """Where a file of the repository is on the site."""
    if target in PAGES:
        return PAGES[target]
    if target.startswith("docs/"):
        return target.removeprefix("docs/")
    if (ROOT / target).is_dir():
        group = f"gallery/{PurePosixPath(target).name}.md"
        return group if (ROOT / "docs" / group).exists() else "gallery/index.md"
    return f"{target}.txt"
