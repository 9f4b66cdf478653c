"""What a family is: its columns, its answers, its protocols and its answer grammar, in one frozen record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from earmark.manifests import declarations
from earmark.manifests.errors import UnknownName
from earmark.manifests.grammars import Grammar
from earmark.manifests.report import UseEntry
from earmark.manifests.tables import Column, Table


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """A named set of presentations that a submission owes: its denominator.

    Args:
        name: Name that a submission gives.
        modality: What stands for a clip in it.
        orders: The orders in which every item is owed.
        means: One sentence for people.
    """

    name: str
    modality: str
    orders: tuple[str, ...]
    means: str


@dataclass(frozen=True, kw_only=True)
class Family:
    """A kind of benchmark. The first protocol is the default one.

    Args:
        name: Name in recipes, releases and entry points.
        title: Name for people.
        choices: What a prediction may say.
        golds: What the gold may be.
        kinds: Kinds of item, where the family has any.
        roles: Roles of clips in an item, neutral to the gold.
        judged: Those of them whose clips the answer is about; their speakers are the dependent units.
        orders: Orders of presentation.
        reads: For each order in which a choice is not the gold's own label, what each choice stands for.
        protocols: The protocols that a release may offer.
        grammar: How a raw response is read.
        probability: Whether a row may carry a probability.
        headline: Name of the metric that ranks.
        counted: What that metric's n is of, for people.
        label_source: Where the gold is from and how far it can be trusted; stands under every report's headline.
        limits: What the figures cannot show; stands in every report.
        intended_use: What the benchmark is for; stands in every report, and nothing is published without it.
        out_of_scope: What it is not for, and why; stands in every report, and nothing is published without it.
        item_columns: Further public columns of items.
        answer_columns: Further private columns of answers.
        source_columns: Further private columns of sources.
        further_tables: Tables that only this family has.
    """

    name: str
    title: str
    choices: tuple[str, ...]
    golds: tuple[str, ...]
    kinds: tuple[str, ...] = ()
    roles: tuple[str, ...]
    judged: tuple[str, ...]
    orders: tuple[str, ...]
    reads: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    protocols: tuple[Protocol, ...]
    grammar: Grammar
    probability: bool
    headline: str
    counted: str = "units"
    label_source: str
    limits: str
    intended_use: str = ""
    out_of_scope: str = ""
    item_columns: tuple[Column, ...] = ()
    answer_columns: tuple[Column, ...] = ()
    source_columns: tuple[Column, ...] = ()
    further_tables: tuple[Table, ...] = ()

    @property
    def use(self) -> UseEntry | None:
        """What every report repeats of its use; None where the family says nothing of it."""
        if not (self.intended_use or self.out_of_scope):
            return None
        return UseEntry(self.intended_use, self.out_of_scope)

    def decision(self, order: str, choice: str) -> str:
        """What a choice in an order of presentation decides, in the labels of the gold."""
        return self.reads[order][choice] if order in self.reads else choice

    def protocol(self, name: str | None = None) -> Protocol:
        """One protocol by name, the first one without a name.

        Raises:
            UnknownName: If the family has no such protocol.
        """
        if name is None:
            return self.protocols[0]
        for protocol in self.protocols:
            if protocol.name == name:
                return protocol
        raise UnknownName("protocol", name, tuple(protocol.name for protocol in self.protocols))

    def tables(self) -> dict[str, Table]:
        """The tables of a release of this family, by name: the common ones narrowed to it, with its own columns, then its own."""
        return dict(self._tables)

    @cached_property
    def _tables(self) -> dict[str, Table]:
        narrowed = {
            ("item_clips", "role"): self.roles,
            ("presentations", "order"): self.orders,
            ("presentations", "protocols"): tuple(protocol.name for protocol in self.protocols),
            ("answers", "gold"): self.golds,
            ("answers", "kind"): self.kinds,
        }
        further = {"items": self.item_columns, "answers": self.answer_columns, "sources": self.source_columns}
        tables = {}
        for table in declarations.TABLES:
            columns = tuple(
                replace(column, choices=narrowed[table.name, column.name])
                if narrowed.get((table.name, column.name))
                else column
                for column in table.columns
            )
            tables[table.name] = replace(table, columns=columns).with_columns(further.get(table.name, ()))
        return {**tables, **{table.name: table for table in self.further_tables}}
