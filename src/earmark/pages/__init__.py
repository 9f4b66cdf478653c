"""HTML and SVG for people who would rather look than read."""
