"""What detection answers with."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimension:
    """What a statement speaks about and what it says of it.

    `family`: dimensions that can replace each other's values (a main language, languages used).
    `act`: what is said of the value: `taste`, `habit`, `use`, `have`, or '' for an attribute.
    `about`: the words by which two values of a many-valued dimension are compared.
    """

    key: str
    value: str
    subject: str
    attribute: str
    single_valued: bool
    family: str = ""
    act: str = ""
    about: frozenset[str] = frozenset()
    # A choice between the same two things, whose order is the value.
    compared: bool = False
    general: bool = False
