"""Invariants of the voices: options differ in tone alone, the gold is what fits, and what stands here was made and kept."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from earmark.manifests.attempts import CONTEXT, DISSONANT, OPTIONS, RESONANT
from earmark.manifests.families.dialogues import CONTEXT_TURNS, FIRST, TURN_4, TURN_6
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.rows import Row, text
from earmark.validation.contents import Contents, Invariant
from earmark.validation.dialogues.reading import dialogues, roles_of

GOLD = declare("dialogues.gold", Severity.ERROR, "the gold is not the rendering that fits")
RENDERING = declare(
    "dialogues.rendering", Severity.ERROR, "a clip is not of the dialogue, turn and speaker that its place says"
)
TONE_ALONE = declare("dialogues.tone-alone", Severity.ERROR, "the two options differ in more than their tone")
ATTEMPT = declare("dialogues.attempt", Severity.ERROR, "what was made and what stands in the release do not agree")
LISTED = declare("dialogues.listed", Severity.ERROR, "the dialogues that were kept are not those of the release")

_SPEAKS = {1: "S1", 2: "S2", 3: "S1", 4: "S2", 5: "S1", 6: "S2"}


def _renderings_differ_in_tone(contents: Contents, findings: Findings) -> None:
    roles = roles_of(contents)
    answers = {text(row, "item_id"): row for row in contents.rows("answers")}
    for group, four, six in dialogues(contents):
        voices: dict[str, set[object]] = defaultdict(set)
        names: set[object] = set()
        for item, target in ((four, TURN_4), (six, TURN_6)):
            turn = int(target.removeprefix("turn "))
            wanted = [*((place, CONTEXT) for place in CONTEXT_TURNS[target]), *((turn, None) for _ in OPTIONS)]
            clips = [*roles[item]["context"], *roles[item]["option"]]
            for (place, option), clip in zip(wanted, clips, strict=False):
                source = contents.sources.get(clip)
                if source is None:
                    continue
                names.add(source["conversation"])
                voices[_SPEAKS[place]].add(source["voice"])
                speaker = f"{source['conversation']}/{_SPEAKS[place]}"
                right = source["turn"] == place and source["speaker"] == speaker
                if not right or source["option"] not in ((option,) if option else OPTIONS):
                    found = f"{source['option']} of turn {source['turn']} by {source['speaker']}"
                    expected = f"{option or 'an option'} of turn {place} by {speaker}"
                    findings.add(RENDERING, file="sources.parquet", id=clip, found=found, expected=expected)
            _one_pair(contents, item, roles[item]["option"], answers.get(item), findings)
        if len(names) > 1:
            found = ", ".join(sorted(map(str, names)))
            findings.add(RENDERING, file="sources.parquet", id=group, found=found, expected="clips of one dialogue")
        for speaker, found_voices in sorted(voices.items()):
            if len(found_voices) > 1:
                found = ", ".join(sorted(map(str, found_voices)))
                findings.add(
                    RENDERING,
                    file="sources.parquet",
                    column="voice",
                    id=group,
                    found=found,
                    expected=f"one of {speaker}",
                )


def _one_pair(contents: Contents, item: str, options: Sequence[str], answer: Row | None, findings: Findings) -> None:
    sources = [contents.sources[clip] for clip in options if clip in contents.sources]
    if len(sources) != len(OPTIONS) or answer is None:
        return
    for column in ("text", "voice", "speaker", "provider", "model"):
        if len({str(source[column]) for source in sources}) > 1:
            found = " and ".join(str(source[column]) for source in sources)
            findings.add(TONE_ALONE, file="sources.parquet", column=column, id=item, found=found, expected="one")
    right = sources[answer["gold"] != FIRST]
    wrong = sources[answer["gold"] == FIRST]
    if (right["option"], wrong["option"]) != (RESONANT, DISSONANT):
        findings.add(GOLD, file="answers.parquet", id=item, found=answer["gold"], expected="the resonant rendering")
    if answer["failure"] != wrong["failure"] or right["failure"] is not None:
        found, expected = str(answer["failure"]), f"{wrong['failure']}, and none of the resonant rendering"
        findings.add(GOLD, file="answers.parquet", column="failure", id=item, found=found, expected=expected)


def _attempts_are_those(contents: Contents, findings: Findings) -> None:
    sources = {
        (source["conversation"], source["turn"], source["option"]): source for source in contents.sources.values()
    }
    kept = {name for name, *_ in sources}
    used = Counter[tuple[object, ...]]()
    tried: set[object] = set()
    for row in contents.rows("attempts"):
        place = (row["dialogue"], row["turn"], row["option"])
        tried.add(row["dialogue"])
        if not row["used"]:
            continue
        used[place] += 1
        source = sources.get(place)
        if source is None or source["attempt"] != row["attempt"] or row["rejected"] is not None:
            found, at = f"attempt {row['attempt']} of {place}", None if source is None else source["attempt"]
            expected = "not used" if at is None else f"attempt {at}, which was not rejected"
            findings.add(ATTEMPT, file="attempts.parquet", id=str(row["dialogue"]), found=found, expected=expected)
    for place in sources:
        if place[0] in tried and used[place] != 1:
            found = f"{used[place]} used of {place}"
            findings.add(ATTEMPT, file="attempts.parquet", id=str(place[0]), found=found, expected="one")
    listed = {row["dialogue"] for row in contents.rows("dialogues") if row["dropped"] is None}
    if contents.rows("dialogues"):
        for name in sorted(map(str, listed ^ kept)):
            findings.add(LISTED, file="dialogues.parquet", id=name, expected="kept and in the release, or neither")


RENDERINGS = (
    Invariant("dialogues-renderings", "Options differ in tone alone, and gold fits.", True, _renderings_differ_in_tone),
    Invariant("dialogues-attempts", "What stands in the release was made and kept.", True, _attempts_are_those),
)
