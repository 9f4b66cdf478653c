"""Expresso in its official layout: read and improvised speech of four speakers in many styles.

`read_expresso` joins splits, transcripts and recordings; the modules below it read one kind of file each.
"""

from earmark.builders.corpora.expresso.ids import ConversationStem, ReadStem, Stem, parse_stem
from earmark.builders.corpora.expresso.reader import SEX, read_expresso
from earmark.builders.corpora.expresso.splits import Entry, Splits, Window, parse_entry, read_splits
from earmark.builders.corpora.expresso.transcripts import Transcripts, marked, read_transcripts
from earmark.builders.corpora.expresso.vad import read_vad

__all__ = [
    "SEX",
    "ConversationStem",
    "Entry",
    "ReadStem",
    "Splits",
    "Stem",
    "Transcripts",
    "Window",
    "marked",
    "parse_entry",
    "parse_stem",
    "read_expresso",
    "read_splits",
    "read_transcripts",
    "read_vad",
]
