"""Signatures: Ed25519 (RFC 8032, 5.1), for the standard library has none. Nothing secret is computed here."""

import hashlib

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
Point = tuple[int, int, int, int]


def _add(one: Point, other: Point) -> Point:
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c, d = 2 * one[3] * other[3] * D % P, 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _point(encoded: bytes) -> Point | None:
    """Return the point that 32 bytes encode, None where they encode none (5.1.3)."""
    number = int.from_bytes(encoded, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - square) % P or (x == 0 and sign):
        return None
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


_base = _point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
assert _base is not None
BASE: Point = _base


def is_signed(public: str, text: str, signature: str) -> bool:
    """Say whether the key with this public half signed this text; both in hex (5.1.7)."""
    try:
        key, signed = bytes.fromhex(public), bytes.fromhex(signature)
    except ValueError:
        return False
    point = _point(key) if (len(key), len(signed)) == (32, 64) else None
    s = int.from_bytes(signed[32:], "little")
    if point is None or s >= ORDER:
        return False
    k = int.from_bytes(hashlib.sha512(signed[:32] + key + text.encode()).digest(), "little") % ORDER
    minus = (P - point[0], point[1], 1, P - point[3])
    # R = [S]B - [k]A, both at once, from the highest bit down.
    sums, found = {1: BASE, 2: minus, 3: _add(BASE, minus)}, (0, 1, 1, 0)
    for bit in range(252, -1, -1):
        found = _add(found, found)
        if both := (s >> bit & 1) | (k >> bit & 1) << 1:
            found = _add(found, sums[both])
    inverse = pow(found[2], -1, P)
    x, y = found[0] * inverse % P, found[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little") == signed[:32]
