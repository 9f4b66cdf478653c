"""The choices that a prompt offers."""

from __future__ import annotations

import pytest

from earmark.manifests.choices import choices_offered
from earmark.manifests.errors import ReleaseError


@pytest.mark.parametrize(
    "answer", ["[]", "{}", "", '{"marks": []}', '{"properties": {"choice": {"type": "string"}}}', '{"properties": [1]}']
)
def test_a_prompt_without_choices(answer: str) -> None:
    with pytest.raises(ReleaseError, match="offers no choices"):
        choices_offered(answer)
