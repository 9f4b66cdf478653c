"""Valence, arousal and dominance of many clips: heard by a model, or read from a table that somebody brings."""
