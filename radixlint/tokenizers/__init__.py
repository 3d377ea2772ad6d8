"""A tokenizer plug-in turns text into token ids."""
