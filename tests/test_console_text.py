"""Reports without colours are those with colours, less the colours."""

from __future__ import annotations

import re
import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from radixlint.reports import TextStyle
from radixlint.reports._console_text import drawn

COLOURS = re.compile(r"\x1b\[[\d;]*m")
WORDS = st.text(st.sampled_from("ab  \n\té漢😀\u00a0\u3000-"), max_size=60)


@given(st.lists(st.tuples(WORDS, st.sampled_from(["", "bold", "dim red"]))), st.integers(20, 50))
def test_colours_change_no_character(parts: list[tuple[str, str]], width: int) -> None:
    """Any text, with tabs, wide characters and empty lines, is laid out alike with and without colours."""
    plain, coloured = (drawn([Text(*part) for part in parts], TextStyle(width=width, color=color)) for color in (False, True))

    assert plain == "".join(line.rstrip(" ") + "\n" for line in COLOURS.sub("", coloured).removesuffix("\n").split("\n"))


def test_plain_text_loads_no_console() -> None:
    """Text without colours is drawn without rich's console, which takes longer to load than a small check."""
    code = (
        "import sys\nfrom rich.text import Text\nfrom radixlint.reports import TextStyle\n"
        "from radixlint.reports._console_text import drawn\n"
        "print(drawn([Text('a b', 'bold')], TextStyle()), 'rich.console' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "a b\n False\n"
