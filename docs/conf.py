"""How the documentation is built; `make docs` treats every warning as an error."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

from earmark import __version__

project = "Earmark"
author = "The Earmark developers"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.doctest", "format_page"]
exclude_patterns = ["_build", "generated"]
nitpicky = True

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

# Only what is marked as an example is one; a prompt in running text is not.
doctest_test_doctest_blocks = ""

html_theme = "furo"
html_title = f"Earmark {version}"
html_static_path = ["_static"]
html_css_files = ["tables.css"]
