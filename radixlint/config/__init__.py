"""Settings: what ``[tool.radixlint]`` or ``radixlint.toml`` says, checked key by key, with the place of every mistake."""

from radixlint.config.config_loading import load_settings, settings_of
from radixlint.config.settings import DEFAULT_TOKENIZER, ForFiles, Settings

__all__ = ["DEFAULT_TOKENIZER", "ForFiles", "Settings", "load_settings", "settings_of"]
