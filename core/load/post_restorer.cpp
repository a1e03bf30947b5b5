#include "core/load/post_restorer.h"

#include <algorithm>

#include "core/load/bulk.h"
#include "core/rules/writing.h"

namespace chirp::load {
namespace {

// The bytes of posts in one transaction. The disk reserve is checked only before a transaction.
constexpr std::size_t kMostBytes = std::size_t{8} << 20;

}  // namespace

PostRestorer::PostRestorer(Storage& storage, const Clock& clock, Turns& turns, Bulk early,
                           std::size_t early_bytes)
    : storage_(storage), clock_(clock), turns_(turns), early_(early), early_bytes_(early_bytes) {}

bool PostRestorer::waits_for_more(std::size_t bytes) const {
  return early_ != Bulk::kNever && bytes < early_bytes_;
}

std::size_t PostRestorer::bytes_of(const Post& post) {
  constexpr std::size_t kPieceBytes = 16;  // allocator overhead of each
  std::size_t bytes = sizeof post + post.text.size() + kPieceBytes;
  if (post.source) bytes += post.source->word.size();
  for (const Medium& medium : post.media) {
    bytes += sizeof medium + medium.address.size() + medium.alt_text.size() + 2 * kPieceBytes;
  }
  return bytes;
}

void PostRestorer::put_early(std::span<const Post* const> posts, std::size_t bytes) {
  // Few posts are stored as fast without it.
  constexpr std::size_t kPart = 4;
  finish();
  if (early_ == Bulk::kNever || (early_ == Bulk::kAuto && bytes < early_bytes_ / kPart)) return;
  held_ = storage_.early_entries();
  if (!held_) {  // the store does not support it, or another load uses it
    early_ = Bulk::kNever;
    return;
  }
  std::vector<EarlyEntry> entries;
  for (const Post* post : posts) {
    if (post->privacy == Privacy::kPublic) entries.push_back({post->author, post->id});
  }
  leave_out_frequent(entries);
  try {
    put_early_entries(storage_, clock_, turns_, early_pace_, entries);
  } catch (...) {
    held_.reset();  // the mark stays, since some entries are stored
    throw;
  }
}

void PostRestorer::store(std::span<const Post> posts) {
  while (!posts.empty()) {
    std::size_t count = 1;
    for (std::size_t bytes = bytes_of(posts[0]); count < std::min(pace_.rows(), posts.size());
         ++count) {
      if ((bytes += bytes_of(posts[count])) > kMostBytes) break;
    }
    const auto some = posts.first(count);
    turns_.take(pace_, some.size(), [&] {
      rules::restore_posts(storage_, some, clock_.now());
      return some.size();
    });
    posts = posts.subspan(some.size());
  }
}

void PostRestorer::finish() {
  if (!held_) return;
  rules::end_early_entries(storage_, clock_.now());
  held_.reset();
}

}  // namespace chirp::load
