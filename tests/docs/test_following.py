"""The tutorial and the how-tos do what they say: their files are written, their commands typed, their output compared.

These take long, and each command is a process of its own; the tutorial in one process is followed in `tests/cli/test_demo.py`,
where the demo that it begins with is looked at.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.docs.following import blocks, commands, follow
from tests.docs.reading import DOCS

HOW_TOS = sorted((DOCS / "how-to").glob("*.md"))

COMPARE = sys.platform == "linux"
"""Synthesised speech is the same on one platform only, and so is what is measured in it."""


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The folder of somebody who has followed the tutorial, and what was not as it says."""
    pytest.importorskip("espeakng_loader", reason="the extra `voice` is not installed")
    pytest.importorskip("soundfile", reason="the extra `build` is not installed")
    folder = tmp_path_factory.mktemp("reader")
    return folder, follow(DOCS / "tutorial.md", folder, compare=COMPARE)


@pytest.mark.slow
def test_tutorial_is_true(reader: tuple[Path, list[str]]) -> None:
    assert reader[1] == []


@pytest.mark.slow
@pytest.mark.parametrize("page", HOW_TOS, ids=lambda page: str(page.stem))
def test_how_to_is_true(page: Path, reader: tuple[Path, list[str]]) -> None:
    """Every how-to begins where the tutorial ended."""
    assert follow(page, reader[0], compare=COMPARE) == []


PAGE = """\
# A page

```toml
# made.toml
a = 1
```

```sh
python -c "print(open('made.toml').read())" > copy.txt
python -c "raise SystemExit(3)"    # exits 3
python -c "print('once', \\
'more')"
```

```text
once ...
```

```pycon
>>> from pathlib import Path
>>> "a = 1" in Path("copy.txt").read_text()
True
```

```pycon
>>> Path("copy.txt").exists()
True
```

```console
earmark-of-another-machine
```
"""


def test_right_page_is_followed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE, encoding="utf-8")
    assert follow(page, tmp_path) == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("# exits 3", "# exits 2"),
        ("once ...", "twice ..."),
        ("True", "False"),
        ("# made.toml\n", "# nothing\n"),
        ('python -c "raise', 'ruby -c "raise'),
    ],
)
def test_wrong_page_is_told(right: str, wrong: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE.replace(right, wrong, 1), encoding="utf-8")
    assert follow(page, tmp_path) != []


def test_blocks_know_whether_they_stand_right_behind_another() -> None:
    found = list(blocks("```sh\na\n```\n\n```text\nb\n```\nwords\n```text\nc\n```\n"))
    assert [(block.line, block.language, block.behind) for block in found] == [
        (1, "sh", False),
        (5, "text", True),
        (9, "text", False),
    ]
    assert list(commands("a \\\n  b\n# c\n\nd  # e\n")) == ["a    b", "d  # e"]
