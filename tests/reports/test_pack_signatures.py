"""Signatures, as the script of an auditor's pack verifies them without any library."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis.strategies import binary, integers, text

from casino.reports.pack.script.signatures import is_signed

# RFC 8032, 7.1: public key, message and signature of tests 1, 2, 3 and SHA(abc).
VECTORS = [
    ("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
    ("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
]  # fmt: skip


@pytest.mark.parametrize(("public", "message", "signature"), VECTORS)
def test_signatures_are_verified_as_rfc_8032_shows(public: str, message: str, signature: str) -> None:
    text = bytes.fromhex(message).decode()

    assert is_signed(public, text, signature)
    assert not is_signed(public, text + "x", signature)
    # S + L is the same number to the curve, and no signature (5.1.7).
    order = 2**252 + 27742317777372353535851937790883648493
    s = int.from_bytes(bytes.fromhex(signature[64:]), "little") + order
    assert not is_signed(public, text, signature[:64] + s.to_bytes(32, "little").hex())


# A fifth of others': it reckons in plain Python, half a second each.
@settings(max_examples=settings().max_examples // 5)
@given(seed=binary(min_size=32, max_size=32), signed_text=text(max_size=200), at=integers(0, 511))
@pytest.mark.slow
def test_it_holds_what_the_library_signed_and_nothing_else(seed: bytes, signed_text: str, at: int) -> None:
    key = Ed25519PrivateKey.from_private_bytes(seed)
    public = key.public_key().public_bytes_raw().hex()
    signed = key.sign(signed_text.encode())
    other = bytearray(signed)
    other[at // 8] ^= 1 << at % 8

    assert is_signed(public, signed_text, signed.hex())
    assert not is_signed(public, signed_text, other.hex())


def test_what_is_no_key_or_no_signature_signs_nothing() -> None:
    public, _message, signature = VECTORS[0]

    assert not is_signed("", "", signature)
    assert not is_signed(public, "", "zz")
    assert not is_signed("ff" * 32, "", signature)
    assert not is_signed(public, "", signature[:-2])
