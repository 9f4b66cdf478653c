"""`earmark power` as it is typed."""

from __future__ import annotations

import json

from tests.cli.conftest import Earmark
from tests.support.golden import FOLDER

from earmark.cli.console import COULD_NOT_RUN, FINE


def test_it_says_what_a_facet_needs_and_what_is_assumed(earmark: Earmark) -> None:
    words = ("power", "--release", FOLDER / "pairs" / "release", "--delta", "10")
    said = earmark(*words, "--icc", "0.2")
    assert (said.code, said.err) == (FINE, "")
    assert "10 points of accuracy between two judges, two-sided level 0.05, power 0.8" in said.out
    assert "icc 0.200 (assumed: discordance, icc)" in said.out
    assert "by discordance (across) and icc (down)" in said.out
    [line] = [line.split() for line in said.out.splitlines() if line.startswith("style")]
    found = json.loads(earmark(*words, "--icc", "0.2", "--json").out)
    [cell] = [cell for cell in found["cells"] if cell["facet"] == "style"]
    assert line[1:6] == [
        str(cell["units"]),
        str(cell["speakers"]),
        "0.300",
        f"{cell['design_effect']:.2f}",
        str(cell["needed"]),
    ]
    assert (found["delta"], found["assumed"]) == (0.1, ["discordance", "icc"])
    [line] = [line.split() for line in said.out.splitlines() if line.startswith("all ")]
    assert line[1:3] == [str(found["overall"]["units"]), str(found["overall"]["speakers"])]
    assert line[5] == str(found["overall"]["needed"])
    assert (found["wide"], "err on the wide side" in said.out) == (True, True)
    assert earmark(*words, "--quiet").out == ""
    other = earmark("power", "--release", FOLDER / "stance" / "release", "--delta", "10")
    assert "err on the wide side" not in other.out


def test_one_file_is_not_two(earmark: Earmark) -> None:
    release = FOLDER / "stance" / "release"
    said = earmark("power", "--release", release, "--delta", "3", "--with", FOLDER / "stance" / "predictions.jsonl")
    assert said.code == COULD_NOT_RUN
    assert "1 prediction file named" in said.err
    assert earmark("power", "--release", release, "--delta", "0").code == COULD_NOT_RUN
