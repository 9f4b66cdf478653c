"""Small corpora synthesised in official layouts, for the demo and for tests."""
