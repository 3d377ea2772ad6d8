"""``check`` for people, the form that a terminal gets."""

from radixlint.reports._finding_blocks import render as render
