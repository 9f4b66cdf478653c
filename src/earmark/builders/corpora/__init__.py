"""Readers of other people's corpora in their official layouts, one module each."""
