"""The rules of a memory's life: pure functions on frozen values, standard library only.

Nothing here reads a clock, a setting or a row: `now` and `policy` are arguments.
"""
