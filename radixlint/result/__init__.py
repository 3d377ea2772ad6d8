"""What radixlint tells people: every number shown is a field here, so that two reports cannot disagree."""
