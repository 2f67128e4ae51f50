"""Numbers as the pages write them: thousands apart, decimals of the language, signs."""

from __future__ import annotations

from ratingrun.texts import Catalogue


def count(value: int, say: Catalogue) -> str:
    """1234567 -> 1,234,567."""
    return f"{value:,}".replace(",", say("site.thousands")).replace("-", "−")


def signed(value: int, say: Catalogue) -> str:
    """A change: +12, −3, 0."""
    return f"+{count(value, say)}" if value > 0 else count(value, say)


def decimal(value: float | None, say: Catalogue, digits: int = 1, sign: bool = False) -> str:
    """A mean with its decimals; no minus before a nought, a dash for nothing."""
    if value is None:
        return "–"
    text = f"{value:.{digits}f}"
    nought = not text.strip("-0.")
    text = text.lstrip("-") if nought else text
    whole, _, part = text.partition(".")
    shown = count(int(whole), say) if whole != "-0" else "−0"
    mark = "+" if sign and not nought and value > 0 else ""
    return f"{mark}{shown}{say('number.decimal')}{part}" if digits else f"{mark}{shown}"
