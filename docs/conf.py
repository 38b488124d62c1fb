"""The documentation as a site: `make docs`.

Its sources are the pages where they lie in the repository, so that a link from one to another is right on GitHub, too.
What `docs/reference` shows is generated from the code (`docs/generated.py`). Nothing is fetched.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

project = "kingmaker"
copyright = "the kingmaker authors"
html_title = "kingmaker"
extensions = ["myst_parser", "sphinx_click", "sphinx.ext.autodoc", "generated"]
root_doc = "docs/index"
include_patterns = [
    "docs/**.md",
    "*.md",
    "protocol/**.md",
    "bots/**.md",
    "referee/games/*/README.md",
]
exclude_patterns = ["build", ".*", "**/node_modules", "**/target", "**/__pycache__", "tests", "leaderboards"]
nitpicky = True
needs_sphinx = "8.0"

myst_enable_extensions = ["attrs_inline", "fieldlist"]
myst_heading_anchors = 4
suppress_warnings = ["myst.header"]  # sections of a page that GitHub shows may begin at the second level

nitpick_ignore_regex = [("py:.*", ".*")]  # types of other packages, of which nothing is fetched
default_role = "code"
highlight_language = "none"
smartquotes = False  # two hyphens are an option
autodoc_typehints = "none"
autodoc_member_order = "bysource"

html_theme = "furo"
html_show_sphinx = False
html_copy_source = False
html_additional_pages = {"index": "home.html"}
templates_path = ["templates"]
html_static_path = ["static"]
html_css_files = ["pages.css"]
html_favicon = "../leaderboards/web/src/favicon.svg"
pygments_style = "friendly"
pygments_dark_style = "github-dark"
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#0b6470", "color-brand-content": "#0b6470", "color-brand-visited": "#0b6470",
        "color-background-primary": "#fbfaf7", "color-background-secondary": "#f4f2ec",
    },
    "dark_css_variables": {
        "color-brand-primary": "#67c6cf", "color-brand-content": "#67c6cf", "color-brand-visited": "#67c6cf",
        "color-background-primary": "#14171a", "color-background-secondary": "#1a1e22",
    },
}  # fmt: skip
