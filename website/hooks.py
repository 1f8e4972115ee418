"""The site out of the repository as it is: pages link to files beside `docs/`, and here these links are
bent.

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
    """Links as they are in the repository, as links of the site."""
    here = page.file.src_uri
    parts = FENCE.split(markdown)
    return "".join(part if part.startswith("```") else _bent(part, here) for part in parts)


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
