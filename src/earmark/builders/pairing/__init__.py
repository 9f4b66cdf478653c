"""Pairing under constraints: which pairs can be made of a pool of clips, how many of each kind, and the best choice of them.

Nothing here knows speech: a clip is a row of codes and numbers. `cells` says what is asked for, `pool` what there is,
`candidates` finds the pairs worth considering, `feasibility` counts what can be had at all, `allocation` chooses exactly.
"""
