#include "linear/algebra.h"

#include <stdexcept>

#include "field/long_quadratic_field.h"
#include "linear/echelon.h"

namespace qismc {
namespace {

template <class F>
Matrix<typename F::Scalar> load(const F& f, const std::vector<Word>& words, int rows, int cols) {
    Matrix<typename F::Scalar> m(rows, cols);
    for (std::size_t i = 0; i < m.data.size(); ++i) m.data[i] = f.load(words.data() + i * F::words);
    return m;
}

template <class F>
std::vector<Word> store(const F& f, const Matrix<typename F::Scalar>& m) {
    std::vector<Word> words(m.data.size() * F::words);
    for (std::size_t i = 0; i < m.data.size(); ++i) f.store(m.data[i], words.data() + i * F::words);
    return words;
}

template <class F>
class RowSpaceOf final : public RowSpace {
  public:
    RowSpaceOf(const F& field, int cols) : f_(field), cols_(cols), echelon_(f_, inverses_, cols) {}

    int rank() const override { return echelon_.rank(); }

    std::vector<bool> extend(const std::vector<Word>& rows, int count) override {
        return echelon_.insert_all(load(f_, rows, count, cols_).data.data(), count);
    }

  private:
    F f_;
    int cols_;
    Inverses<F> inverses_{};
    Echelon<F> echelon_;
};

template <class F>
class AlgebraOf final : public Algebra {
  public:
    AlgebraOf(Word prime, Word second) : f_(field_of<F>(prime, second)) {}

    int words() const override { return F::words; }

    std::vector<Word> product(const std::vector<Word>& a, const std::vector<Word>& b, int rows, int inner,
                              int cols) const override {
        return store(f_, qismc::product(f_, load(f_, a, rows, inner), load(f_, b, inner, cols)));
    }

    ReducedEchelon echelon(const std::vector<Word>& m, int rows, int cols) const override {
        Inverses<F> inverses;
        Echelon<F> form(f_, inverses, cols);
        form.insert_all(load(f_, m, rows, cols).data.data(), rows);
        return {store(f_, form.rows()), form.sorted_pivots()};
    }

    std::unique_ptr<RowSpace> row_space(int cols) const override {
        return std::make_unique<RowSpaceOf<F>>(f_, cols);
    }

  private:
    F f_;
};

}  // namespace

std::unique_ptr<Algebra> make_algebra(const std::string& kind, Word prime, Word second) {
    if (kind == "fp") return std::make_unique<AlgebraOf<PrimeField>>(prime, second);
    if (kind == "fp2") return std::make_unique<AlgebraOf<QuadraticField>>(prime, second);
    if (kind == "twin") return std::make_unique<AlgebraOf<TwinField>>(prime, second);
    if (kind == "long") return std::make_unique<AlgebraOf<LongField>>(prime, second);
    if (kind == "long2") return std::make_unique<AlgebraOf<LongQuadraticField>>(prime, second);
    throw std::invalid_argument("linear algebra is over the kinds fp, fp2, twin, long and long2, not " +
                                kind);
}

}  // namespace qismc
