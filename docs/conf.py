"""How Sphinx builds the manual: ``make docs``."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

project = "srcad"
author = "The srcad developers"
copyright = "2026, The srcad developers"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]  # napoleon reads NumPy's form of docstrings
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "srcad"
html_copy_source = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"
