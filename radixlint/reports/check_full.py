"""``check`` for people under the name that other linters have for it."""

from radixlint.reports._finding_blocks import render as render
