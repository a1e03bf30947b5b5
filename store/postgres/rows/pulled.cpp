#include "store/postgres/rows/pulled.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace chirp::postgres {
namespace {

constexpr std::string_view kPulled =
    "select author, tier, push_from from marks where push_from is not null"
    " and born <= $1::int8 and (died is null or died > $1::int8) order by author";

}  // namespace

std::string pulled_schema() {
  return "create index if not exists marks_pulled on marks (author) where push_from is not null;";
}

std::shared_ptr<const PulledMarks::At> PulledMarks::newest() const {
  const std::lock_guard guard(mutex_);
  return newest_;
}

void PulledMarks::learn(std::shared_ptr<const At> marks) {
  const std::lock_guard guard(mutex_);
  if (marks->number > newest_->number) newest_ = std::move(marks);
}

void ask_pulled(Questions& questions, std::function<void(std::vector<feed::AuthorMark>)> then) {
  questions.other(
      kPulled, Params().int8(questions.point().number),
      [then = std::move(then)](const Result& result) {
        std::vector<feed::AuthorMark> marks;
        for (int row = 0; row < result.rows(); ++row) {
          marks.push_back({user_in(result, row, 0), static_cast<feed::Tier>(result.number(row, 1)),
                           PostId{static_cast<std::uint64_t>(result.number(row, 2))}});
        }
        then(std::move(marks));
      });
}

std::vector<feed::AuthorMark> marks_of(std::span<const feed::AuthorMark> all,
                                       std::span<const UserNumber> authors, UserNumber viewer) {
  std::vector<feed::AuthorMark> marks;
  for (const feed::AuthorMark& mark : all) {
    if (mark.author == viewer || std::ranges::binary_search(authors, mark.author)) {
      marks.push_back(mark);
    }
  }
  return marks;
}

}  // namespace chirp::postgres
