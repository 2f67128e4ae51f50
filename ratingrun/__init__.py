"""ratingrun makes a chess federation's monthly rating list, exactly and with proof."""

__version__ = "0.1.0"
