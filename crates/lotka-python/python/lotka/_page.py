"""Pages in notebooks."""

from __future__ import annotations

import html

#: Height of a page in a notebook [pixels].
_HEIGHT = 640


def framed(page: str) -> str:
    """A page as a part of a notebook, from which it cannot read anything."""
    return f'<iframe srcdoc="{html.escape(page)}" sandbox="allow-scripts allow-downloads" style="width:100%;height:{_HEIGHT}px;border:0"></iframe>'
