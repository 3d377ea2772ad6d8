"""Provider files and how they become a policy."""

from __future__ import annotations

import datetime
from array import array
from pathlib import Path

import pytest
import yaml

import radixlint.providers
from radixlint.errors import DataError
from radixlint.layout import layout_names
from radixlint.providers import layout_of, load_policy, prices_of, provider_names, provider_of_model
from radixlint.replay import open_cache
from radixlint.traffic import TokenMark, TokenRequest

FOLDER = Path(radixlint.providers.__file__).parent


@pytest.mark.parametrize(("name", "block_tokens"), [("vllm", 16), ("sglang", 1)])
def test_defaults_are_the_engines(name: str, block_tokens: int) -> None:
    """Blocks of 16 for vLLM, pages of one token for SGLang; both compute at least one prompt token."""
    policy = load_policy(name)

    assert (policy.name, policy.block_tokens, policy.computed_tail_tokens, policy.kv_tokens) == (name, block_tokens, 1, None)
    assert policy.source
    assert not policy.is_assumed


def test_given_block_size_replaces_the_default_and_its_source() -> None:
    """A block size from the user is used, and the source says that it is not the engine's default."""
    policy = load_policy("sglang", 64)

    assert policy.block_tokens == 64
    assert "as given" in policy.source
    assert "as given" not in load_policy("sglang", 1).source


def test_unknown_name_is_told_with_the_nearest_and_the_list() -> None:
    """A typo names the engine meant, and every known one."""
    with pytest.raises(DataError) as caught:
        load_policy("vlm")

    assert "did you mean vllm?" in str(caught.value)
    assert all(name in str(caught.value) for name in provider_names())


def test_upper_and_lower_case_are_alike() -> None:
    """A name is found however it is written, and the policy has it as it is filed."""
    assert load_policy("vLLM") == load_policy("vllm")
    assert load_policy("OpenAI-Legacy").name == "openai-legacy"
    assert prices_of("Anthropic") == prices_of("anthropic")


@pytest.mark.parametrize("name", ["openai", "OpenAI"])
def test_a_vendor_with_several_rules_is_told_which_are_for_what(name: str) -> None:
    """No guess is made between generations of one API: the error names each with its models."""
    with pytest.raises(DataError) as caught:
        load_policy(name)

    assert "openai-legacy: OpenAI API, GPT-4o to GPT-5.5" in str(caught.value)
    assert "openai-breakpoint: OpenAI API, GPT-5.6 and later" in str(caught.value)


@pytest.mark.parametrize("block_tokens", [0, 65_537])
def test_block_size_out_of_range_is_refused(block_tokens: int) -> None:
    """A block size that cannot be is one clear error."""
    with pytest.raises(DataError, match="not within"):
        load_policy("vllm", block_tokens)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda p: p.stem)
def test_every_figure_has_a_source_and_the_date_it_was_checked(path: Path) -> None:
    """No number or word in a provider file stands alone, and every provider file loads."""
    raw = yaml.safe_load(path.read_text())
    figures = {key: value for key, value in raw.items() if key not in ("title", "models", "prices")} | raw.get("prices", {})

    assert raw["title"]
    for figure in figures.values():
        for entry in figure if isinstance(figure, list) else [figure]:
            assert {"value", "source", "checked"} <= set(entry) <= {"value", "source", "checked", "models"}
            assert isinstance(entry["checked"], datetime.date)
            assert len(entry["source"]) > 10
    assert load_policy(path.stem).name == path.stem


def test_malformed_file_is_told_with_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A figure without a source is a data error that names file and figure."""
    (tmp_path / "mine.yaml").write_text("block_tokens: {value: 16, checked: 2026-11-29}\n")
    monkeypatch.setattr("radixlint.providers._provider_file._FOLDER", tmp_path)

    with pytest.raises(DataError, match=r"mine\.yaml: block_tokens needs"):
        load_policy("mine")


@pytest.mark.parametrize(
    ("name", "match", "store"),
    [
        ("sglang", "block", "tree"),
        ("vllm", "block", "block-pool"),
        ("tensorrt-llm", "block", "tree"),
        ("llama-cpp", "block", "slots"),
        ("generic-block", "block", "lru-blocks"),
        ("openai-legacy", "block", "lru-blocks"),
        ("openai-breakpoint", "breakpoint", "entries"),
        ("anthropic", "breakpoint", "entries"),
        ("bedrock", "breakpoint", "entries"),
        ("gemini", "block", "lru-blocks"),
        ("deepseek", "unit", "entries"),
    ],
)
def test_each_provider_has_its_match_model_and_store(name: str, match: str, store: str) -> None:
    """Three match models: block prefix, exact breakpoint, exact unit; kept as the engine keeps it."""
    policy = load_policy(name)

    assert (policy.match, policy.store) == (match, store)


@pytest.mark.parametrize("name", provider_names())
def test_every_provider_can_be_replayed(name: str) -> None:
    """There is a cache for each packaged pair of match model and store; a long prompt that goes on is hit where marks allow."""
    cache = open_cache(load_policy(name))
    ids = array("I", range(20_000))
    first = TokenRequest(0, ids[:16_384].tobytes(), block_ends=(16_384,), marks=(TokenMark(16_384),))
    second = TokenRequest(1, ids.tobytes(), block_ends=(16_384, 20_000), marks=(TokenMark(20_000),))

    assert [cache.serve(first).tokens, cache.serve(second).tokens] == [0, 16_384]


@pytest.mark.parametrize(
    ("name", "model", "min_tokens"),
    [
        ("anthropic", "claude-opus-5-5", 512),
        ("anthropic", "claude-sonnet-4-5-20250929", 1_024),
        ("anthropic", "claude-opus-4-7", 2_048),
        ("anthropic", "anthropic/claude-haiku-4-5", 4_096),
        ("bedrock", "us.anthropic.claude-sonnet-4-6", 2_048),
        ("bedrock", "arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-opus-4-5-20251101-v1:0", 4_096),
        ("bedrock", "amazon.nova-lite-v1:0", 1_536),
        ("gemini", "gemini-2.5-flash", 2_048),
        ("gemini", "models/gemini-3.8-flash", 4_096),
        ("openai-breakpoint", None, 1_024),
        ("vllm", "Qwen/Qwen3-8B", 0),
    ],
)
def test_minimum_goes_by_model(name: str, model: str | None, min_tokens: int) -> None:
    """The first entry whose pattern fits the model's name counts; folders in front of the name do not."""
    assert load_policy(name, model=model).min_tokens == min_tokens


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("gpt-4o-mini", "openai-legacy"),
        ("gpt-5", "openai-legacy"),
        ("openai/gpt-5.4-2026-03-05", "openai-legacy"),
        ("gpt-5.6-sol", "openai-breakpoint"),
        ("gpt-6.1-terra", "openai-breakpoint"),
        ("claude-opus-5", "anthropic"),
        ("us.anthropic.claude-opus-5", "bedrock"),
        ("amazon.nova-pro-v1:0", "bedrock"),
        ("gemini-3.5-flash", "gemini"),
        ("deepseek-chat", "deepseek"),
        ("grok-4.6", "xai"),
        ("deepseek-ai/DeepSeek-V3", None),
        ("gpt-oss-120b", None),
        ("Qwen/Qwen3-8B", None),
    ],
)
def test_a_model_name_tells_its_provider(model: str, name: str | None) -> None:
    """Hosted models are told by name, the newer OpenAI generation from the older; open models belong to no provider."""
    assert provider_of_model(model) == name


def test_times_to_live_and_marks() -> None:
    """The figures that breakpoint caches live by: marks, look-back, and both times to live in seconds."""
    anthropic, openai = load_policy("anthropic"), load_policy("openai-breakpoint")

    assert (anthropic.max_marks, anthropic.look_back_blocks, anthropic.implicit_mark) == (4, 20, "none")
    assert (anthropic.ttl_s, anthropic.long_ttl_s) == (5 * 60, 60 * 60)
    assert (openai.max_marks, openai.look_back_blocks, openai.implicit_mark) == (4, None, "last-message")
    assert (openai.ttl_s, openai.long_ttl_s) == (30 * 60, 12 * 60 * 60)


@pytest.mark.parametrize(
    ("name", "model", "read", "write", "long_write"),
    [
        ("anthropic", "claude-opus-4-5", 0.1, 1.25, 2.0),
        ("anthropic", "claude-opus-5-5", 0.05, 1.25, 2.0),
        ("openai-breakpoint", "gpt-6.1-sol", 0.05, 1.25, 2.5),
        ("openai-legacy", "gpt-4o", 0.5, 1.0, None),
        ("openai-legacy", "gpt-5.4", 0.1, 1.0, None),
        ("bedrock", "amazon.nova-pro-v1:0", 0.25, None, None),
        ("deepseek", "deepseek-v4-flash", 0.02, 1.0, None),
    ],
)
def test_price_factors_go_by_model(name: str, model: str, read: float, write: float | None, long_write: float | None) -> None:
    """Factors on the plain input price; what nobody says is None, and no USD price is packaged."""
    prices = prices_of(name, model)

    assert prices is not None
    assert (prices.read_factor, prices.write_factor, prices.long_write_factor) == (read, write, long_write)
    assert (prices.input_usd, prices.output_usd) == (None, None)
    assert prices.source


def test_own_engines_have_no_price() -> None:
    """Nobody bills the cache of one's own server."""
    assert [prices_of(name) for name in ("sglang", "vllm", "tensorrt-llm", "llama-cpp")] == [None] * 4


def test_wire_order_is_a_layout_or_left_to_the_template() -> None:
    """Anthropic prints tools, system, messages; engines print what the chat template says."""
    assert layout_of("anthropic") == "anthropic"
    assert {layout_of(name) for name in provider_names()} <= {None, *layout_names()}
    assert layout_of("vllm") is None


MINE = """
vllm:
  block_tokens: {value: 32, source: "our server's start-up line", checked: 2026-12-01}
house:
  title: Our gateway
  models: ["house-*"]
  match: {value: breakpoint, source: "gateway handbook", checked: 2026-12-01}
  store: {value: entries, source: "gateway handbook", checked: 2026-12-01}
  block_tokens: {value: 1, source: "gateway handbook", checked: 2026-12-01}
  computed_tail_tokens: {value: 0, source: "gateway handbook", checked: 2026-12-01}
  max_marks: {value: 2, source: "gateway handbook", checked: 2026-12-01}
  prices:
    read_factor: {value: 0.2, source: "our contract", checked: 2026-12-01}
anthropic:
  prices:
    read_factor: {value: 0.08, source: "our contract", checked: 2026-12-01}
"""


def test_a_file_of_the_users_adds_and_overrides(tmp_path: Path) -> None:
    """Keys that are given replace the packaged ones, the rest stays; a new name is a provider of its own."""
    path = tmp_path / "mine.yaml"
    path.write_text(MINE)
    files = (path,)
    contract, house = prices_of("anthropic", "claude-opus-4-5", files), load_policy("house", files=files)

    assert (load_policy("vllm", files=files).block_tokens, load_policy("vllm").block_tokens) == (32, 16)
    assert load_policy("vllm", files=files).store == "block-pool"
    assert (house.match, house.max_marks) == ("breakpoint", 2)
    assert provider_of_model("house-large", files) == "house"
    assert set(provider_names(files)) - set(provider_names()) == {"house"}
    assert contract is not None
    assert (contract.read_factor, contract.write_factor) == (0.08, 1.25)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: {blok_tokens: {value: 1, source: s, checked: 2026-11-29}}", "did you mean block_tokens?"),
        ("a: {match: {value: blocks, source: s, checked: 2026-11-29}}", "did you mean block?"),
        ("a: {prices: {reed_factor: {value: 1, source: s, checked: 2026-11-29}}}", "did you mean read_factor?"),
        ("a: {block_tokens: {value: 1.5, source: s, checked: 2026-11-29}}", "not a whole number"),
        ("a: {ttl_s: {value: -1, source: s, checked: 2026-11-29}}", "not within"),
        ("a: {ttl_s: {value: .nan, source: s, checked: 2026-11-29}}", "not within"),
        ("a: {ttl_s: {value: [1, [2]], source: s, checked: 2026-11-29}}", "a list is not a number"),
        ("a: {ttl_s: {value: yes, source: s, checked: 2026-11-29}}", "not a number"),
        ("a: {ttl_s: {value: 5, source: s, checked: soon}}", "needs a value, a source and a checked date"),
        ("a: {ttl_s: {value: 5, source: s, checked: 2026-13-40}}", "not YAML that can be read"),
        ("a: {models: 5}", "list of patterns"),
        ("a: 5", "mapping of keys"),
        ("- a", "mapping of names"),
        ("a: {match: {value: block, source: s, checked: 2026-11-29}}", "store needs a value"),
        ("a: [", "not YAML"),
    ],
)
def test_faults_of_a_file_are_one_clear_line(tmp_path: Path, text: str, said: str) -> None:
    """Whatever is wrong with a user's file is said with the file's name, and the nearest known word."""
    path = tmp_path / "bad.yaml"
    path.write_text(text)

    with pytest.raises(DataError) as caught:
        load_policy("a", files=(path,))

    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    """A path that cannot be opened is one clear error, not a traceback."""
    with pytest.raises(DataError, match=r"none\.yaml: cannot be read"):
        load_policy("vllm", files=(tmp_path / "none.yaml",))
