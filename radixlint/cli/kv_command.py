"""``radixlint kv``: the KV-cache memory of a prefix."""

from __future__ import annotations

import click

from radixlint.cli.output import deliver, format_option, output_option, render


def _list_names(ctx: click.Context, parameter: click.Parameter, is_wanted: bool) -> None:
    """Print the known names and stop, whatever else was given."""
    if not is_wanted:
        return
    from radixlint.api.prefix_size import known_names

    models, gpus = known_names()
    deliver("".join(f"{kind:<6} {name}\n" for kind, names in (("model", models), ("gpu", gpus)) for name in names), None)
    ctx.exit()


@click.command()
@click.option("--model", required=True, metavar="NAME", help="Model, for example llama-3.1-8b; --list names all.")
@click.option("--tokens", required=True, type=click.IntRange(min=0), metavar="N", help="Length of the prefix in tokens.")
@click.option(
    "--block-size", default=16, show_default=True, type=click.IntRange(min=1), metavar="N", help="Tokens a block holds."
)
@click.option("--sequences", type=click.IntRange(min=1), metavar="N", help="Requests that hold the prefix at once.")
@click.option(
    "--dtype", default="bf16", show_default=True, type=click.Choice(["bf16", "fp16", "fp8"]), help="Type of the KV cache."
)
@click.option("--gpu", metavar="NAME", help="GPU to compare one copy with, for example h100; --list names all.")
@click.option(
    "--list", is_flag=True, is_eager=True, expose_value=False, callback=_list_names, help="List the known models and GPUs."
)
@format_option("kv")
@output_option()
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
    from radixlint.api.prefix_size import prefix_size

    memory = prefix_size(model, tokens, block_tokens=block_size, sequences=sequences, dtype=dtype, gpu=gpu)
    deliver(render("kv", output_format, memory, output), output)
