"""`earmark check` as a public host runs it: unattended, without answers, on whatever strangers send."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.cli.conftest import Earmark, Said
from tests.support.tiny import write_tiny_release

from earmark.cli.console import COULD_NOT_RUN, FINE, FOUND
from earmark.manifests.release import Release

WATCHED = """
import json, os, sys
sides, *typed = json.loads(sys.argv[1])
def watch(event, args):
    for arg in args:
        if isinstance(arg, (str, bytes, os.PathLike)) and any(side in os.fsdecode(arg) for side in sides):
            sys.stderr.write(f"TOUCHED {event} {arg!r}\\n")
            os._exit(77)
sys.addaudithook(watch)
import pyarrow.parquet as pq  # opens files without telling Python
def told(name, opens):
    def opening(*args, **options):
        watch(name, args)
        return opens(*args, **options)
    return opening
pq.read_table = told("read_table", pq.read_table)
pq.ParquetFile.__init__ = told("ParquetFile", pq.ParquetFile.__init__)
from earmark.cli.console import run
from earmark.cli.main import app
for words in typed:
    sys.argv = ["earmark", *words]
    code = run(app)
    print(end=f"\\0{code}\\0", flush=True)
    print(end="\\0", file=sys.stderr, flush=True)
"""
"""Runs commands one after the other and ends at once where anything on a private side is opened, listed or linked."""


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return write_tiny_release(tmp_path_factory.mktemp("tiny") / "r", items=4, transcripts=True)


def rows(release: Release, protocol: str = "both-orders") -> list[dict[str, object]]:
    table = release.table("presentations").to_pylist()
    return [{"presentation_id": row["presentation_id"], "choice": "P"} for row in table if protocol in row["protocols"]]


def write(path: Path, lines: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8", newline="\n")
    return path


def watched(typed: Mapping[Path, tuple[object, ...]]) -> tuple[int, list[Said]]:
    """Commands by the release whose private side they leave alone: how the process ended, and what each came to until then."""
    sides = [str(release / "private") for release in typed]
    told = json.dumps([sides, *([str(word) for word in words] for words in typed.values())])
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, told], capture_output=True, text=True, encoding="utf-8", check=False
    )
    parts, complaints = done.stdout.split("\0"), done.stderr.split("\0")
    codes = [*map(int, parts[1::2]), done.returncode]
    return done.returncode, [Said(*said) for said in zip(codes, parts[::2], complaints, strict=True)]


def bad_file(release: Release, path: Path) -> Path:
    lines = rows(release)
    lines[0]["choice"] = "X"
    lines[1]["presentation_id"] = str(lines[1]["presentation_id"]).upper()
    return write(path, lines)


INSTEAD = ["as it is", "absent", "pipe", "garbage", "loop", "pipes", "damaged"]
"""What stands where the private side does."""


def put(instead: str, private: Path) -> None:
    """Put something where a private side is."""
    if instead == "as it is":
        return
    names = [path.name for path in private.iterdir()]
    shutil.rmtree(private)
    match instead:
        case "absent":
            pass
        case "pipe":
            os.mkfifo(private)
        case "garbage":
            private.write_bytes(b"\xff")
        case "loop":
            private.symlink_to(private)
        case "pipes":
            private.mkdir()
            for name in names:
                os.mkfifo(private / name)
        case _:
            private.mkdir()
            for name in names:
                (private / name).write_bytes(b"\xff")


@pytest.fixture(scope="module")
def never_opened(tiny: Release, tmp_path_factory: pytest.TempPathFactory) -> list[Said]:
    """What `check` says of a file, by what stands where the private side does; all in one process."""
    base = tmp_path_factory.mktemp("instead")
    file = bad_file(tiny, base / "f.jsonl")
    typed: dict[Path, tuple[object, ...]] = {}
    for instead in INSTEAD:
        release = base / instead.replace(" ", "-")
        shutil.copytree(tiny.path, release)
        put(instead, release / "private")
        typed[release] = ("check", file, "--release", release, "--json")
    return watched(typed)[1]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("instead", INSTEAD)
def test_the_private_side_is_never_opened(never_opened: list[Said], instead: str) -> None:
    said = never_opened[INSTEAD.index(instead)]
    assert (said.code, said.err) == (FOUND, "")
    value = json.loads(said.out)
    assert value["counts"] == {"submission.homoglyph-id": 1, "submission.missing": 1, "submission.unknown-value": 1}


def test_the_watch_would_see_it(tiny: Release, tmp_path: Path) -> None:
    file = bad_file(tiny, tmp_path / "f.jsonl")
    shutil.copytree(tiny.path, tmp_path / "r")
    fine, touched = ("check", file, "--release", tmp_path / "r", "--json"), ("info", tiny.path)
    code, (first, second) = watched({tmp_path / "r": fine, tiny.path: touched})
    assert code == second.code == 77
    assert (first.code, first.err) == (FOUND, "")
    assert second.err.startswith("TOUCHED ")


def test_a_packed_file_is_checked_as_it_is_without(earmark: Earmark, tiny: Release, tmp_path: Path) -> None:
    file = bad_file(tiny, tmp_path / "f.jsonl")
    packed = tmp_path / "f.jsonl.gz"
    packed.write_bytes(gzip.compress(file.read_bytes()))
    plain, same = (earmark("check", path, "--release", tiny.path, "--json") for path in (file, packed))
    assert plain.code == FOUND
    assert same.out.replace("f.jsonl.gz", "f.jsonl") == plain.out


def test_a_finding_says_line_character_field_and_id(earmark: Earmark, tiny: Release, tmp_path: Path) -> None:
    lines = rows(tiny)
    ids = [str(line["presentation_id"]) for line in lines]
    text = [json.dumps(line) for line in lines]
    text[2] = text[2][:-1]
    text[3] = text[3].replace('"P"', "true")
    text[4] = text[4].replace('"P"', '"P", "probability": NaN')
    (tmp_path / "f.jsonl").write_text("\n".join(text) + "\n", encoding="utf-8", newline="\n")
    said = earmark("check", tmp_path / "f.jsonl", "--release", tiny.path)
    places = {line.split()[1]: line for line in said.err.splitlines() if line.startswith("error ")}
    assert f"f.jsonl:3:{len(text[2]) + 1} {ids[2]}: " in places["submission.not-json"]
    assert f"f.jsonl:4 [choice] {ids[3]}: " in places["submission.wrong-type"]
    assert f"f.jsonl:5 [probability] {ids[4]}: " in places["submission.nan"]
    found = {
        entry["code"]: entry
        for entry in json.loads(earmark("check", tmp_path / "f.jsonl", "--release", tiny.path, "--json").out)[
            "findings"
        ]
    }
    assert found["submission.not-json"]["character"] == len(text[2]) + 1
    assert found["submission.nan"]["character"] is None


def test_more_is_shown_where_more_is_asked_for(earmark: Earmark, tiny: Release, tmp_path: Path) -> None:
    lines: list[dict[str, object]] = [{"presentation_id": f"p{n}", "choice": "P"} for n in range(60)]
    file = write(tmp_path / "f.jsonl", [*rows(tiny), *lines])
    few = earmark("check", file, "--release", tiny.path)
    assert "    … and 50 more of submission.unknown-id" in few.err
    assert few.err.endswith("f.jsonl: 60 errors; --show N names more places\n")
    every = earmark("check", file, "--release", tiny.path, "--show", 60)
    assert every.err.count("    f.jsonl:") == 60
    assert " more " not in every.err
    value = json.loads(earmark("check", file, "--release", tiny.path, "--show", 3, "--json").out)
    assert [entry["row"] for entry in value["findings"]] == [9, 10, 11]
    assert (value["counts"], value["kept_of_each_code"]) == ({"submission.unknown-id": 60}, 3)


def test_a_protocol_that_the_file_does_not_declare(earmark: Earmark, tiny: Release, tmp_path: Path) -> None:
    words = "both-orders-transcript"
    file = write(tmp_path / "f.jsonl", [{"earmark": {"protocol": words}}, *rows(tiny, words)])
    assert earmark("check", file, "--release", tiny.path).code == FINE
    other = earmark("check", file, "--release", tiny.path, "--protocol", "both-orders")
    assert other.code == FOUND
    assert other.out.startswith(f"protocol both-orders (the file declares {words}): 8 presentations owed: 8 missing")
    assert f"a presentation_id of protocol both-orders; the file declares {words}" in other.err
    none = earmark("check", file, "--release", tiny.path, "--protocol", "one-order")
    assert none.code == COULD_NOT_RUN
    assert none.err.endswith(f"; the file declares {words}\n")
    value = json.loads(earmark("check", file, "--release", tiny.path, "--json").out)
    assert (value["protocol"], value["declared"]) == (words, {"protocol": words})


@pytest.mark.parametrize(
    ("declared", "column"),
    [
        ({"release": "tiny@2.0.0"}, "release"),
        ({"release": "Tiny"}, "release"),
        ({"release": "tiny@1.0.0", "content_hash": "blake2b-256:" + "0" * 64}, "content_hash"),
    ],
)
def test_a_file_that_declares_another_release(
    earmark: Earmark, tiny: Release, tmp_path: Path, declared: dict[str, object], column: str
) -> None:
    file = write(tmp_path / "f.jsonl", [{"earmark": declared}, *rows(tiny)])
    said = earmark("check", file, "--release", tiny.path, "--json")
    assert said.code == FOUND
    (finding,) = json.loads(said.out)["findings"]
    assert (finding["code"], finding["row"], finding["column"]) == ("submission.other-release", 1, column)
    assert finding["expected"] in ("tiny@1.0.0", tiny.manifest.content_hash)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_what_is_no_file_is_one_line(earmark: Earmark, tiny: Release, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "loop.jsonl").symlink_to("loop.jsonl")
    for path, why in (
        (tmp_path / "pipe.jsonl", "no file"),
        (tmp_path, "no file"),
        (Path("/dev/zero"), "no file"),
        (tmp_path / "loop.jsonl", "a link that leads nowhere"),
        (tmp_path / "absent.jsonl", "not there"),
    ):
        said = earmark("check", path, "--release", tiny.path)
        assert (said.code, said.out, said.err) == (COULD_NOT_RUN, "", f"earmark: {path} is {why}\n")


@pytest.mark.parametrize("verb", ["check", "info", "present"])
def test_a_damaged_release_is_one_line_that_says_what_to_do(
    earmark: Earmark, tiny: Release, tmp_path: Path, verb: str
) -> None:
    file = write(tmp_path / "f.jsonl", rows(tiny))
    words = {
        "check": ("check", file, "--release", tmp_path / "r"),
        "info": ("info", tmp_path / "r"),
        "present": ("present", tmp_path / "r", "--out", tmp_path / "out", "--modality", "transcript"),
    }[verb]
    damaging: dict[str, Callable[[pa.Table], pa.Table]] = {
        "items": lambda table: table.drop_columns(["facet"]),
        "presentations": lambda table: table.drop_columns(["protocols"]),
        "item_clips": lambda table: table.set_column(3, "clip_id", pa.array(["c" + "a" * 26] * len(table))),
    }
    needed = {"check": ["items", "presentations"], "info": ["items", "item_clips"], "present": ["presentations"]}[verb]
    for name in needed:
        shutil.copytree(tiny.path, tmp_path / "r", dirs_exist_ok=True)
        path = tmp_path / "r" / "public" / f"{name}.parquet"
        pq.write_table(damaging[name](pq.read_table(path)), path)
        said = earmark(*words)
        assert (said.code, said.out) == (COULD_NOT_RUN, "")
        assert said.err.startswith("earmark: ")
        assert said.err.endswith(f"; earmark validate {tmp_path / 'r'} says all that is wrong\n")
        assert "damaged" in said.err
        assert said.err.count("\n") == 1
        assert earmark("validate", tmp_path / "r").code == FOUND
