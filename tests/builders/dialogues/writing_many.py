"""Several dialogues written at once by the real client; as a process of its own, one that kills itself uncleanly.

`python -m tests.builders.dialogues.writing_many LEDGER URL POINT NUMBER` dies at the NUMBER-th time that it passes POINT.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from tests.builders.providers.killed import POINTS, dying

from earmark.builders.dialogues.author import AuthorSection, read_wording
from earmark.builders.dialogues.jobs import run_all
from earmark.builders.dialogues.llm_writer import LLMWriter
from earmark.builders.dialogues.makers import Commission, Written
from earmark.builders.dialogues.quotas import DialoguesSection, commissions
from earmark.builders.ledger import Ledger, ModelPrice, RetriesSection
from earmark.builders.ledger.store import Store
from earmark.builders.providers import Client, ServerSection, TextSection
from earmark.manifests.findings import Findings

CONCURRENCY = 3
PRICES = {"toy-text": ModelPrice(input_per_million_tokens=2.5, output_per_million_tokens=10)}
SEVERAL = commissions(DialoguesSection(per_subscale=1))[:4]


def section(url: str, **changes: object) -> AuthorSection:
    """A section of a recipe that asks a server."""
    text = TextSection(model="toy-text", seed=7, most_tokens=500)
    return AuthorSection(provider="openai", server=ServerSection(base_url=url), text=text, **changes)  # type: ignore[arg-type]


def write(
    path: Path,
    url: str,
    wanted: Sequence[Commission] = SEVERAL,
    *,
    then: Callable[[Ledger, LLMWriter], None] = lambda *_: None,
    **changes: object,
) -> list[Written]:
    """Write dialogues with a ledger."""

    async def run() -> list[Written]:
        author = section(url, **changes)
        retries = RetriesSection(tries=3, first_s=0.001, most_s=0.01)
        async with Client(author.server) as client:
            with Ledger.open(path, prices=PRICES, concurrency=CONCURRENCY, retries=retries) as ledger:
                writer = LLMWriter(client, ledger, author, read_wording(author, Findings(strict=True)))
                made = await run_all([partial(writer.write, commission) for commission in wanted], workers=CONCURRENCY)
                then(ledger, writer)
                return made

    return asyncio.run(run())


if __name__ == "__main__":
    _, ledger, url, point, number = sys.argv
    name, after = POINTS[point]
    setattr(Store, name, dying(getattr(Store, name), after=after, number=int(number)))
    write(Path(ledger), url)
