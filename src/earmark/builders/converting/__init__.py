"""Other people's prediction files made into ours: a module or folder for each format, and `formats`, which lists them.

A reader gives an `Account`: prediction rows for one protocol of a release, and what became of every answer that it read. It
marks nothing and, but for SpeechEQ's files, which state the gold themselves, never looks at the answers.
"""
