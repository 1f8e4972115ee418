"""A real browser for the pages, where one is installed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)


@contextmanager
def launched() -> Iterator[Any]:
    """A headless Chromium; the test is skipped where there is none."""
    driver = pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright")
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip(f"the browser tests need one of {', '.join(NAMES)} on the PATH")
    with driver.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS.split())
        yield browser
        browser.close()


@contextmanager
def opened(browser: Any, file: Path, *, width: int = 1440, scheme: str = "light") -> Iterator[Any]:
    """A page that must neither complain on the console nor ask the network for anything."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    local = ("file:", "data:")
    page.on("request", lambda asked: asked.url.startswith(local) or complaints.append(asked.url))
    page.goto(file.as_uri())
    yield page
    settle(page)
    context.close()
    assert complaints == []


def settle(page: Any) -> None:
    """Wait until the picture has been painted."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
