"""What can be measured of a clip's sound: level, silence, pitch, pace and spectrum, each figure with its definition.

Nothing here multiplies matrices or vectors through BLAS: its threads go on spinning for a while after each call and would
take from Praat the processor that it runs on (twice the processor time for a clip), and sums would depend on their number.
"""
