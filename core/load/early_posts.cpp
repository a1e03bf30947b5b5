// Stores the log entries of loaded posts before the posts (StoreState::early_from).
#include <algorithm>
#include <utility>

#include "core/load/bulk.h"
#include "core/load/post_writer.h"
#include "core/rules/loads.h"
#include "core/rules/writing.h"

namespace chirp::load {
namespace {

// Source ids that are looked up at once: bounds memory and the time of a read.
constexpr std::size_t kAskedAtOnce = 65'536;

// Marks posts of authors with few enough of them. Returns their entries, in the order of the log.
std::vector<EarlyEntry> choose(PostWindow& window, std::vector<PostWindow::Candidate> candidates) {
  leave_out_frequent(candidates);
  std::vector<EarlyEntry> entries;
  entries.reserve(candidates.size());
  for (const PostWindow::Candidate& candidate : candidates) {
    window.set_early(candidate);
    entries.push_back({candidate.author, candidate.id});
  }
  return entries;
}

}  // namespace

void PostWriter::put_early(PostWindow& window) {
  end_early();
  early_ = storage_.early_entries();
  if (!early_) return;
  auto candidates = window.candidates();
  const std::vector<SourceId> known = known_of(candidates);
  std::erase_if(candidates, [&](const PostWindow::Candidate& candidate) {
    return waiting_.highest_in(snowflake::ticks_of(candidate.created_at)) != 0 ||
           std::ranges::binary_search(known, candidate.source);
  });
  std::vector<Time> times;
  times.reserve(candidates.size());
  for (const auto& candidate : candidates) times.push_back(candidate.created_at);
  const auto ids = [&] {
    const auto snapshot = storage_.snapshot();
    return rules::ids_for_posts(*snapshot, snapshot->state(), times);
  }();
  for (std::size_t i = 0; i < ids.size(); ++i) candidates[i].id = ids[i];
  const std::vector<EarlyEntry> entries = choose(window, std::move(candidates));
  try {
    put_early_entries(storage_, clock_, turns_, early_pace_, entries);
  } catch (...) {
    early_.reset();  // the mark stays, since some entries are stored
    throw;
  }
}

// The source ids of stored posts, ascending, so that look-ups are near each other.
std::vector<SourceId> PostWriter::known_of(
    std::span<const PostWindow::Candidate> candidates) const {
  std::vector<SourceId> sources;
  sources.reserve(candidates.size());
  for (const auto& candidate : candidates) sources.push_back(candidate.source);
  std::ranges::sort(sources);
  std::vector<SourceId> known;
  for (std::span<const SourceId> left = sources; !left.empty();) {
    const auto some = left.first(std::min(kAskedAtOnce, left.size()));
    const auto there = contents_of(some);
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (there[i]) known.push_back(some[i]);
    }
    left = left.subspan(some.size());
  }
  return known;
}

void PostWriter::take_back(std::vector<EarlyEntry> entries) {
  if (entries.empty()) return;
  std::ranges::sort(entries, {}, &EarlyEntry::author);
  turns_.take([&] {
    rules::take_back_entries(storage_, entries, clock_.now());
    return entries.size();
  });
}

void PostWriter::end_early() {
  if (!early_) return;
  rules::end_early_entries(storage_, clock_.now());
  early_.reset();
}

}  // namespace chirp::load
