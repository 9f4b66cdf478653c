"""Numbers in, numbers out: weights, bootstrap intervals, tests and agreement, ignorant of releases and judges."""
