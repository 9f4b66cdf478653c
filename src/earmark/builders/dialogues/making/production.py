"""What a build of dialogues is told, and who does the work: writers, readers and speakers by the sections of its recipe."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from earmark.builders.dialogues.author import AuthorSection, Wording, read_wording
from earmark.builders.dialogues.llm_writer import LLMWriter
from earmark.builders.dialogues.makers import Speaker, Writer
from earmark.builders.dialogues.offline import OfflineWriter
from earmark.builders.dialogues.oracle import ModelReader, OracleSection, Reader, RuleReader
from earmark.builders.dialogues.oracle.templates import OracleTemplates, read_oracle_templates
from earmark.builders.dialogues.quotas import DialoguesSection
from earmark.builders.dialogues.sections import LedgerSection
from earmark.builders.dialogues.speakers import VoiceSection
from earmark.builders.dialogues.voicing.listening import WordsCheck
from earmark.builders.dialogues.voicing.spoken import Origin
from earmark.builders.dialogues.voicing.synthesis import Gate
from earmark.builders.ledger.ledger import Ledger
from earmark.builders.ledger.prices import Prices, Unpriced
from earmark.builders.ledger.retries import RetriesSection
from earmark.builders.providers.client import Client, ServerSection
from earmark.manifests.errors import CannotBegin, Refused

if TYPE_CHECKING:
    from earmark.manifests.findings import Findings

CALLS = "calls.sqlite"
"""The ledger, in the work folder."""

CLIPS = "clips"
"""Folder of the clips, in the work folder."""

_Connect: TypeAlias = Callable[[ServerSection], Awaitable[Client]]


@dataclass(frozen=True, kw_only=True)
class Production:
    """What is to be made, and how.

    Args:
        dialogues: How many of what.
        author: Who writes them.
        oracle: Who reads them before they are spoken.
        voice: Who speaks them.
        gate: What a turn must pass.
        words: Who checks the words; None leaves them unchecked.
        origin: What the corpus that comes of it is called.
        ledger: What calls may cost, and how many are under way.
        prices: Price of each model.
        retries: When a call is sent again.
        work: Folder that is kept from run to run.
        key: The release key.
        seed: Of what is drawn.
        jobs: Processes at a time.
    """

    dialogues: DialoguesSection
    author: AuthorSection
    oracle: OracleSection
    voice: VoiceSection
    gate: Gate
    words: WordsCheck | None
    origin: Origin
    ledger: LedgerSection
    prices: Prices
    retries: RetriesSection
    work: Path
    key: bytes
    seed: int
    jobs: int

    @property
    def online(self) -> bool:
        """Whether a server is asked, and paid."""
        return self.author.provider == "openai" or self.oracle.provider == "openai" or self.voice.online

    def require_prices(self) -> None:
        """Stop before the first call where a limit of cost cannot be kept at a later one.

        Raises:
            Unpriced: If there is a limit, and a model that is to be asked has no price.
        """
        asked = {
            self.author.text.model if self.author.provider == "openai" and self.author.text else None,
            self.oracle.model if self.oracle.provider == "openai" else None,
            self.voice.model if self.voice.online else None,
        }
        unpriced = sorted(model for model in asked if model is not None and model not in self.prices)
        if unpriced and self.ledger.limit is not None:
            raise Unpriced(unpriced[0], self.prices)

    def open_ledger(self) -> Ledger:
        """The ledger, to be closed by whoever opens it.

        Raises:
            Busy: If another process works with it.
            LedgerError: If it cannot be read or written.
        """
        return Ledger.open(
            self.work / CALLS,
            prices=self.prices,
            max_cost=self.ledger.limit,
            concurrency=self.ledger.concurrency,
            retries=self.retries,
        )


@dataclass(frozen=True)
class Texts:
    """Prompts and lists of words, read from the files that a recipe names.

    Args:
        wording: Of the author.
        oracle: Of the reader.
    """

    wording: Wording
    oracle: OracleTemplates


@dataclass(frozen=True)
class Makers:
    """Who does the work.

    Args:
        writer: Who writes.
        reader: Who reads; None where nobody does.
        speaker: Who speaks.
        ledger: Where calls are written down; None where there are none.
    """

    writer: Writer
    reader: Reader | None
    speaker: Speaker
    ledger: Ledger | None = None


def read_texts(production: Production, findings: Findings) -> Texts:
    """The files that a recipe names, or Earmark's own.

    Raises:
        CannotBegin: If a file cannot be read, or something in one is wrong; all of it at once.
    """
    templates = production.oracle.templates
    with beginning(findings):
        return Texts(
            read_wording(production.author, findings),
            read_oracle_templates(None if templates is None else Path(templates), findings),
        )


@contextmanager
def beginning(findings: Findings) -> Iterator[None]:
    """Read what is needed before anything is paid for.

    Args:
        findings: Where problems go.

    Raises:
        CannotBegin: If something in it cannot be used, or anything was an error before.
    """
    try:
        yield
    except Refused as refused:
        raise CannotBegin(refused.findings) from refused
    findings.require_none(CannotBegin)


@asynccontextmanager
async def makers_of(
    production: Production, texts: Texts, ledger: Ledger | None, *, to_send: bool = True
) -> AsyncIterator[Makers]:
    """Who does the work, their connections open until the block ends.

    Args:
        production: What is to be made.
        texts: What they are asked.
        ledger: Where calls are written down; needed where there are any.
        to_send: Whether anything is to be sent; a plan needs no key.

    Raises:
        KeyMissing: If a key is needed and not there.
        MissingExtra: If a package is not installed.
    """
    async with AsyncExitStack() as stack:
        clients: dict[ServerSection, Client] = {}

        async def client(server: ServerSection) -> Client:
            if server not in clients:
                clients[server] = await stack.enter_async_context(Client(server, to_send=to_send))
            return clients[server]

        yield Makers(
            writer=await _writer(production, texts, ledger, client),
            reader=await _reader(production, texts, ledger, client),
            speaker=await _speaker(production, ledger, client),
            ledger=ledger,
        )


async def _writer(production: Production, texts: Texts, ledger: Ledger | None, client: _Connect) -> Writer:
    section = production.author
    if section.provider == "offline":
        return OfflineWriter(production.seed, production.key)
    return LLMWriter(await client(section.server), _needed(ledger), section, texts.wording)


async def _reader(production: Production, texts: Texts, ledger: Ledger | None, client: _Connect) -> Reader | None:
    section = production.oracle
    if section.provider == "none":
        return None
    if section.provider == "offline":
        return RuleReader()
    return ModelReader(await client(section.server), _needed(ledger), section.text, texts.oracle, tries=section.tries)


async def _speaker(production: Production, ledger: Ledger | None, client: _Connect) -> Speaker:
    section = production.voice
    if not section.online:
        return section.offline_speaker(production.jobs)
    connected = await client(section.server)
    return section.openai_speaker(connected, _needed(ledger), workers=production.ledger.concurrency)


def _needed(ledger: Ledger | None) -> Ledger:
    if ledger is None:
        raise AssertionError("who asks a server has a ledger")
    return ledger
