"""Names that tell submissions apart."""

from __future__ import annotations

from typing import cast

import numpy as np
import pyarrow as pa

from earmark.scoring.against import judged
from earmark.scoring.decisions import Decisions, Owed
from earmark.scoring.submissions import Submission
from earmark.scoring.submissions.header import Header, Judge

NONE = np.zeros(0, np.int64)


def said(file: str, protocol: str = "direct", **judge: str) -> tuple[Submission, Decisions]:
    decisions = Decisions(Owed(protocol, (), (), ()), NONE, NONE, NONE, NONE, np.zeros(0), ("1", "2"))
    return Submission(file, Header(judge=Judge(**judge)), pa.table({})), cast("Decisions", decisions)


def test_every_submission_has_a_name_of_its_own() -> None:
    found = judged(
        [
            said("owl.jsonl", name="Owl"),
            said("a.jsonl", name="Owl", persona="Deficit"),
            said("b.jsonl", "sequential-2", name="Owl"),
            said("lark.v2.csv"),
            said("c.jsonl", name="Owl"),
            said("d.jsonl", name="Owl"),
        ]
    )
    names = [each.name for each in found]
    assert names == ["Owl", "Owl, Deficit", "Owl, sequential-2", "lark.v2", "Owl (2)", "Owl (3)"]
    assert found[1].slice == "against:Owl, Deficit"
    assert found[1].judge == {"name": "Owl", "persona": "Deficit"}
