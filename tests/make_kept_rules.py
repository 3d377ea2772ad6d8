"""Write the rules as read, ``rules/as-read.json``, anew: ``python tests/make_kept_rules.py``, after a rule file was edited."""

from __future__ import annotations

from radixlint.catalog import rules_folder
from radixlint.catalog.rules_as_read import KEPT_NAME, kept_form

if __name__ == "__main__":
    (rules_folder() / KEPT_NAME).write_bytes(kept_form(rules_folder()))
