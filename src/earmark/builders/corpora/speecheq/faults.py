"""What can be wrong with a dialogue of SpeechEQ whose record can be read, and the findings about one."""

from __future__ import annotations

from dataclasses import dataclass, field

from earmark.manifests.findings import Code, Findings, Severity, declare

OTHER_ID = declare(
    "speecheq.other-id", Severity.ERROR, "the record says another name than its folder; the dialogue is dropped"
)
SCALE = declare(
    "speecheq.unknown-scale", Severity.ERROR, "the record's scale is none of the 15; the dialogue is dropped"
)
SLUG = declare("speecheq.other-slug", Severity.ERROR, "the record names two subscales; the dialogue is dropped")
FOLDER = declare(
    "speecheq.other-folder", Severity.WARNING, "the dialogue lies in another subscale's folder; kept as its own"
)
SKILL = declare("speecheq.other-skill", Severity.NOTE, "`eq_skill_tested` is not the record's scale; the scale counts")
GENDER = declare(
    "speecheq.unknown-gender", Severity.ERROR, "a speaker's gender is none that we know; the dialogue is dropped"
)
VALENCE = declare("speecheq.unknown-valence", Severity.WARNING, "the valence is none that we know; kept without one")
GENERATION = declare(
    "speecheq.unknown-generation",
    Severity.ERROR,
    "the record's generation has no form that we know; the dialogue is dropped",
)
TURNS_CODE = declare(
    "speecheq.turns", Severity.ERROR, "the conversation is not six turns of two speakers; the dialogue is dropped"
)
RENDERINGS_CODE = declare(
    "speecheq.renderings", Severity.ERROR, "the clips are not the eight of a dialogue; it is dropped"
)
TEXTS_DIFFER = declare(
    "speecheq.texts-differ", Severity.ERROR, "the two options of a turn say different words; the dialogue is dropped"
)
OTHER_TEXT = declare(
    "speecheq.other-text", Severity.WARNING, "a clip's words are not those of its turn; the clip's are kept"
)
PATH = declare("speecheq.bad-path", Severity.ERROR, "a clip's path names no file of audio; the dialogue is dropped")
SAME_FILE = declare(
    "speecheq.same-file", Severity.ERROR, "two clips of a dialogue are one file; the dialogue is dropped"
)
NUMBER = declare(
    "speecheq.other-number", Severity.WARNING, "a clip's file has another number than its kind has elsewhere"
)
MISSING = declare("speecheq.missing-audio", Severity.ERROR, "a clip's file is not there; the dialogue is dropped")
LARGE = declare(
    "speecheq.large-audio", Severity.ERROR, "a clip's file is larger than what is read; the dialogue is dropped"
)
UNLISTED = declare(
    "speecheq.unlisted-audio", Severity.WARNING, "a file of audio is no clip of its dialogue; passed over"
)
COUNT = declare("speecheq.other-count", Severity.WARNING, "the record counts its clips wrongly")
NO_TONE = declare("speecheq.no-tone", Severity.WARNING, "a clip has no tone description; kept without one")
TONE_TOLD = declare(
    "speecheq.tone-told", Severity.ERROR, "what judges read repeats a clip's tone description; the dialogue is dropped"
)
ONE_VOICE = declare("speecheq.one-voice", Severity.WARNING, "both speakers of a dialogue have one voice")


@dataclass
class Checks:
    """Findings about one dialogue, and those of them for which it is dropped.

    Args:
        findings: Where they go.
        file: Its record, from the corpus's folder.
        name: Its name.
        reasons: Why it is dropped; none where it is kept.
    """

    findings: Findings
    file: str
    name: str
    reasons: list[str] = field(default_factory=list)

    def add(self, code: Code, found: object, expected: str | None = None, column: str | None = None) -> None:
        """Add a finding; an error drops the dialogue."""
        self.findings.add(code, file=self.file, column=column, id=self.name, found=found, expected=expected)
        if code.severity is Severity.ERROR:
            self.reasons.append(f"{code.means.split(';')[0]} ({found})")
