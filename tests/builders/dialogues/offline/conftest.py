"""As many dialogues as the paper has, composed once."""

from __future__ import annotations

import pytest

from earmark.builders.dialogues.offline import OfflineWriter
from earmark.builders.dialogues.quotas import DialoguesSection, commissions
from earmark.builders.dialogues.records import Dialogue


@pytest.fixture(scope="session")
def release() -> tuple[Dialogue, ...]:
    """2,265 dialogues, 151 of each subscale."""
    writer = OfflineWriter()
    return tuple(writer.compose(commission) for commission in commissions(DialoguesSection(per_subscale=151)))
