"""Which fixes a break allows: for each a way to rewrite the logged requests as if it had been there."""

from radixlint.remedy.plan import Plan, Subject
from radixlint.remedy.plans import plans_for

__all__ = ["Plan", "Subject", "plans_for"]
