"""Sonos Voice Control (SVC) in its official layout: one JSON file of records per split, one WAV file per record.

Many speakers say the same command, and each has an exact age and a sex; the paper's Age and Gender pairs are made of it.
"""

from earmark.builders.corpora.svc.corpus import read_svc
from earmark.builders.corpora.svc.records import Record, Speaker, Transcript, read_records

__all__ = ["Record", "Speaker", "Transcript", "read_records", "read_svc"]
