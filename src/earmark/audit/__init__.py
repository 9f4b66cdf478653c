"""May an answer be had without listening to how it was said? Rules that try."""
