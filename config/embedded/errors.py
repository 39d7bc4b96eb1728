"""The one exception of this package: a sentence for the person at the keyboard."""


class EmbeddedError(RuntimeError):
    """What went wrong and what to do about it, in one sentence."""
