"""Reading SpeechEQ's dialogues: each one checked against itself, and dropped where it contradicts itself.

What is right is what `eq_level` says of turns 4 and 6; file numbers only help to find that a record is odd. Descriptions and
texts stay as they are. Nothing is decoded here.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path

from earmark.builders.corpora.csv_rows import hash_records
from earmark.builders.corpora.speecheq.faults import (
    COUNT,
    FOLDER,
    GENDER,
    GENERATION,
    LARGE,
    MISSING,
    NO_TONE,
    NUMBER,
    ONE_VOICE,
    OTHER_ID,
    OTHER_TEXT,
    PATH,
    RENDERINGS_CODE,
    SAME_FILE,
    SCALE,
    SKILL,
    SLUG,
    TEXTS_DIFFER,
    TONE_TOLD,
    TURNS_CODE,
    UNLISTED,
    VALENCE,
    Checks,
)
from earmark.builders.corpora.speecheq.given import Dropped, Given, GivenClip, GivenDialogue, GivenPerson
from earmark.builders.corpora.speecheq.layout import AUDIO, find_dialogues, subscale_folder
from earmark.builders.corpora.speecheq.names import (
    GENDER_FORMS,
    NUMBERS,
    TARGET_TURNS,
    TURNS,
    failure_of_persona,
    file_of,
    gender_named,
    generation_named,
    option_of,
)
from earmark.builders.corpora.speecheq.records import METADATA, Record, read_record
from earmark.builders.media import Progress
from earmark.manifests.attempts import DISSONANT, RESONANT
from earmark.manifests.canonical import Json
from earmark.manifests.eqi import VALENCES, subscale_labelled
from earmark.manifests.errors import UnknownName
from earmark.manifests.findings import Findings

MOST_AUDIO = 1 << 25
"""Largest clip that is read, bytes; the known ones have at most half a million."""


def read_speecheq(root: Path, *, findings: Findings, progress: Progress) -> Given:
    """Read every dialogue of a folder.

    Args:
        root: Folder in which the subscales' folders lie, or the dialogues' own.
        findings: What is wrong is added to them.
        progress: Told how far it is.

    Raises:
        Refused: If the folder holds no dialogue, or at the first error if `findings` is strict.
    """
    folders = find_dialogues(root, findings)
    dialogues: list[GivenDialogue] = []
    dropped: list[Dropped] = []
    hashes: list[list[Json]] = []
    for done, (name, folder) in enumerate(folders.items(), start=1):
        read = _read_one(root, name, folder, findings)
        if isinstance(read, GivenDialogue):
            dialogues.append(read)
        else:
            dropped.append(read)
        hashes.append([name, hashlib.sha256(read.record.encode()).hexdigest()])
        progress("reading dialogues", done, len(folders))
    return Given(tuple(dialogues), tuple(dropped), {METADATA: hash_records(hashes)})


def _read_one(root: Path, name: str, folder: str, findings: Findings) -> GivenDialogue | Dropped:
    checks = Checks(findings, f"{folder}/{METADATA}", name)
    record, value, problems = read_record(root / folder / METADATA)
    for problem in problems:
        checks.add(problem.code, problem.found, problem.expected, problem.column)
    if record is None:
        return Dropped(
            name=name, subscale=None, valence=None, title="", record=_kept(value), reasons=tuple(checks.reasons)
        )
    subscale = _subscale(record, folder, checks)
    valence = _valence(record, checks)
    generation = _generation(record, checks)
    people = [_person(record, number, checks) for number in (1, 2)]
    _check_turns(record, checks)
    clips = _clips(record, root, folder, checks)
    scenario = record.scenario
    if scenario.speaker1_voice == scenario.speaker2_voice:
        checks.add(ONE_VOICE, scenario.speaker1_voice, "two", "scenario")
    if checks.reasons or subscale is None or generation is None:
        return Dropped(
            name=name,
            subscale=subscale,
            valence=valence,
            title=scenario.title,
            record=_kept(value),
            reasons=tuple(checks.reasons),
        )
    return GivenDialogue(
        name=name,
        generation=generation,
        subscale=subscale,
        valence=valence,
        title=scenario.title,
        context=scenario.context,
        description=scenario.description,
        first=people[0],
        second=people[1],
        clips=clips,
        record=_kept(value),
    )


def _subscale(record: Record, folder: str, checks: Checks) -> str | None:
    made = record.generation_metadata
    if made.dataset_id != checks.name:
        checks.add(OTHER_ID, made.dataset_id, checks.name, "generation_metadata.dataset_id")
    try:
        subscale = subscale_labelled(record.eq_scale)
    except UnknownName as error:
        checks.add(SCALE, record.eq_scale, f"one of {', '.join(error.valid[:15])}", "eq_scale")
        return None
    if made.subscale_slug != subscale.slug:
        checks.add(SLUG, made.subscale_slug, subscale.slug, "generation_metadata.subscale_slug")
    above = subscale_folder(folder)
    if above not in (None, subscale.slug):
        checks.add(FOLDER, above, subscale.slug)
    skill = record.scenario.eq_skill_tested
    if skill is not None and skill != record.eq_scale:
        checks.add(SKILL, skill, record.eq_scale, "scenario.eq_skill_tested")
    return subscale.slug


def _valence(record: Record, checks: Checks) -> str | None:
    said = record.scenario.scenario_valence
    if said is None or said in VALENCES:
        return said
    checks.add(VALENCE, said, f"one of {', '.join(VALENCES)}", "scenario.scenario_valence")
    return None


def _generation(record: Record, checks: Checks) -> str | None:
    said = record.generation_metadata.generation_version
    generation = generation_named(said)
    if generation is None:
        checks.add(GENERATION, said, "v and a number, or none", "generation_metadata.generation_version")
    return generation


def _person(record: Record, number: int, checks: Checks) -> GivenPerson:
    scenario = record.scenario
    first = number == 1
    spelling = scenario.speaker1_gender if first else scenario.speaker2_gender
    gender = gender_named(spelling)
    if gender is None:
        checks.add(GENDER, spelling, GENDER_FORMS, f"scenario.speaker{number}_gender")
    return GivenPerson(
        name=scenario.speaker1_name if first else scenario.speaker2_name,
        role=scenario.speaker1_role if first else scenario.speaker2_role,
        gender=gender or "nonbinary",
    )


def _check_turns(record: Record, checks: Checks) -> None:
    found = [(sentence.sentence_number, sentence.speaker) for sentence in record.conversation]
    if sorted(found) != [(turn, _speaker(turn)) for turn in TURNS]:
        said = ", ".join(f"{turn} {speaker}" for turn, speaker in found[:12]) or "none"
        checks.add(
            TURNS_CODE, said, "turns 1 to 6, the odd ones speaker1's and the even ones speaker2's", "conversation"
        )


def _clips(record: Record, root: Path, folder: str, checks: Checks) -> tuple[GivenClip, ...]:
    """The eight clips in their order; fewer or other ones where something is wrong, which is then said."""
    scenario = record.scenario
    failure = failure_of_persona(scenario.speaker2_persona_low)
    clips: dict[tuple[int, str | None], GivenClip] = {}
    kinds: list[tuple[int, str | None, str]] = []
    spoken = {sentence.sentence_number: sentence.text for sentence in record.conversation}
    for number, entry in enumerate(record.audio_files):
        turn, option, column = (
            entry.sentence_number,
            option_of(entry.sentence_number, entry.eq_level),
            f"audio_files[{number}]",
        )
        kinds.append((turn, option, entry.speaker))
        file = file_of(entry.audio_path)
        if file is None:
            checks.add(PATH, entry.audio_path[-80:], "a path that ends in a name such as 04.mp3", column)
        if option is None or file is None:
            continue
        if spoken.get(turn, entry.text) != entry.text:
            checks.add(OTHER_TEXT, entry.text, spoken[turn], column)
        if file.rpartition(".")[0] != NUMBERS[turn, option]:
            checks.add(NUMBER, file, f"{NUMBERS[turn, option]}.mp3, turn {turn} {option}", column)
        tone = entry.tone_description.strip() or None
        if tone is None:
            checks.add(NO_TONE, f"turn {turn} {option}", "a sentence", column)
        clips[turn, option] = GivenClip(
            turn=turn,
            option=option,
            path=f"{folder}/{AUDIO}/{file}",
            text=entry.text,
            tone=tone,
            voice=scenario.speaker1_voice if turn % 2 else scenario.speaker2_voice,
            failure=failure if option == DISSONANT else None,
        )
    _check_kinds(kinds, checks)
    _check_options(clips, checks)
    shown = f"{scenario.context} {scenario.description}".casefold()
    for tone in sorted({clip.tone for clip in clips.values() if clip.tone is not None}):
        if tone.casefold() in shown:
            checks.add(TONE_TOLD, tone, "a context and a description without it", "scenario")
    _check_files(list(clips.values()), root, folder, checks)
    count = record.generation_metadata.audio_files_count
    if count is not None and count != len(record.audio_files):
        checks.add(COUNT, count, str(len(record.audio_files)), "generation_metadata.audio_files_count")
    return tuple(clips[rendering] for rendering in NUMBERS if rendering in clips)


def _check_kinds(kinds: list[tuple[int, str | None, str]], checks: Checks) -> None:
    right = Counter((turn, option, _speaker(turn)) for turn, option in NUMBERS)
    if Counter(kinds) != right:
        said = ", ".join(f"{turn} {option or 'of no level'}" for turn, option, _ in kinds[:12]) or "none"
        checks.add(RENDERINGS_CODE, said, "turns 1, 2, 3 and 5 once, turns 4 and 6 high and low", "audio_files")


def _check_options(clips: dict[tuple[int, str | None], GivenClip], checks: Checks) -> None:
    for turn in TARGET_TURNS:
        one, other = clips.get((turn, RESONANT)), clips.get((turn, DISSONANT))
        if one is not None and other is not None and one.text != other.text:
            checks.add(TEXTS_DIFFER, other.text, one.text, f"turn {turn}")


def _check_files(clips: list[GivenClip], root: Path, folder: str, checks: Checks) -> None:
    for path, times in Counter(clip.path for clip in clips).items():
        if times > 1:
            checks.add(SAME_FILE, f"{path}, {times} times", "a file for each clip")
    for clip in clips:
        file = root.joinpath(*clip.path.split("/"))
        if not file.is_file():
            checks.add(MISSING, clip.path, "the clip's file")
        elif file.stat().st_size > MOST_AUDIO:
            checks.add(LARGE, f"{clip.path}, {file.stat().st_size} bytes", f"at most {MOST_AUDIO}")
    listed = {clip.path.rpartition("/")[2] for clip in clips}
    audio = root / folder / AUDIO
    for file in sorted(audio.iterdir()) if audio.is_dir() else []:
        if file_of(file.name) and file.name not in listed:
            checks.add(UNLISTED, f"{AUDIO}/{file.name}", "a clip of the record")


def _speaker(turn: int) -> str:
    return "speaker1" if turn % 2 else "speaker2"


def _kept(value: Json) -> str:
    """A record without folders of the machine that it was made on."""

    def without(entry: Json) -> Json:
        if isinstance(entry, dict):
            return {
                key: (file_of(inner) if key == "audio_path" and isinstance(inner, str) else without(inner))
                for key, inner in entry.items()
                if key != "output_path"
            }
        return [without(inner) for inner in entry] if isinstance(entry, list) else entry

    return json.dumps(without(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
