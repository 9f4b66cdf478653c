"""SpeechEQ's own prediction files: a JSON file for each system, three runs at both turns of every dialogue.

`predictions` reads them, `agreement` holds several against each other, `making` makes a release of what they name, and `rows`
writes prediction rows. Turn 6 stands in `unlinked` protocols: the files do not say which turn 4 stood in its history.
"""
