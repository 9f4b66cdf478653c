"""StanceBench's result sheets: a row for each conversation, and what was said of each speaker in cells of JSON.

`sheet` reads the rows, `cells` what is in them, `matching` finds the release's items that were heard, and `rows` writes
prediction rows: of each item's choice and probability, of its score on the runner's scale, or of a speaker's average.
"""
