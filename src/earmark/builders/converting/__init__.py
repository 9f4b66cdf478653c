"""Other people's prediction files made into ours: one sub-package for each format."""
