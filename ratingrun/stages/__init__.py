"""The stages of a rating period: pure functions from frames and a rule book to a frame and findings."""
