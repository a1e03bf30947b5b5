// Sorts the posts of a load outside memory if they come in no order of time.
#include <algorithm>
#include <utility>

#include "core/load/post_loader.h"

namespace chirp::load {

// Ends the group of gathered posts once it has more than `most` bytes. Returns whether the posts
// come in no order of time. A window has two groups, so that such posts are sorted before any is
// stored.
bool PostLoader::is_spread(std::size_t added, std::size_t most) {
  group_bytes_ += added;
  if (group_bytes_ <= most) return false;
  group_bytes_ -= std::max<std::size_t>(most, 1);
  return spread_.end_group();
}

// False if the store has no room to sort in. The posts of the window are sorted with the rest.
bool PostLoader::begin_sorting() {
  if (options_.sorting == Bulk::kNever) return false;
  auto scratch =
      storage_.scratch("Sorting the posts (--bulk never needs less)", options_.sort.memory);
  if (!scratch) {
    options_.sorting = Bulk::kNever;
    return false;
  }
  empty_early();
  storing_.drain();
  sort_.emplace(std::move(scratch), options_.sort);
  phase_ = PostPhase::kSorting;
  // If this fails half-way, the rest is not stored either.
  PostWindow window = std::exchange(window_, PostWindow());
  while (!window.empty()) {
    for (const PostRow& row : window.take(options_.most_rows)) sort_->add(row);
  }
  return true;
}

// Stores the sorted posts as if they had come in the order of time.
void PostLoader::store_sorted() {
  phase_ = PostPhase::kComparing;
  sort_->finish([this] { turns_.pause(); });
  phase_ = PostPhase::kStoring;
  reached_ = {};
  std::vector<PostRow> rows;
  std::size_t bytes = 0;
  while (auto row = sort_->next()) {
    bytes += sizeof(PostRow) + row->text.size() + media_bytes(*row);
    rows.push_back(*std::move(row));
    if (rows.size() < options_.most_rows && bytes < options_.most_bytes) continue;
    gather(std::exchange(rows, {}));
    bytes = 0;
  }
  if (!rows.empty()) gather(std::move(rows));
  empty_window();
  while (auto row = sort_->next_again()) {
    if (row->came != Nesting::kItself) continue;
    again_.emplace_back(*row);
    if (again_.size() >= kMostAgain) hand_on_again();
  }
}

void PostLoader::end_sorting() {
  sort_.reset();
  phase_ = PostPhase::kReading;
}

}  // namespace chirp::load
