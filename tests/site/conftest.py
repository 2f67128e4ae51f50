"""Months to make sites of: sample_data's three, read and built once."""

import functools

import pytest

from ratingrun import site, texts
from ratingrun.site import month


@pytest.fixture(scope="session")
def sources(year):
    """sources(period): what the site of a month of sample_data is made from."""

    @functools.cache
    def of(period):
        source, found = month.read(year / f"{period}-standard", None)
        assert not len(found)
        return source

    return of


@pytest.fixture(scope="session")
def built(sources):
    """built(period): the files of its site."""
    return functools.cache(lambda period: site.build(sources(period), texts.catalogue("en"), None, 50))
