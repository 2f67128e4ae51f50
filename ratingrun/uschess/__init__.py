"""The US Chess rating system: its dated books and its formulas. Float64 by its specification."""
