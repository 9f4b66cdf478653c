"""Spans of speech of Expresso: read as they are spelt, the first line of a channel alone, and all of the real file."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders.corpora.checks import codes_of

from earmark.builders.corpora.expresso.ids import parse_stem
from earmark.builders.corpora.expresso.vad import FILES, Channel, Span, parse_vad_line, read_vad
from earmark.manifests.findings import Findings

channels = st.sampled_from(
    (Channel("ex01_default_longform_00001", 0), Channel("ex01-ex02_sad_001", 0), Channel("ex01-ex02_sad_001", 1))
)
times = st.lists(st.integers(0, 99999).map(lambda n: n / 100), min_size=2, max_size=8).map(sorted)


def line(channel: Channel, spans: list[Span]) -> str:
    name = f"{channel.stem}/channel{channel.channel + 1}" if "-" in channel.stem else channel.stem
    return f"{name}\t{' '.join(f'({start}, {end})' for start, end in spans)}"


@given(channels, times)
def test_lines_are_read_as_they_are_spelt(channel: Channel, times: list[float]) -> None:
    spans = [Span(start, end) for start, end in zip(times[::2], times[1::2], strict=False)]
    assert parse_vad_line(line(channel, spans)) == (channel, tuple(spans))


@pytest.mark.parametrize(
    "text",
    [
        "ex01_default_longform_00001",
        "ex01_default_longform_00001\t",
        "ex01_default_longform_00001/channel1\t(0.0, 1.0)",
        "ex01_default_longform_00001/\t(0.0, 1.0)",
        "ex01-ex02_sad_001\t(0.0, 1.0)",
        "ex01-ex02_sad_001/channel3\t(0.0, 1.0)",
        "ex01-ex02_sad_001/channel1\t(1.0, 0.0)",
        "ex01-ex02_sad_001/channel1\t(0.0, 2.0) (1.0, 3.0)",
        "ex01-ex02_sad_001/channel1\t(0.0, nan)",
        "ex01-ex02_sad_001/channel1\t(0.0,1.0)",
        "nobody/channel1\t(0.0, 1.0)",
    ],
)
def test_lines_that_name_no_spans(tmp_path: Path, text: str) -> None:
    with pytest.raises(ValueError, match=r"no line of|not in order|no stem"):
        parse_vad_line(text)
    (tmp_path / FILES[0]).write_text(f"{text}\nex01-ex02_sad_002/channel1\t(0.0, 1.0)\n", "utf-8")
    findings = Findings()
    assert read_vad(tmp_path, findings) == {Channel("ex01-ex02_sad_002", 0): (Span(0.0, 1.0),)}
    assert codes_of(findings, "expresso") == {"bad-vad-line": 1}


def test_repeated_lines_and_absent_files(tmp_path: Path) -> None:
    findings = Findings()
    assert read_vad(tmp_path, findings) is None
    assert codes_of(findings, "expresso") == {"unreadable-file": 1}
    (tmp_path / FILES[1]).write_text("#note\n" + "ex01-ex02_sad_002/channel1\t(0.0, 1.0)\n" * 2, "utf-8")
    findings = Findings()
    assert read_vad(tmp_path, findings) == {Channel("ex01-ex02_sad_002", 0): (Span(0.0, 1.0),)}
    assert len(findings) == 0
    with (tmp_path / FILES[1]).open("a") as stream:
        stream.write("ex01-ex02_sad_002/channel1\t(0.0, 2.0)\n")
    assert read_vad(tmp_path, findings) == {}
    assert codes_of(findings, "expresso") == {"repeated-vad-line": 2}


@pytest.mark.parametrize("name", FILES)
def test_real_file_under_either_name(shared_data: Path, tmp_path: Path, name: str) -> None:
    shutil.copyfile(shared_data / "expresso" / FILES[0], tmp_path / name)
    findings = Findings()
    found = read_vad(tmp_path, findings)
    assert found is not None
    assert len(findings) == 0
    assert len(found) == 686
    talks = {stem for stem, _ in found if "-" in stem}
    assert all(Channel(stem, channel) in found for stem in talks for channel in (0, 1))
    assert all(str(parse_stem(stem)) == stem for stem, _ in found)
