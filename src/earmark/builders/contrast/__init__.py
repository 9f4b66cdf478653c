"""The contrast gate: do the two options of a turn sound different enough, and is the difference no shortcut?

After SpeechEQ (arXiv 2606.25990, section 2.3): six differences earn points, eight at most, and four pass. `features` measures a
clip, `profile` says what a difference is worth, `points` adds up and `gate` says what to do next; `calibration` finds thresholds,
on the speech of `renderings` for the default. What the paper lacks: `choosing` takes of what passed that which balances
(`balancing`) who is the louder, higher, longer, faster and brighter one (`signs`), and `shortcuts` reports what is left.
"""
