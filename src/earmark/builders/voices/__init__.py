"""Voices that speak a text when no recording is at hand."""
