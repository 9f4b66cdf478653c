"""LibriTTS and LibriTTS-R in their official layout: sentences of audio books, a folder for each subset, reader and chapter.

The paper's cross-transcript Gender pairs may be made of it; no sentence is read by two readers, so that others cannot.
"""

from earmark.builders.corpora.libritts.chapters import Chapter, parse_book_line, parse_trans_line, read_chapter
from earmark.builders.corpora.libritts.corpus import read_libritts
from earmark.builders.corpora.libritts.ids import SUBSETS, UtteranceId
from earmark.builders.corpora.libritts.readers import Reader, parse_speakers_line, parse_tsv_line, read_readers

__all__ = [
    "SUBSETS",
    "Chapter",
    "Reader",
    "UtteranceId",
    "parse_book_line",
    "parse_speakers_line",
    "parse_trans_line",
    "parse_tsv_line",
    "read_chapter",
    "read_libritts",
    "read_readers",
]
