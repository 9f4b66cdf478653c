"""SpeechEQ's dialogues in their authors' layout: a folder for each, with what is said of it and eight clips.

`read_speecheq` reads them; the modules below it know the names, the parts of a record and where the files lie. Two generations
of the data exist and are never mixed without a word. Paper: arXiv 2606.25990.
"""

from earmark.builders.corpora.speecheq.given import Dropped, Given, GivenClip, GivenDialogue, GivenPerson
from earmark.builders.corpora.speecheq.names import LICENCE, NAME, failure_of_persona, gender_named
from earmark.builders.corpora.speecheq.reader import read_speecheq

__all__ = [
    "LICENCE",
    "NAME",
    "Dropped",
    "Given",
    "GivenClip",
    "GivenDialogue",
    "GivenPerson",
    "failure_of_persona",
    "gender_named",
    "read_speecheq",
]
