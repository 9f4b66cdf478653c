"""The contrast gate: do the two options of a turn sound different enough, and is the difference no shortcut?

After SpeechEQ (arXiv 2606.25990, section 2.3): six differences earn points, eight at most, and four pass. `features` measures a
clip, `profile` says what a difference is worth, `points` adds up, `gate` says what to do next, `calibration` finds thresholds,
and `shortcuts` chooses among what passed so that the louder option, say, is not always the wrong one.
"""
