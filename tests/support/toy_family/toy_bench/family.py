"""What the toy family is."""

import pyarrow as pa

from earmark.manifests.family import Family, Protocol
from earmark.manifests.grammars import MarksGrammar
from earmark.manifests.tables import Column

TOY = Family(
    name="toy",
    title="Toy: which clip asks?",
    choices=("A", "B", "Tie"),
    golds=("one", "other", "tie"),
    kinds=("plain", "both"),
    roles=("one", "other"),
    judged=("one", "other"),
    orders=("AB", "BA"),
    protocols=(
        Protocol(name="both-orders", modality="transcript", orders=("AB", "BA"), means="Every pair both ways round."),
        Protocol(name="one-order", modality="transcript", orders=("AB",), means="Every pair once."),
    ),
    grammar=MarksGrammar((("[[A]]", "A"), ("[[B]]", "B"), ("[[Tie]]", "Tie"))),
    probability=False,
    headline="accuracy",
    label_source="Made up.",
    limits="For tests.",
    answer_columns=(Column(name="asked", type=pa.string(), gold=True, means="What was asked."),),
)
