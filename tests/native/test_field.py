"""Scalar arithmetic of the native core against Python integers."""

import random
import sys

import pytest

from qismc import _core

PRIMES = [3, 7, 11, 17, 1_000_003, 2_305_843_009_213_693_951, 4_611_686_018_427_387_847]


def gaussian_product(a: tuple[int, int], b: tuple[int, int], p: int) -> tuple[int, int]:
    return (a[0] * b[0] - a[1] * b[1]) % p, (a[0] * b[1] + a[1] * b[0]) % p


@pytest.mark.parametrize("p", PRIMES)
def test_residues_agree_with_python_integers(p: int) -> None:
    rng, field = random.Random(p), _core.Field(p)
    for _ in range(100):
        a, b, e = rng.randrange(p), rng.randrange(p), rng.randrange(2**64)
        assert field.add(a, b) == (a + b) % p
        assert field.sub(a, b) == (a - b) % p
        assert field.mul(a, b) == a * b % p
        assert field.pow(a, e) == pow(a, e, p)
        if a:
            assert field.inv(a) == pow(a, -1, p)


@pytest.mark.parametrize("p", [p for p in PRIMES if p % 4 == 3])
def test_pairs_agree_with_gaussian_integers(p: int) -> None:
    rng, field = random.Random(p), _core.Field(p)
    for _ in range(100):
        a, b = [(rng.randrange(p), rng.randrange(p)) for _ in range(2)]
        assert field.add(a, b) == ((a[0] + b[0]) % p, (a[1] + b[1]) % p)
        assert field.sub(a, b) == ((a[0] - b[0]) % p, (a[1] - b[1]) % p)
        assert field.mul(a, b) == gaussian_product(a, b, p)
        assert field.conj(a) == (a[0], -a[1] % p) == field.pow(a, p)
        if a != (0, 0):
            assert gaussian_product(a, field.inv(a), p) == (1, 0)


@pytest.mark.parametrize("p", [7, 17, 97, 193, 1_000_003])
def test_square_roots(p: int) -> None:
    field, squares = _core.Field(p), {x * x % p for x in range(min(p, 2000))}
    for a in list(squares)[:50]:
        root = field.sqrt(a)
        assert root is not None and root * root % p == a and root <= p - root
    if p < 2000:
        for a in set(range(p)) - squares:
            assert field.sqrt(a) is None and not field.is_square(a)


def test_is_prime_agrees_with_trial_division() -> None:
    for n in range(2000):
        assert _core.is_prime(n) == (n > 1 and all(n % d for d in range(2, int(n**0.5) + 1)))
    assert not _core.is_prime(3_825_123_056_546_413_051)  # a strong pseudoprime to nine bases
    assert _core.is_prime(2**61 - 1)
    for n in (*range(2**62 - 400, 2**62 + 400), *range(2**64 - 400, 2**64)):  # two ways to multiply
        assert _core.is_prime(n) == (n % 2 == 1 and pow(2, n - 1, n) == pow(3, n - 1, n) == 1)


def test_a_drawn_prime_is_the_first_that_words_draw() -> None:
    """x is the top bits of a word; with 1000 numbers to draw from there are ten of them."""
    words = [random.Random(k).getrandbits(64) for k in range(400)]
    given = b"".join(word.to_bytes(8, sys.byteorder) for word in words)
    numbers = [(7 + (word >> 54)) * 40 + 9 for word in words if word >> 54 < 1000]
    squares = [n for n in numbers if _core.is_prime(n) and pow(3, (n - 1) // 2, n) in (0, 1)]
    assert _core.drawn_prime(given, 7, 1000, 40, 9, []) == next(filter(_core.is_prime, numbers))
    assert _core.drawn_prime(given, 7, 1000, 40, 9, [3]) == squares[0]
    assert _core.drawn_prime(given, 7, 1000, 40, 10, []) is None  # all of them are even
    assert _core.drawn_prime(given, 1, 1, 6, -1, []) == 5


def roots(number: int, p: int) -> list[int]:
    return [x for x in range(p) if (x * x - number) % p == 0]


@pytest.mark.parametrize("p", [71, 73, 97, 191, 193, 239, 241, 311, 313])
@pytest.mark.parametrize("cosine", [(1, 3), (1, 5), (2, 5), (3, 7), (1, 11)])
def test_quarters_of_angles(p: int, cosine: tuple[int, int]) -> None:
    """By trying all numbers, whatever the signs of the square roots are."""
    square = cosine[0] * pow(cosine[1], -1, p) % p
    real, imaginary = roots(square, p), roots(1 - square, p)
    if not imaginary or not real:
        return
    if p % 4 == 3:
        expected = {bool(roots(2 + 2 * x, p)) for x in real}
    else:
        expected = {bool(roots(x + i * y, p)) for x in real for y in imaginary for i in roots(-1, p)}
    assert {_core.have_quarters(p, [cosine])} == expected
    assert _core.have_quarters(p, []) and _core.have_quarters(p, [cosine, cosine]) == expected.pop()


@pytest.mark.parametrize("p", [0, 1, 2, 15, 2**61 + 1, 2**63 - 25])
def test_bad_modulus_is_quoted(p: int) -> None:
    with pytest.raises(ValueError, match=str(p)):
        _core.Field(p)


def test_bad_operands() -> None:
    with pytest.raises(ValueError, match="no inverse"):
        _core.Field(7).inv(0)
    with pytest.raises(ValueError, match="9 is not a residue modulo 7"):
        _core.Field(7).add(9, 1)
    with pytest.raises(ValueError, match="3 mod 4, got 17"):
        _core.Field(17).mul((1, 2), (3, 4))


@pytest.mark.parametrize("sign", [1, -1])
def test_primes_of_two_words(sign: int) -> None:
    """Proved primes are those that Miller and Rabin's test does not refute."""
    found = _core.is_long_prime if sign == 1 else _core.is_long_conjugating_prime
    rng = random.Random(sign)
    candidates = [rng.randrange(2**61 + 1, 2**62) for _ in range(1500)]
    proved = [h for h in candidates if found(h)]
    assert proved == [h for h in candidates if _is_probable_prime(h * 2**64 + sign, rng)] and len(proved) > 10
    assert not any(map(found, (0, 1, 2**61 - 1, 2**62, 2**63, 2**64 - 1)))


def _is_probable_prime(n: int, rng: random.Random) -> bool:
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for _ in range(20):
        power = pow(rng.randrange(2, n - 1), odd, n)
        if power not in (1, n - 1) and all(pow(power, 2**k, n) != n - 1 for k in range(1, twos)):
            return False
    return True
