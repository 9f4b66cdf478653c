"""A family of somebody else's, as small as one can be: which of two clips asks a question? Nothing in Earmark knows of it."""
