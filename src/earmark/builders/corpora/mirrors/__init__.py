"""Hugging Face mirrors of Expresso and LibriTTS, written out in the corpora's own layouts, which the ordinary readers read.

A mirror is Parquet with the audio's bytes in it. `load_mirror` opens one through `datasets`, a layout says which row becomes
which file, and `extract_mirror` writes them: resumable, each file whole or not there, none outside the folder.
"""

from earmark.builders.corpora.mirrors.expresso import ExpressoLayout
from earmark.builders.corpora.mirrors.extracting import Extracted, extract_mirror
from earmark.builders.corpora.mirrors.layouts import Layout, Mirror, MirrorRows, Placed, Wrong
from earmark.builders.corpora.mirrors.libritts import LibriTTSLayout
from earmark.builders.corpora.mirrors.loading import UnreadableMirror, load_mirror
from earmark.builders.corpora.mirrors.wav_bytes import NoLosslessCopy, as_wav

__all__ = [
    "ExpressoLayout",
    "Extracted",
    "Layout",
    "LibriTTSLayout",
    "Mirror",
    "MirrorRows",
    "NoLosslessCopy",
    "Placed",
    "UnreadableMirror",
    "Wrong",
    "as_wav",
    "extract_mirror",
    "load_mirror",
]
