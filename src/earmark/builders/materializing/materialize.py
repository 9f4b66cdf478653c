"""A release completed: its tables copied, the audio it has copied, the audio it has not cut from the user's own corpora.

Nothing is written that is not the clip that was published: the hash of its native samples is compared first. What a run has
finished stands in a journal, so that another goes on; the release has its name only when every clip is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from earmark.builders.materializing.causes import counted, explained
from earmark.builders.materializing.clips import Clip, journalled, written
from earmark.builders.materializing.deviations import Deviation, elsewhere, native_clip
from earmark.builders.materializing.finishing import finish
from earmark.builders.materializing.folders import CorpusFolder
from earmark.builders.materializing.levels import require_levels
from earmark.builders.materializing.recipes import Recipe, media_rate, read_recipes
from earmark.builders.materializing.threads import each
from earmark.builders.media import Progress
from earmark.builders.synthesised import synthesised
from earmark.manifests.building import WorkFolder, partial_of, working
from earmark.manifests.canonical import Json
from earmark.manifests.clip_audio import ClipAudio
from earmark.manifests.errors import EarmarkError, Refused, ReleaseError, UnknownName
from earmark.manifests.findings import Findings
from earmark.manifests.hashes import file_hash
from earmark.manifests.release import Release, open_release
from earmark.manifests.tables import Side
from earmark.validation.on_disk import FILE_HASH
from earmark.validation.schemas import check_table


@dataclass(frozen=True, kw_only=True)
class Order:
    """What is asked for.

    Args:
        release: A release that lacks audio of its own, or a published copy.
        out: The release to be made.
        roots: Where corpora lie, by name.
        elsewhere: Whether a clip may be cut from another file of the same name that has its samples.
        jobs: How many clips are cut at a time.
        resume: Continue what an earlier run left.
        force: Move an existing OUT aside.
    """

    release: Release
    out: Path
    roots: Mapping[str, Path] = field(default_factory=dict)
    elsewhere: bool = False
    jobs: int = 1
    resume: bool = False
    force: bool = False


@dataclass(frozen=True)
class Materialized:
    """What came of it.

    Args:
        release: The release; None where a clip is missing or differs.
        findings: What was found, a clip that is missing or differs among the errors.
        clips: How many there are, how many were copied, cut now, cut by an earlier run.
        causes: By corpus and code, how many clips it does not give.
    """

    release: Release | None
    findings: Findings
    clips: Mapping[str, int]
    causes: Mapping[str, Mapping[str, int]]

    def as_json(self) -> Mapping[str, Json]:
        """Counts for machines."""
        return {"clips": dict(self.clips), "causes": {name: dict(counts) for name, counts in self.causes.items()}}


def materialize(order: Order, progress: Progress) -> Materialized:
    """Make the release with all of its audio.

    Args:
        order: What is asked for.
        progress: Told how far it is.

    Returns:
        The release, or all that kept it from being made; then `OUT.partial` holds the clips that are as they should be.

    Raises:
        Refused: If the release's own tables are wrong, before anything is cut.
        DestinationExists: If OUT exists, or `OUT.partial` without `resume`.
        Busy: If another process is at work on it.
        EarmarkError: If a corpus is needed and not given, or given and no folder.
    """
    release, findings = order.release, Findings()
    clips = _clips(release, findings)
    audio = ClipAudio(release)
    shipped = clips & audio.clips()
    recipes = read_recipes(release, clips - shipped, findings)
    findings.require_none()
    folders = _folders(release, order.roots, recipes.values())
    if not order.elsewhere:
        require_levels(folders, recipes.values())
    deviations: list[Deviation] = []
    counts = {"clips": len(clips), "copied": len(shipped), "cut": 0, "resumed": 0}
    try:
        with working(order.out, resume=order.resume, force=order.force) as work:
            folder = work.partial / Side.PUBLIC.value / "audio"
            folder.mkdir(parents=True, exist_ok=True)
            done = dict(journalled(work, folder, recipes, media_rate(release)))
            counts["resumed"] = len(done)
            deviations = _cut(order, recipes, folders, done, work, folder, progress)
            counts["cut"] = len(done) - counts["resumed"]
            if deviations:
                deviations = explained(release, deviations, folders, findings, jobs=order.jobs, progress=progress)
            findings.require_none()
            hashes = {f"{clip}.flac": cut.file_hash for clip, cut in done.items()}
            hashes |= _copied(audio, shipped, folder, progress)
            for stray in folder.iterdir():
                if stray.name not in hashes:
                    stray.unlink()  # what a killed run was writing
            finish(release, work.partial, folders, done, hashes, findings)
    except Refused as refused:
        if refused.findings is not findings:
            raise
    made = None if findings.failed else open_release(order.out)
    return Materialized(made, findings, counts, counted(deviations))


def left_behind(out: Path) -> Path | None:
    """The folder that holds what was done, if a run left one."""
    partial = partial_of(out)
    return partial if partial.is_dir() else None


def _clips(release: Release, findings: Findings) -> frozenset[str]:
    """The ids of all clips, of a release whose public tables are those of its manifest.

    Raises:
        Refused: If one is not.
        ReleaseError: If a table is a link or no file.
    """
    for name, table in release.family.tables().items():
        stated, path = release.manifest.tables[name].file_hash, release.file(name)
        if table.side is Side.PUBLIC:
            if path.is_symlink() or not path.is_file():
                raise ReleaseError(f"{path} is absent, a link or no file, and is not copied")
            found = file_hash(path)
            if found != stated:
                file = f"{Side.PUBLIC.value}/{table.filename}"
                findings.add(FILE_HASH, file=file, found=found, expected=stated or "a hash")
    findings.require_none()
    clips = release.table("clips")
    check_table(release.family.tables()["clips"], clips, findings)
    findings.require_none()
    return frozenset(clips["clip_id"].to_pylist())


def _folders(release: Release, roots: Mapping[str, Path], recipes: Iterable[Recipe]) -> Mapping[str, CorpusFolder]:
    """The copies of the corpora that are needed."""
    needed = sorted({recipe.corpus for recipe in recipes})
    known = tuple(sorted({source.corpus for source in release.manifest.sources}))
    for name, root in roots.items():
        if name not in known:
            raise UnknownName("corpus of the release", name, known)
        if not root.is_dir():
            raise EarmarkError(f"--corpus {name}={root}: {'no folder' if root.exists() else 'no such folder'}")
    lacking = [name for name in needed if name not in roots]
    made = synthesised(release).intersection(lacking)
    if made:
        raise EarmarkError(
            f"{release.path} lacks speech that was synthesised for it, so no corpus has it and a synthesiser need not repeat "
            "it; get a copy with audio from its publisher, or, as its publisher, name the clips of the build's work folder: "
            f"{' '.join(f'--corpus {name}=WORK/clips' for name in sorted(made))}"
        )
    if lacking:
        wanted = " ".join(f"--corpus {name}=DIR" for name in lacking)
        raise EarmarkError(f"{release.path} lacks audio that is cut from corpora; say where yours lie: {wanted}")
    return {name: CorpusFolder(roots[name]) for name in needed}


def _cut(
    order: Order,
    recipes: Mapping[str, Recipe],
    folders: Mapping[str, CorpusFolder],
    done: dict[str, Clip],
    work: WorkFolder,
    folder: Path,
    progress: Progress,
) -> list[Deviation]:
    """Cut what is not done, add it to what is, and return what the copies do not give."""
    rate = media_rate(order.release)
    noting = Lock()

    def cut(recipe: Recipe) -> Clip | Deviation:
        native = native_clip(recipe, folders[recipe.corpus])
        path = recipe.path
        if isinstance(native, Deviation):
            there = elsewhere(recipe, folders[recipe.corpus]) if order.elsewhere else None
            if there is None:
                return native
            path, native = there
        clip = written(recipe, path, native, folder, rate)
        # At once, and not when its turn has come: whoever stops this run keeps all that is written.
        with noting:
            work.note_done(clip.as_json(rate), sync=False)
        return clip

    waiting = [recipe for clip, recipe in recipes.items() if clip not in done]
    waiting.sort(key=lambda recipe: (recipe.corpus, recipe.path, recipe.spans))  # one file after the other
    deviations = []
    progress("cutting clips", len(done), len(recipes))
    for result in each(cut, waiting, order.jobs):
        if isinstance(result, Deviation):
            deviations.append(result)
        else:
            done[result.recipe.clip] = result
        progress("cutting clips", len(done) + len(deviations), len(recipes))
    return deviations


def _copied(audio: ClipAudio, clips: frozenset[str], folder: Path, progress: Progress) -> Mapping[str, str]:
    """Copy the audio that the release has; the hash of each file by its name."""
    hashes = {}
    for n, clip in enumerate(audio.in_turn(clips), start=1):
        target = folder / f"{clip}.flac"
        audio.copy(clip, target)
        hashes[target.name] = file_hash(target)
        progress("copying audio", n, len(clips))
    return hashes
