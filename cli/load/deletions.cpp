#include "cli/load/deletions.h"

#include <algorithm>
#include <array>
#include <span>
#include <unordered_set>

#include "core/error.h"
#include "core/ports/reads.h"

namespace chirp::cli {

// The ids are spread, so equal keys of different posts are as rare as equal random numbers.
std::uint64_t Deletions::key_of(const input::Deletion& post) {
  constexpr std::uint64_t kOdd = 0x9E37'79B9'7F4A'7C15u;
  std::uint64_t key = post.post.value * kOdd;
  key ^= key >> 29;
  key += post.author ? post.author->value + 1 : 0;
  key *= kOdd;
  return key ^ (key >> 32);
}

void Deletions::add(const input::Deletion& deletion) {
  deleted_.emplace(key_of(deletion), Deleted{deletion});
}

bool Deletions::covers(const input::Deletion& post) {
  if (deleted_.empty()) return false;
  const auto at = deleted_.find(key_of(post));
  if (at == deleted_.end()) return false;
  at->second.applied = true;
  return true;
}

void Deletions::see(const input::Deletion& post) {
  full_ = full_ || seen_.size() == kPostsMax;
  if (!full_) seen_.push_back(key_of(post));
}

std::vector<input::Deletion> Deletions::late() {
  std::vector<input::Deletion> found;
  std::unordered_set<std::uint64_t> keys;
  for (const std::uint64_t key : seen_) {
    const auto at = deleted_.find(key);
    if (at == deleted_.end() || !keys.insert(key).second) continue;
    at->second.applied = true;
    found.push_back(at->second.post);
  }
  return found;
}

std::uint64_t Deletions::not_applied() const {
  if (!full_) return 0;
  return static_cast<std::uint64_t>(
      std::ranges::count_if(deleted_, [](const auto& one) { return !one.second.applied; }));
}

Removed remove_loaded(Engine& engine, const load::Words& words, const input::Deletion& post,
                      std::optional<UserNumber> as) {
  if (!post.author) return {};
  const auto snapshot = engine.storage().snapshot();
  const std::array ids{words.key_of(post.post)};
  const std::array authors{words.key_of(*post.author)};
  const auto there = reads::contents_of(*snapshot, std::span<const SourceKey>(ids)).front();
  const auto author =
      as ? as : reads::numbers_of(*snapshot, std::span<const SourceKey>(authors)).front();
  if (!there || !author) return {};
  const bool is_comment = there->comment != kNoComment;
  const ContentId content = is_comment ? content_of(there->comment) : content_of(there->post);
  const ContentCounters counters = snapshot->content_counters({&content, 1}).front();
  const Removed with_all{1, static_cast<std::uint64_t>(counters.comments + counters.reposts)};
  try {
    const Viewer viewer = Viewer::user(*author);
    if (is_comment) {
      const auto shown = engine.comments().show(Viewer::the_operator(), there->comment);
      if (shown.view.comment.author != *author) return {};
      engine.comments().remove(viewer, there->comment);
      return {1, 0};  // replies stay
    }
    const auto stored = snapshot->post(there->post);
    if (!stored) return {};
    if (stored->source == ids.front()) {
      if (stored->author != *author) return {};
      engine.posts().remove(viewer, there->post);
      return with_all;
    }
    const auto user = engine.accounts().present(*author);
    if (!user) return {};
    engine.posts().unrepost(*user, there->post);  // the source id is the repost's
    return {1, 0};
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kNotFound) throw;  // another client removed it meanwhile
    return {};
  }
}

}  // namespace chirp::cli
