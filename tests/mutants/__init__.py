"""A mutation run over the encodings: is every rule, literal, sign and number observed by a test?

Each mutant is one encoding with one small change. It is *killed* by a board of a fixed portfolio
on which its answers differ from those of the encodings; a survivor is a change that no board
notices: a missing board, or a change that makes no difference, which the list
``equivalent.yaml`` then says, with the reason.

``python -m tests.mutants [--file 510_damage/trample.lp] [--jobs 2]`` prints the survivors and the
totals. The whole takes long; pytest runs only a small check of the machinery.
"""
