#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "block/block.h"
#include "limits/watch.h"
#include "space/vector.h"

namespace qismc {

/// A floating-point quantity fell between "zero" and "clearly not": no verdict may rest on it.
class NumericDoubt : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// What makes a space. `zero` and `clear` bound the grey band of squared lengths (complex only). If
/// `measured` is positive, what squares call zero is measured as a length, which must not be larger than
/// that. `truncation` is the part of a state that may be dropped as noise (complex only). Up to `dense_limit`
/// levels, a train becomes an array when it costs more or has that fraction of 2^levels nodes. After
/// `first_look` operations (about a millisecond) somebody looks whether it has few terms.
struct Settings {
    std::string kind;
    int levels = 0;
    Word prime = 0, second_prime = 0, seed = 0;
    double zero = 1e-10, clear = 1e-7, measured = 0, truncation = kTruncation;
    int dense_limit = 24;
    double dense_fraction = 0.25;
    std::size_t first_look = 1'000'000;
};

struct Statistics {
    int peak_bond = 1;
    std::size_t peak_nodes = 0, peak_bytes = 0, gates = 0, dense_switches = 0, term_switches = 0;

    /// Takes over what others have counted, and lets them start anew.
    void take(Statistics& others) {
        peak_bond = std::max(peak_bond, others.peak_bond);
        peak_nodes = std::max(peak_nodes, others.peak_nodes);
        gates += others.gates;
        dense_switches += others.dense_switches;
        term_switches += others.term_switches;
        others = {};
    }
};

/// What the owner of a space does while a computation runs that needs nothing of the space: `look` now and
/// then, to see whether it should be interrupted; from then on others may use the space, until `resume`.
struct Owner {
    std::function<void()> look = [] {};
    std::function<void()> resume = [] {};
};

/// Product states that few one-level states make up: word i has the state pairs[letters[i * levels + k]] at
/// level k.
struct Kets {
    std::vector<Word> pairs;
    std::vector<std::uint8_t> letters;
};

/// A subspace spanned by the vectors added so far.
class Span {
  public:
    virtual ~Span() = default;
    virtual int dimension() const = 0;
    /// Keeps the vector if it enlarges the span; whether it did.
    virtual bool add(const VectorPtr& v) = 0;
    /// The same for one after the other.
    virtual std::vector<bool> add_all(const std::vector<VectorPtr>& vectors) {
        std::vector<bool> fresh;
        for (const VectorPtr& v : vectors) fresh.push_back(add(v));
        return fresh;
    }
    virtual bool contains(const VectorPtr& v) = 0;
    /// The coefficients of v on the kept vectors, in external form; nothing if v is outside.
    virtual std::optional<std::vector<Word>> coordinates(const VectorPtr& v) = 0;
};

/// The vectors over `levels` ordered two-valued levels, over one field. Scalars cross in external form.
class Space {
  public:
    explicit Space(Settings settings) : settings_(std::move(settings)) {}
    virtual ~Space() = default;

    const Settings& settings() const { return settings_; }
    Watch& watch() { return watch_; }
    void set_owner(Owner owner) { owner_ = std::move(owner); }

    /// How many threads may work on independent vectors; no result depends on it.
    int threads() const { return threads_; }
    void set_threads(int threads) {
        if (threads < 1) throw std::invalid_argument("there must be a thread");
        threads_ = threads;
    }
    const Statistics& statistics() {
        statistics_.peak_bytes = watch_.ledger()->peak;
        return statistics_;
    }

    virtual int words_per_scalar() const = 0;
    virtual VectorPtr product(const std::vector<Word>& pairs) = 0;
    virtual std::vector<VectorPtr> kets(const Kets& words) = 0;
    /// The linear combination of kets.
    virtual VectorPtr superposition(const Kets& words, const std::vector<Word>& coefficients) = 0;
    virtual VectorPtr from_amplitudes(const std::vector<Word>& amplitudes) = 0;
    /// The same, kept as an array.
    virtual VectorPtr array(const std::vector<Word>& amplitudes) = 0;
    virtual VectorPtr combine(const std::vector<Word>& coefficients,
                              const std::vector<VectorPtr>& vectors) = 0;
    virtual std::shared_ptr<Block> compile(const FlatGates& gates) = 0;
    /// Applies gates first..last-1 of the block; last = -1 means all from first on.
    virtual VectorPtr run(Block& block, const VectorPtr& v, int first, int last) = 0;
    /// The images of several vectors under the whole block.
    virtual std::vector<VectorPtr> run_all(Block& block, const std::vector<VectorPtr>& vectors) = 0;

    virtual bool is_zero(const VectorPtr& v) = 0;
    virtual bool difference_is_zero(const VectorPtr& u, const VectorPtr& v) = 0;
    /// Sum over x of u(x) v(x), with u conjugated on demand.
    virtual std::vector<Word> pair_up(const VectorPtr& u, const VectorPtr& v, bool conjugate) = 0;
    virtual std::vector<Word> amplitude(const VectorPtr& v, const std::vector<std::uint8_t>& bits) = 0;
    /// The same vector, counted and remembered by this space: vectors note down what is asked about them, so
    /// those of another space, which another thread may use, are copied.
    virtual VectorPtr adopt(const VectorPtr& v) = 0;
    virtual VectorPtr scale(const VectorPtr& v, const std::vector<Word>& factor) = 0;
    virtual VectorPtr conjugate(const VectorPtr& v) = 0;
    virtual VectorPtr canonical(const VectorPtr& v) = 0;
    virtual double norm(const VectorPtr& v) = 0;
    /// About the `count` largest terms: one bit per level and term, and the amplitudes; complex only.
    virtual std::pair<std::vector<std::uint8_t>, std::vector<Word>> largest(const VectorPtr& v,
                                                                            int count) = 0;
    /// The bits of the first basis state, level 0 the most significant, whose amplitude is not zero; none for
    /// the zero vector. Exact only.
    virtual std::vector<std::uint8_t> first(const VectorPtr& v) = 0;
    virtual VectorPtr normalise(const VectorPtr& v) = 0;

    virtual std::unique_ptr<Span> span() = 0;
    /// Coefficients on `a` of a basis of span(a) /\ span(b); `a` is independent.
    virtual std::vector<std::vector<Word>> meet(const std::vector<VectorPtr>& a,
                                                const std::vector<VectorPtr>& b) = 0;
    /// v at a random product functional on the levels that are not kept: a vector of `target`.
    virtual VectorPtr partial(const VectorPtr& v, const std::vector<int>& kept, Space& target, Word seed) = 0;
    /// The sum over the given levels of bra times v: a vector of `target`, on the other levels in order.
    virtual VectorPtr contract(const VectorPtr& v, const std::vector<int>& levels, const VectorPtr& bra,
                               Space& target) = 0;
    /// A vector over as many levels as are given, put on these; all other levels are in state 0. Exact only.
    virtual VectorPtr embed(const VectorPtr& v, const std::vector<int>& levels) = 0;

  protected:
    Settings settings_;
    Watch watch_;
    Statistics statistics_;
    Owner owner_;
    int threads_ = 1;
};

/// Throws std::invalid_argument for an unknown kind, an unfit prime or no levels.
std::shared_ptr<Space> make_space(const Settings& settings);

std::shared_ptr<Space> make_prime_space(const Settings& settings);
std::shared_ptr<Space> make_twin_space(const Settings& settings);
std::shared_ptr<Space> make_long_space(const Settings& settings);
std::shared_ptr<Space> make_long_quadratic_space(const Settings& settings);
std::shared_ptr<Space> make_quadratic_space(const Settings& settings);
std::shared_ptr<Space> make_complex_space(const Settings& settings);

}  // namespace qismc
