"""What can be loaded of a copy by name."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from tests.support.facts import golden_facts

from earmark.builders.publishing.data.configs import config_names, configs_of
from earmark.manifests.families.pairs import PAIRS
from earmark.manifests.release import FacetEntry

RESERVED = ["clips", "items", "presentations", "prompts", "answers"]


@given(
    st.lists(
        st.text(max_size=12) | st.sampled_from([*RESERVED, "Items", "facet-items", "a", "A", "a-2", "../x"]),
        unique=True,
    )
)
def test_every_facet_has_a_name_of_its_own_that_is_a_file_name_everywhere(facets: list[str]) -> None:
    names = config_names(facets, RESERVED)
    assert list(names) == facets
    folded = [name.casefold() for name in names.values()]
    assert len({*folded, *RESERVED}) == len(facets) + len(RESERVED)
    assert all(re.fullmatch(r"[A-Za-z0-9_+][A-Za-z0-9_.+-]*", name) for name in names.values())


def test_a_facet_that_is_named_plainly_keeps_its_name() -> None:
    facets = [facet.id for facet in golden_facts("dialogues").facets]
    assert config_names(facets, RESERVED) == {facet: facet for facet in facets}


def test_answers_are_a_config_only_where_they_are_open_and_clips_only_where_audio_is_shipped() -> None:
    facets = [FacetEntry(id="style", name="Style", items=2), FacetEntry(id="rate", name="Rate", items=0)]
    names = {
        (gold, audio): [config.name for config in configs_of(PAIRS, facets, gold=gold, audio=audio)]  # type: ignore[arg-type]
        for gold in ("hidden", "open", "derivable")
        for audio in (True, False)
    }
    rest = ["items", "style", "presentations", "prompts"]
    assert names["hidden", True] == names["derivable", True] == ["clips", *rest]
    assert names["open", True] == ["clips", *rest, "answers"]
    assert names["derivable", False] == rest
