#include "linear/wide.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>

#if defined(__x86_64__) && defined(__GNUC__)
#define QISMC_WIDE __attribute__((target("avx512f,avx512ifma")))
#include <immintrin.h>
#endif

namespace qismc::wide {

#ifdef QISMC_WIDE

namespace {

constexpr int kLow = 52;     // bits that the instructions multiply
constexpr int kChunk = 512;  // terms whose partial sums fit into words
constexpr int kWords = 8;    // of a register

/// A residue x = low + high * 2^52 in each word; the low part may stand with the high one, which
/// multiplications ignore.
struct Split {
    __m512i low, high;
};

// With a mask of ones: the plain ones make gcc 12 warn of its own headers.
QISMC_WIDE inline Split split(__m512i x) { return {x, _mm512_maskz_srli_epi64(0xff, x, kLow)}; }
QISMC_WIDE inline __m512i swap_pairs(__m512i x) {
    return _mm512_maskz_shuffle_epi32(0xffff, x, _MM_PERM_BADC);
}

/// Sums of products in each word, by weight: 1, 2^52, 2^104.
struct Sums {
    __m512i ones, middles, tops;
};

QISMC_WIDE inline void pile(Sums& s, const Split& a, const Split& x) {
    s.ones = _mm512_madd52lo_epu64(s.ones, a.low, x.low);
    s.middles = _mm512_madd52hi_epu64(s.middles, a.low, x.low);
    s.middles = _mm512_madd52lo_epu64(s.middles, a.high, x.low);
    s.tops = _mm512_madd52hi_epu64(s.tops, a.high, x.low);
    s.middles = _mm512_madd52lo_epu64(s.middles, a.low, x.high);
    s.tops = _mm512_madd52hi_epu64(s.tops, a.low, x.high);
    s.tops = _mm512_madd52lo_epu64(s.tops, a.high, x.high);
}

/// The factor of every word: of F_p.
struct PrimeFactor {
    static constexpr int words = 1;
    Split a;
    QISMC_WIDE PrimeFactor(Word, Word c) : a(split(_mm512_set1_epi64(static_cast<long long>(c)))) {}
    QISMC_WIDE void pile_on(Sums& s, __m512i x) const { pile(s, a, split(x)); }
};

/// (re, im) * (x, y) = re * (x, y) + (-im, im) * (y, x): of F_p(i), pairs of words.
struct QuadraticFactor {
    static constexpr int words = 2;
    Split a, b;
    QISMC_WIDE QuadraticFactor(Word p, const Gaussian& c)
        : a(split(_mm512_set1_epi64(static_cast<long long>(c.re)))),
          b(split(_mm512_mask_set1_epi64(_mm512_set1_epi64(static_cast<long long>(c.im)), 0x55,
                                         static_cast<long long>(p - c.im)))) {}
    QISMC_WIDE void pile_on(Sums& s, __m512i x) const {
        pile(s, a, split(x));
        pile(s, b, split(swap_pairs(x)));
    }
};

/// Brings the sums back: words of the residues of ones + middles * 2^52 + tops * 2^104, divided by 2^64.
QISMC_WIDE inline void finish(const Montgomery& m, Word top, const Sums& s, int words, bool add, Word* out) {
    alignas(64) Word ones[kWords], middles[kWords], tops[kWords];
    _mm512_store_si512(ones, s.ones);
    _mm512_store_si512(middles, s.middles);
    _mm512_store_si512(tops, s.tops);
    for (int j = 0; j < words; ++j) {
        const Word x = m.reduce(ones[j] + (Wide{middles[j]} << kLow) + Wide{tops[j]} * top);
        out[j] = add ? m.add(out[j], x) : x;
    }
}

/// `Registers` registers of a combination, the last of them cut off by a mask.
template <int Registers, class Factor, class S>
QISMC_WIDE void columns(const Montgomery& m, Word top, const S* c, int count, const Word* rows,
                        std::size_t stride, int words, bool add, Word* out) {
    Sums sums[Registers];
    for (Sums& s : sums) s.ones = s.middles = s.tops = _mm512_setzero_si512();
    const int last = words - kWords * (Registers - 1);
    const __mmask8 mask = static_cast<__mmask8>((1u << last) - 1);
    for (int k = 0; k < count; ++k, rows += stride) {
        if (c[k] == S{}) continue;
        const Factor factor(m.modulus(), c[k]);
        for (int r = 0; r + 1 < Registers; ++r)
            factor.pile_on(sums[r], _mm512_loadu_si512(rows + kWords * r));
        factor.pile_on(sums[Registers - 1], _mm512_maskz_loadu_epi64(mask, rows + kWords * (Registers - 1)));
    }
    for (int r = 0; r + 1 < Registers; ++r) finish(m, top, sums[r], kWords, add, out + kWords * r);
    finish(m, top, sums[Registers - 1], last, add, out + kWords * (Registers - 1));
}

template <class Factor, class S>
QISMC_WIDE void all_columns(const Montgomery& m, const S* c, int count, const Word* rows, std::size_t stride,
                            int words, Word* out) {
    const Word top = static_cast<Word>((Wide{1} << 2 * kLow) % m.modulus());
    for (int begin = 0; begin < count; begin += kChunk) {
        const int terms = std::min(kChunk, count - begin);
        const Word* from = rows + begin * stride;
        for (int j = 0; j < words;) {
            const auto part = [&]<int Registers>() {
                const int width = std::min(kWords * Registers, words - j);
                columns<Registers, Factor>(m, top, c + begin, terms, from + j, stride, width, begin > 0,
                                           out + j);
                j += width;
            };
            if (words - j > 2 * kWords) {
                words - j > 3 * kWords ? part.template operator()<4>() : part.template operator()<3>();
            } else {
                words - j > kWords ? part.template operator()<2>() : part.template operator()<1>();
            }
        }
    }
}

}  // namespace

namespace {

bool found() {
    __builtin_cpu_init();  // static variables may be made before the library knows the processor
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512ifma");
}

std::atomic<bool> used = found();

}  // namespace

bool available() { return used.load(std::memory_order_relaxed); }

void allow(bool allowed) { used = allowed && found(); }

void combine(const PrimeField& f, const Word* c, int count, const Word* rows, std::size_t stride, int cols,
             Word* out) {
    all_columns<PrimeFactor>(f.montgomery(), c, count, rows, stride, cols, out);
}

void combine(const QuadraticField& f, const Gaussian* c, int count, const Gaussian* rows, std::size_t stride,
             int cols, Gaussian* out) {
    static_assert(sizeof(Gaussian) == 2 * sizeof(Word));
    all_columns<QuadraticFactor>(f.montgomery(), c, count, &rows->re, 2 * stride, 2 * cols, &out->re);
}

#else

bool available() { return false; }

void allow(bool) {}

void combine(const PrimeField&, const Word*, int, const Word*, std::size_t, int, Word*) {
    throw std::logic_error("this processor has no wide products");
}

void combine(const QuadraticField&, const Gaussian*, int, const Gaussian*, std::size_t, int, Gaussian*) {
    throw std::logic_error("this processor has no wide products");
}

#endif

}  // namespace qismc::wide
