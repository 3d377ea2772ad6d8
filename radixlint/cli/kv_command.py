"""``radixlint kv``: the KV-cache memory of a prefix."""

from __future__ import annotations

import click

from radixlint.cli.output import deliver, terminal_style


@click.command()
@click.option("--model", required=True, help="Model name, for example llama-3.1-8b.")
@click.option("--tokens", required=True, type=click.IntRange(min=0), help="Length of the prefix in tokens.")
@click.option("--block-size", default=16, show_default=True, type=click.IntRange(min=1), help="Tokens a block holds.")
@click.option("--sequences", type=click.IntRange(min=1), help="Requests that hold the prefix at once.")
@click.option(
    "--dtype", default="bf16", show_default=True, type=click.Choice(["bf16", "fp16", "fp8"]), help="Type of the KV cache."
)
@click.option("--gpu", help="GPU to compare with, for example h100.")
@click.option(
    "--format", "--output-format", "output_format", default="text", show_default=True, type=click.Choice(["text", "json"])
)
@click.option("--output", metavar="FILE", help="Write to FILE instead of stdout.")
def kv(
    model: str,
    tokens: int,
    block_size: int,
    sequences: int | None,
    dtype: str,
    gpu: str | None,
    output_format: str,
    output: str | None,
) -> None:
    """Work out the KV-cache memory of a prefix.

    Bytes a token = 2 x layers x KV heads x head size x bytes a value. Without reuse every sequence holds a copy of its
    own; with reuse they share one.
    """
    import importlib

    from radixlint.estimate import prefix_memory
    from radixlint.hardware import load_gpu, load_model

    memory = prefix_memory(
        load_model(model),
        tokens,
        block_tokens=block_size,
        sequences=sequences,
        dtype=dtype,
        gpu=load_gpu(gpu) if gpu else None,
    )
    report = importlib.import_module(f"radixlint.reports.kv_{output_format}")
    deliver(report.render(memory, terminal_style()), output)
