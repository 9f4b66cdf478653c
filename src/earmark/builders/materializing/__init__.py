"""Materialising a release: the clips that its publisher may not ship, cut from the user's own copies of the corpora."""
