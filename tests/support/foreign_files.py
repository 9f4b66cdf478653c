"""Files in the layouts of other people's frameworks, written from decisions that are known."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from hypothesis import strategies as st

from earmark.manifests.family import Family
from earmark.manifests.findings import Findings
from earmark.manifests.release import Release, open_release
from earmark.scoring.decisions import Outcome, owed_presentations
from earmark.scoring.face import read

FOLDER = Path(__file__).resolve().parents[1] / "golden"


def golden(family: str) -> Release:
    """The small release of a family."""
    return open_release(FOLDER / family / "release")


class Known(NamedTuple):
    """What a judge said of a presentation in a run: a choice, or `failed` or `abstained` in its place."""

    presentation: str
    run: int
    choice: str
    probability: float | None = None

    @property
    def decided(self) -> tuple[str, str | None, float | None]:
        """What marking must come to."""
        if self.choice in ("failed", "abstained"):
            return self.choice, None, None
        return "ok", self.choice, self.probability


def decided(release: Release, file: Path) -> dict[tuple[str, int], tuple[str, str | None, float | None]]:
    """By presentation and run, what our own readers make of a prediction file; what is missing is not in it."""
    findings = Findings()
    _, decisions = read(release, file, None, findings)
    assert not findings.failed, [finding.text() for finding in findings]
    found: dict[tuple[str, int], tuple[str, str | None, float | None]] = {}
    for n, place in enumerate(decisions.presentation.tolist()):
        outcome = Outcome(int(decisions.outcome[n]))
        if outcome is Outcome.MISSING:
            continue
        choice = decisions.choices[decisions.choice[n]] if outcome is Outcome.OK else None
        probability = float(decisions.probability[n])
        given = None if probability != probability else round(probability, 9)
        found[decisions.owed.ids[place], int(decisions.run[n])] = outcome.name.lower(), choice, given
    return found


def expected(known: Iterable[Known]) -> dict[tuple[str, int], tuple[str, str | None, float | None]]:
    """The same from what is known."""
    return {(entry.presentation, entry.run): entry.decided for entry in known}


@st.composite
def known_of(
    draw: st.DrawFn,
    release: Release,
    protocol: str | None = None,
    *,
    runs: int = 1,
    lost: Sequence[str] = ("failed", "abstained"),
) -> list[Known]:
    """What a judge said of some of the presentations that a protocol owes, in any order."""
    family, owed = release.family, owed_presentations(release, release.protocol(protocol)).ids
    asked = draw(st.lists(st.sampled_from(owed), min_size=1, max_size=8, unique=True))
    choices = st.sampled_from([*family.choices, *lost])
    known = []
    for presentation in asked:
        for run in range(draw(st.integers(1, runs))):
            choice = draw(choices)
            sure = family.probability and choice in family.choices
            probability = draw(st.integers(0, 1000)) / 1000 if sure else None
            known.append(Known(presentation, run, choice, probability))
    return draw(st.permutations(known))


def response_of(known: Known, family: Family) -> str:
    """A response in the words that the family asks for."""
    if family.name == "pairs":
        return f"I listened to both.\n[[{known.choice}]]"
    if family.name == "dialogues":
        return json.dumps({"selected": f"Option {known.choice}"})
    return "```json\n" + json.dumps({"choice": known.choice, "probability": known.probability}) + "\n```"


def inspect_log(known: Sequence[Known], family: Family, *, in_metadata: bool = False) -> dict[str, Any]:
    """An eval log of Inspect AI."""
    samples = []
    for number, entry in enumerate(known):
        stop = {"failed": "unknown", "abstained": "content_filter"}.get(entry.choice, "stop")
        words = response_of(entry, family) if stop == "stop" else ""
        sample = {
            "id": number if in_metadata else entry.presentation,
            "epoch": entry.run + 1,
            "input": "...",
            "target": "?",
            "messages": [],
            "output": {
                "model": "toy/judge",
                "choices": [{"message": {"content": words, "role": "assistant"}, "stop_reason": stop}],
                "completion": words,
                "usage": {"input_tokens": 11, "output_tokens": 7, "total_tokens": 18},
                "time": 0.25,
            },
            "scores": {"match": {"value": float("nan")}},
            "metadata": {"presentation_id": entry.presentation} if in_metadata else {},
        }
        if entry.choice == "failed":
            sample["error"] = {"message": "503", "traceback": "...", "traceback_ansi": "..."}
        samples.append(sample)
    return {"version": 2, "status": "success", "eval": {"task": "toy", "model": "toy/judge"}, "samples": samples}


def lm_eval_lines(known: Sequence[Known], family: Family) -> list[dict[str, Any]]:
    """Lines of `samples_*.jsonl`: a document has all its runs in one list."""
    by_id: dict[str, dict[int, Known]] = defaultdict(dict)
    for entry in known:
        by_id[entry.presentation][entry.run] = entry
    return [
        {
            "doc_id": number,
            "doc": {"presentation_id": presentation, "system": "...", "user": "..."},
            "target": "?",
            "arguments": {"gen_args_0": {"arg_0": "...", "arg_1": {"until": []}}},
            "resps": [["" if runs[n].choice == "failed" else response_of(runs[n], family) for n in range(len(runs))]],
            "filtered_resps": ["[invalid]"],
            "filter": "none",
            "metrics": ["acc"],
            "doc_hash": "0" * 64,
            "acc": 0.0,
        }
        for number, (presentation, runs) in enumerate(by_id.items())
    ]


LABELS = {"A": "1", "B": "2", "Tie": "tie"}


def audiojudge_results(release: Release, known: Sequence[Known], *, corpus: bool = False) -> list[dict[str, Any]]:
    """Results of AudioJudge's package: paths as they were played, labels in its own words.

    Args:
        release: A pairs release.
        known: What was said.
        corpus: Whether paths are those of the corpora, in some folder, or of what `earmark present` wrote.
    """
    paths = {row["clip_id"]: row["path"] for row in release.table("sources").to_pylist()}
    clips = {row["presentation_id"]: row["clips"] for row in release.table("presentations").to_pylist()}
    results = []
    for entry in known:
        first, second = clips[entry.presentation]
        result: dict[str, Any] = {
            "success": entry.choice != "failed",
            "model": "gpt-toy-audio",
            "concatenation_method": "no_concatenation",
            "audio1_path": f"/data/corpora/{paths[first]}" if corpus else f"audio/{first}.flac",
            "audio2_path": f"/data/corpora/{paths[second]}" if corpus else f"audio/{second}.flac",
            "instruction_path": None,
        }
        if entry.choice == "failed":
            result["error"] = "rate limit"
        else:
            label = {"reasoning": "The first one is calmer.", "label": LABELS[entry.choice]}
            result["response"] = f"```json\n{json.dumps(label)}\n```"
        results.append(result)
    return results


COLUMNS = (
    "prompt_id_unique",
    "a_id",
    "b_id",
    "role_a",
    "role_b",
    "evidence_a",
    "avg_score_a",
    "flip_rate_a",
    "fail_note_a",
    "evidence_b",
    "avg_score_b",
    "flip_rate_b",
    "fail_note_b",
)


def mapped(choice: str, probability: float) -> int:
    """The runner's own scale, by its thresholds."""
    sign = 1 if choice == "P" else -1
    return 0 if probability < 0.45 else sign if probability < 0.75 else 2 * sign


def stancebench_rows(release: Release, known: Sequence[Known], *, moved_ms: int = 0) -> list[dict[str, str]]:
    """Rows of a result sheet, a recording in each, as side A or B by turns.

    Args:
        release: A stance release.
        known: What was said of items, in both orders each; an item that failed in one order has failed in both.
        moved_ms: By how much the runner's clips lie beside the release's.
    """
    asked = {row["presentation_id"]: row for row in release.table("presentations").to_pylist()}
    by_item: dict[str, dict[str, Known]] = defaultdict(dict)
    for entry in known:
        row = asked[entry.presentation]
        by_item[row["item_id"]][row["order"]] = entry
    items = stance_items(release)
    sides: dict[tuple[str, str], list[tuple[StanceItem, dict[str, Known]]]] = defaultdict(list)
    for item, said in by_item.items():
        sides[items[item].recording, items[item].role].append((items[item], said))
    return [
        _stancebench_row(recording, role, entries, "ab"[n % 2], moved_ms)
        for n, ((recording, role), entries) in enumerate(sides.items())
    ]


class StanceItem(NamedTuple):
    """An item as the runner would have had it."""

    recording: str
    role: str
    target: Sequence[tuple[int, int]]
    context: Sequence[tuple[int, int]]
    after: bool


def stance_items(release: Release) -> dict[str, StanceItem]:
    """By item, where its target and its context are spoken, in ms."""
    sources = {row["clip_id"]: row for row in release.table("sources").to_pylist()}
    roles = {row["item_id"]: row["role"] for row in release.table("answers").to_pylist()}
    after = {row["item_id"]: row["target"] is not None for row in release.table("items").to_pylist()}
    clips: dict[str, dict[str, str]] = defaultdict(dict)
    for row in release.table("item_clips").to_pylist():
        clips[row["item_id"]][row["role"]] = row["clip_id"]

    def spans(clip: str | None) -> list[tuple[int, int]]:
        if clip is None:
            return []
        source = sources[clip]
        return [(start // 48, end // 48) for start, end in zip(source["starts"], source["ends"], strict=True)]

    return {
        item: StanceItem(
            PurePosixPath(sources[have["target"]]["path"]).stem,
            roles[item],
            spans(have["target"]),
            spans(have.get("context")),
            after[item],
        )
        for item, have in clips.items()
    }


def _stancebench_row(
    recording: str, role: str, entries: Sequence[tuple[StanceItem, dict[str, Known]]], own: str, moved: int
) -> dict[str, str]:
    other, evidence, notes, scores = "ba"["ab".index(own)], [], [], []
    for index, (item, said) in enumerate(entries):
        entry = _entry(recording, own.upper(), item, index, moved)
        pn, np = said["PN"], said["NP"]
        if "failed" in (pn.choice, np.choice):
            notes.append({**entry, "variant": int(pn.choice != "failed"), "raw_output": "I cannot tell."})
            continue
        assert pn.probability is not None
        assert np.probability is not None
        both = mapped(pn.choice, pn.probability), mapped(np.choice, np.probability)
        scores.append(sum(both) / 2)
        answers = {"choice_v0": pn.choice, "prob_v0": pn.probability, "score_v0_mapped": both[0], "evidence_v0": ["a"]}
        answers |= {"choice_v1": np.choice, "prob_v1": np.probability, "score_v1_mapped": both[1], "evidence_v1": []}
        evidence.append({**entry, "tau0": 0.45, "tau2": 0.75, **answers, "score_avg": scores[-1]})
    row = dict.fromkeys(COLUMNS, "")
    return row | {
        "prompt_id_unique": "P0001_v3.2.3.RP_AMCN_ANCM",
        f"{own}_id": recording,
        f"{other}_id": "V99_S9999_I00009999_P9999",
        f"role_{own}": role,
        f"role_{other}": "Jovial",
        f"evidence_{own}": json.dumps(evidence),
        f"avg_score_{own}": str(sum(scores) / len(scores)) if scores else "nan",
        f"fail_note_{own}": json.dumps(notes),
    }


def _entry(recording: str, label: str, item: StanceItem, index: int, moved: int) -> dict[str, Any]:
    def ipus(spans: Iterable[tuple[int, int]]) -> list[str]:
        stem = f"P0001_A-{recording}_B-x_spk{label}"
        return [f"{stem}_{n:03d}_{start + moved}_{end + moved}" for n, (start, end) in enumerate(spans, 1)]

    if not item.context:
        audio = f"P0001_A-{recording}_B-x_spk{label}_single_{index:03d}.wav"
        common = {"item_index": index, "item_type": "single", "item_label": audio, "target_spk_label": label}
        return {**common, "source_ipus": ipus(item.target), "active_speech_s": 31.0}
    target = "+".join(ipus(item.target))
    common = {"item_index": index, "item_type": "interaction", "item_label": target, "target_spk_label": label}
    return {
        **common,
        "target_ipu_id": target,
        "context_ipu_id": "+".join(ipus(item.context)),
        "target_position": 1 if item.after else 2,
    }


def sheet(rows: Sequence[Mapping[str, str]]) -> str:
    """A result sheet as CSV."""
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()
