"""A small SpeechEQ: tones in place of speech and made-up talk about shelves and soup, in the authors' layout, as real MP3 files.

Six sound dialogues, four of the first generation and two of the second, with what is awkward in the real data: six spellings of
gender, an `eq_skill_tested` that is not the scale, paths of another machine, a level on turns that have none, curly
quotation marks, a title that stands twice, and a pair without contrast. On request a dialogue is added for each way to be of no
use. Everything depends on the seed alone, but for what the MP3 encoder makes of it.
"""

from __future__ import annotations

from pathlib import Path

from earmark.builders.miniatures.dice import Dice
from earmark.builders.miniatures.speecheq_flaws import FLAWS, add_flaw, flaw_id
from earmark.builders.miniatures.speecheq_layout import SOUND, folder_of, write_dialogue


def make_speecheq(root: Path, *, seed: int = 1, flat: bool = False, flaws: bool = False) -> None:
    """Write a miniature corpus.

    Args:
        root: A folder that is absent or empty.
        seed: Any integer.
        flat: Whether dialogues lie beside each other, and not in a folder for each subscale.
        flaws: Whether to add a dialogue for each of `FLAWS`.

    Raises:
        ValueError: If the folder is not empty.
    """
    root.mkdir(parents=True, exist_ok=True)
    if any(root.iterdir()):
        raise ValueError(f"{root} is not empty")
    dice = Dice(seed, ("speecheq",))
    for sketch in SOUND:
        write_dialogue(folder_of(root, sketch, flat=flat), sketch, dice)
    for number, code in enumerate(FLAWS if flaws else ()):
        add_flaw(root, code, flaw_id(number), like=SOUND[0], flat=flat)
