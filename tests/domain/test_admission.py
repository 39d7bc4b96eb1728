from memory.domain.admission import admit
from memory.domain.values import Reason, Source


def test_the_users_words_are_admitted():
    admission = admit(Source.USER_STATED)
    assert (admission.accepted, admission.waits) == (True, False)


def test_an_inference_waits():
    admission = admit(Source.INFERRED)
    assert (admission.accepted, admission.waits) == (True, True)
    assert admission.reason is Reason.INFERRED


def test_outside_content_is_refused_unless_the_owner_allows_it():
    assert not admit(Source.EXTERNAL).accepted
    allowed = admit(Source.EXTERNAL, external_allowed=True)
    assert (allowed.accepted, allowed.waits) == (True, True)
    assert allowed.reason is Reason.EXTERNAL
