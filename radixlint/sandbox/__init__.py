"""Templates that must run to be judged run in a child process of limited time and memory, without files and network."""

from __future__ import annotations

from radixlint.sandbox._template_process import TemplateProcess, TemplateRaisedError
from radixlint.sandbox._traced_rendering import Rendering, render_traced

__all__ = ["Rendering", "TemplateProcess", "TemplateRaisedError", "render_traced"]
