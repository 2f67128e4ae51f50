"""A headless Chromium with the calculator's page or a site, driven by Playwright.

Without a browser these tests are skipped and say so; with RATINGRUN_BROWSER=required (as .ci/run sets it) they fail.
RATINGRUN_CHROMIUM names the program where it is not found by itself.
"""

import os
import shutil

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
REMEDY = "install Debian's chromium (or set RATINGRUN_CHROMIUM) and the extra: pip install -e '.[browser]'"


def without(reason):
    """No browser: skipped, or failed where one is required."""
    message = f"no browser test: {reason}; {REMEDY}"
    if os.environ.get("RATINGRUN_BROWSER") == "required":
        pytest.fail(message, pytrace=False)
    pytest.skip(message)


@pytest.fixture(scope="session")
def browser():
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        without("Playwright is not installed")
    program = os.environ.get("RATINGRUN_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if not program:
        without("no Chromium was found")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="session")
def axe():
    """axe-core, as the package for Playwright carries it; without it the test is skipped or failed like the browser."""
    try:
        from axe_playwright_python.sync_playwright import Axe
    except ImportError:
        without("axe-playwright-python is not installed")
    return Axe()


@pytest.fixture(scope="session")
def address(tmp_path_factory):
    """The page as a file."""
    from ratingrun import calc_page

    path = tmp_path_factory.mktemp("page") / "calculator.html"
    path.write_text(calc_page.build(), "utf-8")
    return path.as_uri()


@pytest.fixture
def opened(browser, address):
    """opened(width): the page in a window of that width; an error in its scripts, or a request, fails the test."""
    contexts, faults = [], []

    def opening(width=1280, height=900, **more):
        context = browser.new_context(viewport={"width": width, "height": height}, locale="en-GB", **more)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda request: request.url.startswith("file:") or faults.append(request.url))
        page.goto(address)
        return page

    yield opening
    for context in contexts:
        context.close()
    assert not faults
