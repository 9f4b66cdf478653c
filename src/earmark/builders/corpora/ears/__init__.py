"""EARS in its official layout: 107 speakers in an anechoic chamber, the same texts at several paces and in several manners.

`read_ears` joins metadata and recordings; the modules below it read one kind of file each.
"""

from earmark.builders.corpora.ears.ids import Reading, parse_reading
from earmark.builders.corpora.ears.metadata import Speakers, Transcripts, read_speakers, read_transcripts
from earmark.builders.corpora.ears.paces import contradicted_paces
from earmark.builders.corpora.ears.reader import read_ears, split_of

__all__ = [
    "Reading",
    "Speakers",
    "Transcripts",
    "contradicted_paces",
    "parse_reading",
    "read_ears",
    "read_speakers",
    "read_transcripts",
    "split_of",
]
