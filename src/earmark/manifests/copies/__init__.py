"""A published copy: what lies in it, the list of its hashes, and whether it is still what was published."""
