"""The embedded author of dialogues: composes from Earmark's own plots, settings and tones, and needs no network and no key."""

from earmark.builders.dialogues.offline.writer import MODEL, PROVIDER, OfflineWriter

__all__ = ["MODEL", "PROVIDER", "OfflineWriter"]
