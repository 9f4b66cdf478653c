"""Plain tables for terminals, pipes and diffs."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def table(header: Sequence[str], rows: Sequence[Sequence[str]], *, right: Collection[int] = ()) -> str:
    """Rows under a header, columns aligned.

    Args:
        header: Column names.
        rows: Cells.
        right: Columns that are aligned to the right, from 0.

    >>> print(table(["a", "n"], [["x", "10"], ["yy", "9"]], right=[1]))
    a    n
    x   10
    yy   9
    """
    lines = [list(header), *(list(row) for row in rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(header))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if at in right else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def pairs(facts: Sequence[tuple[str, str]]) -> str:
    """Names and what they are, a line each, the second column aligned.

    >>> print(pairs([("corpus", "toy"), ("by", "hand")]))
    corpus  toy
    by      hand
    """
    width = max((len(name) for name, _ in facts), default=0)
    return "\n".join(f"{name.ljust(width)}  {fact}".rstrip() for name, fact in facts)
