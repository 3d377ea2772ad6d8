"""The last word of a name is its head noun: what it is about does not make it a talk, a search or somebody's."""

from __future__ import annotations

import pytest

from radixlint.lifetime.name_match import nature_of_name
from radixlint.prompt import Confidence, Origin


@pytest.mark.parametrize(
    "name",
    [
        "knowledge_base_name",
        "knowledge_base_id",
        "docs_url",
        "conversation_title",
        "company_history",
        "roman_history",
        "search_history",
        "historical_facts",
        "company_facts",
        "productFacts",
        "company_background",
        "data_sources",
        "user_guide",
        "userManual",
        "client_library",
        "profile_schema",
        "session_length",
        "client_version",
        "user_policy",
        "base_url",
    ],
)
def test_head_about_something_is_a_guess(name: str) -> None:
    """What a name is only about does not say how long it lives, so nothing surer than a guess is said."""
    assert nature_of_name(name).confidence is Confidence.LOW


@pytest.mark.parametrize(
    ("name", "origin"),
    [
        ("history", Origin.HISTORY),
        ("conversation_history", Origin.HISTORY),
        ("chatHistory", Origin.HISTORY),
        ("message_history_list", Origin.HISTORY),
        ("tool_history", Origin.HISTORY),
        ("user.history", Origin.HISTORY),
        ("order_history", Origin.USER),
        ("facts", Origin.RETRIEVAL),
        ("retrieved_facts", Origin.RETRIEVAL),
        ("user_facts", Origin.RETRIEVAL),
        ("relevant_sources", Origin.RETRIEVAL),
        ("knowledge_base_results", Origin.RETRIEVAL),
        ("document_title", Origin.RETRIEVAL),
        ("top_k_examples", Origin.RETRIEVAL),
        ("topKExamples", Origin.RETRIEVAL),
        ("examples", Origin.RELEASE),
        ("top_examples", Origin.RELEASE),
        ("user_profile", Origin.USER),
        ("user_rules", Origin.USER),
        ("user_name", Origin.USER),
        ("auth.uid", Origin.USER),
        ("tenant_policy", Origin.TENANT),
        ("business_name", Origin.TENANT),
        ("business_hours", Origin.RELEASE),
        ("url", Origin.INPUT),
        ("article_url", Origin.INPUT),
        ("signedUrl", Origin.INPUT),
    ],
)
def test_head_that_decides(name: str, origin: Origin) -> None:
    """A talk, a search, an owner's own text and what a question brings are still told, and surely."""
    nature = nature_of_name(name)
    assert nature.origin is origin
    assert nature.confidence is not Confidence.LOW
