#pragma once

#include <memory>
#include <mutex>
#include <variant>
#include <vector>

#include "dense/dense.h"
#include "limits/watch.h"
#include "terms/convert.h"
#include "train/evaluate.h"
#include "train/train.h"

namespace qismc {

/// A vector of some space, immutable; what can be asked without knowing its field.
class Vector {
  public:
    virtual ~Vector() = default;
    virtual int levels() const = 0;
    virtual bool dense() const = 0;
    virtual std::vector<int> bonds() const = 0;
    virtual std::size_t nodes() const = 0;
    virtual std::size_t bytes() const = 0;
    virtual int words_per_scalar() const = 0;
    virtual bool exact() const = 0;
    /// All amplitudes in external form, level 0 the most significant bit.
    virtual std::vector<Word> amplitudes() const = 0;
    /// Everything, as words from which load_vector makes an equal vector.
    virtual std::vector<Word> serialise() const = 0;
};

using VectorPtr = std::shared_ptr<const Vector>;

/// Above this, amplitudes are not listed and dense arrays are not made.
inline constexpr int kMaxDenseLevels = 28;

VectorPtr load_vector(const std::vector<Word>& words);

template <class F>
class VectorOf final : public Vector {
  public:
    using S = typename F::Scalar;
    using State = std::variant<Train<F>, Dense<F>, Terms<F>>;

    VectorOf(const F& field, State state, std::shared_ptr<Ledger> ledger)
        : field_(field), state_(std::move(state)), ledger_(std::move(ledger)) {
        ledger_->live += bytes();
    }
    ~VectorOf() override { ledger_->live -= bytes() + (converted_ ? converted_->bytes() : 0); }
    VectorOf(const VectorOf&) = delete;
    VectorOf& operator=(const VectorOf&) = delete;

    const F& field() const { return field_; }
    const State& state() const { return state_; }
    const Dense<F>* array() const { return std::get_if<Dense<F>>(&state_); }
    const Terms<F>* terms() const { return std::get_if<Terms<F>>(&state_); }

    /// The vector as a train, unless it is an array; of a list of terms it is made when it is first asked
    /// for.
    const Train<F>* train() const {
        if (terms()) std::call_once(asked_, [this] { convert(); });
        return terms() ? converted_.get() : std::get_if<Train<F>>(&state_);
    }

    int levels() const override {
        if (terms()) return terms()->levels;
        return train() ? train()->levels() : array()->levels;
    }
    bool dense() const override { return array() != nullptr; }
    std::vector<int> bonds() const override { return train() ? train()->bonds() : std::vector<int>{}; }
    std::size_t nodes() const override {
        if (terms()) return terms()->size();
        return train() ? train()->nodes() : array()->amplitudes.size();
    }
    std::size_t bytes() const override {
        return std::visit([](const auto& form) { return form.bytes(); }, state_);
    }
    int words_per_scalar() const override { return F::words; }
    bool exact() const override { return F::exact; }
    std::vector<Word> amplitudes() const override;
    std::vector<Word> serialise() const override;

    /// The amplitudes as a dense array, whatever the form.
    Dense<F> expanded() const {
        if (array()) return *array();
        if (terms()) return scattered(field_, *terms());
        return {levels(), expand(field_, *train())};
    }

    /// The same without a copy, if it is an array; else made in `room`.
    const Dense<F>& as_array(Dense<F>& room) const { return array() ? *array() : room = expanded(); }

    /// Values at the random product points of a space with this seed, as many as were asked for so far.
    struct Sketches {
        Word seed = 0;
        std::vector<S> values;
    };
    Sketches& sketches() const { return sketches_; }

    /// What the levels before and behind each level make of a product functional: row[k] of levels < k, and
    /// column[k] of levels >= k.
    struct Surroundings {
        Word seed = 0;
        std::vector<std::vector<S>> rows, columns;
    };
    /// Those of the functionals that were asked for lately.
    std::vector<Surroundings>& surroundings() const { return surroundings_; }

  private:
    void convert() const {
        Watch watch;
        Context<F> context{field_, watch};
        converted_ = std::make_unique<const Train<F>>(train_of_terms(context, *terms()));
        ledger_->live += converted_->bytes();
    }

    F field_;
    State state_;
    std::shared_ptr<Ledger> ledger_;
    mutable std::once_flag asked_;
    mutable std::unique_ptr<const Train<F>> converted_;
    mutable Sketches sketches_;
    mutable std::vector<Surroundings> surroundings_;
};

}  // namespace qismc
