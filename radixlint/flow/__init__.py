"""Follow values through a program from where they are made to where a prompt is sent; the program is never run.

Front ends lower Python and TypeScript to one ``program``; the evaluator walks it with abstract ``values``; ``calls`` says what
library functions do with them; ``units`` makes prompts of what reaches a sink or looks like a prompt by itself.
"""
