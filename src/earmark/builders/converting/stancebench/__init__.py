"""StanceBench's result sheets: a row for each conversation, and what was said of each speaker in cells of JSON.

`sheet` reads the rows, `cells` what is in them, `matching` finds the release's items that were heard, `readings` says what an
answer comes to, and `rows` makes prediction rows: of each item's choice, of its score, or of a speaker's average.
"""
