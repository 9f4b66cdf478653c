"""Opening a mirror through `datasets`: audio stays undecoded, so that its bytes are the mirror's and no decoder is needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from earmark.builders.corpora.mirrors.layouts import Mirror
from earmark.manifests.errors import EarmarkError, MissingExtra


class UnreadableMirror(EarmarkError):
    """A mirror that `datasets` cannot load, or whose audio column is none."""


def load_mirror(
    source: str | Path,
    *,
    config: str | None = None,
    files: Mapping[str, Sequence[str]] | None = None,
    audio: str = "audio",
    cache: Path | None = None,
) -> Mirror:
    """Open a mirror.

    Args:
        source: A folder that holds a copy of it, or its name on the hub, such as "mythicinfinity/libritts_r".
        config: The configuration, such as "read" of `ylacombe/expresso` or "clean" of the LibriTTS mirrors.
        files: Names or patterns of Parquet files by split, POSIX, relative to `source`: for copies whose names do not tell the
            split, and to fetch some splits of a mirror on the hub without the rest.
        audio: The column of the audio.
        cache: Where `datasets` keeps what it has read; None is where it always does.

    Returns:
        The splits by name.

    Raises:
        UnreadableMirror: If there is no such mirror, configuration or file, or the hub is needed and out of reach.
        MissingExtra: If `datasets` is not installed.
    """
    try:
        import datasets
    except ImportError as error:
        raise MissingExtra("build", "datasets") from error
    import pyarrow as pa

    where = None if cache is None else str(cache)
    showed = not datasets.utils.are_progress_bars_disabled()
    datasets.utils.disable_progress_bars()  # progress is the caller's to show, on a terminal or nowhere
    try:
        chosen = None if files is None else {split: list(names) for split, names in files.items()}
        loaded = datasets.load_dataset(str(source), config, data_files=chosen, cache_dir=where)
        mirror: dict[str, datasets.Dataset] = {}
        for split, rows in loaded.items():
            if audio not in rows.column_names:
                raise UnreadableMirror(f"{source}: the split {split} has no column {audio!r}")
            mirror[str(split)] = rows.cast_column(audio, datasets.Audio(decode=False))
    except (datasets.exceptions.DatasetsError, OSError, ValueError, TypeError, pa.ArrowException) as error:
        raise UnreadableMirror(f"{source}: {error}") from error
    finally:
        if showed:
            datasets.utils.enable_progress_bars()
    return mirror
