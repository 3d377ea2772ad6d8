"""A chat template that renders old turns anew is to render them as they were."""

from __future__ import annotations

from radixlint.remedy.plan import Plan, Subject
from radixlint.rewrites import as_opened
from radixlint.traffic import Request


def template_plans(subject: Subject) -> list[Plan]:
    """Return the plan that keeps in the history what the template writes in front of an answer."""

    def text(request: Request) -> str:
        if request.rendered is not None:
            return request.rendered
        return "".join(piece.text for piece in subject.layout.lay_out(request))

    title = "Let the chat template write an old answer as it wrote the turn that was open for it"
    freshness = "prompts grow by what the template leaves out of old turns"
    texts = subject.requests
    return [Plan("as-opened", title, lambda: as_opened(texts, list(map(text, texts)), subject.chains), freshness)]
