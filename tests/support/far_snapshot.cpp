#include "tests/support/far_snapshot.h"

#include <algorithm>

namespace chirp::test {

void FarSnapshot::begin_round() const {
  ++rounds_;
  ahead_.insert(ahead_.end(), next_.begin(), next_.end());
  next_.clear();
}

void FarSnapshot::note(std::span<const Entry> entries) const {
  for (const Entry& entry : entries) written_by_.emplace(entry.id, entry.author);
}

bool FarSnapshot::is_kept(const TableType& type, const void* key) const {
  using namespace tables;
  if (type.index == kIndexOf<Cards>)
    return met_.contains(static_cast<const Cards::Key*>(key)->user);
  if (type.index == kIndexOf<Reactions>) {
    const auto& reaction = *static_cast<const Reactions::Key*>(key);
    return reaction.user == viewer_ && contents_.contains(reaction.content);
  }
  if (type.index == kIndexOf<RepostsOf>) {
    const auto& repost = *static_cast<const RepostsOf::Key*>(key);
    return repost.user == viewer_ && contents_.contains(content_of(repost.original));
  }
  return false;
}

void FarSnapshot::find_rows(const TableType& type, std::span<const void* const> keys,
                            std::span<void* const> found) const {
  const auto kept = [&](const void* key) { return is_kept(type, key); };
  if (!std::ranges::all_of(keys, kept)) begin_round();
  inner_.find_rows(type, keys, found);
}

std::size_t FarSnapshot::find_ranges(const TableType& type, std::span<const AnyEnds> wanted,
                                     Direction direction, std::uint32_t limit, std::uint64_t enough,
                                     std::span<void* const> found) const {
  begin_round();
  return inner_.find_ranges(type, wanted, direction, limit, enough, found);
}

StoreState FarSnapshot::state() const {
  if (rounds_ == 0) begin_round();
  return inner_.state();
}

std::vector<std::optional<Post>> FarSnapshot::posts_at(std::span<const PostId> ids) const {
  begin_round();
  const auto is_original = [&](PostId id) { return originals_.contains(id); };
  if (std::ranges::all_of(ids, is_original)) {
    originals_.clear();  // a later window may have the same posts for themselves
  } else {
    ++windows_;
  }
  auto posts = inner_.posts_at(ids);
  for (const PostId id : ids) {
    contents_.insert(content_of(id));
    const auto author = written_by_.find(id);
    if (author != written_by_.end()) met_.insert(author->second);
  }
  for (const auto& post : posts) {
    if (!post || !post->is_repost()) continue;
    originals_.insert(post->original);
    written_by_.emplace(post->original, post->original_author);
  }
  return posts;
}

std::vector<UserCounters> FarSnapshot::counters(std::span<const UserNumber> numbers) const {
  begin_round();
  return inner_.counters(numbers);
}

std::vector<ContentCounters> FarSnapshot::content_counters(
    std::span<const ContentId> contents) const {
  const auto kept = [&](ContentId content) { return contents_.contains(content); };
  if (!std::ranges::all_of(contents, kept)) begin_round();
  return inner_.content_counters(contents);
}

std::vector<ViewerRelation> FarSnapshot::bonds(UserNumber viewer,
                                               std::span<const UserNumber> others) const {
  if (viewer != viewer_) begin_round();
  return inner_.bonds(viewer, others);
}

FeedSources FarSnapshot::feed_sources(UserNumber viewer) const {
  begin_round();
  auto sources = inner_.feed_sources(viewer);
  viewer_ = viewer;
  complete_from_ = sources.complete_from;
  authors_ = sources.following;
  authors_.insert(std::ranges::lower_bound(authors_, viewer), viewer);
  note(sources.pending);
  return sources;
}

std::vector<Entry> FarSnapshot::timeline_entries(UserNumber viewer, IdRange range,
                                                 Direction direction, std::uint32_t limit) const {
  if (viewer != viewer_) begin_round();
  auto entries = inner_.timeline_entries(viewer, range, direction, limit);
  note(entries);
  // The page may go on below the timeline.
  if (direction == Direction::kDown && entries.size() < limit) {
    next_.push_back({authors_, complete_from_});
  }
  return entries;
}

std::vector<Entry> FarSnapshot::author_entries(const LogsOf& of, IdRange range, Direction direction,
                                               std::uint32_t limit) const {
  const bool down = direction == Direction::kDown;
  Logs logs{{of.authors.begin(), of.authors.end()}, down ? range.below : range.above};
  if (std::ranges::find(ahead_, logs) == ahead_.end()) begin_round();
  auto entries = inner_.author_entries(of, range, direction, limit);
  note(entries);
  if (entries.size() == limit) {
    logs.bound = entries.back().id;
    next_.push_back(std::move(logs));
  }
  return entries;
}

std::optional<Timeline> FarSnapshot::timeline(UserNumber viewer) const {
  begin_round();
  return inner_.timeline(viewer);
}

std::vector<UserNumber> FarSnapshot::scan_timelines(UserNumber after, std::uint32_t limit) const {
  begin_round();
  return inner_.scan_timelines(after, limit);
}

std::optional<Time> FarSnapshot::oldest_key() const {
  begin_round();
  return inner_.oldest_key();
}

std::vector<std::string_view> FarSnapshot::traces_of(UserNumber user) const {
  begin_round();
  return inner_.traces_of(user);
}

std::map<std::string, std::uint64_t> FarSnapshot::table_rows() const {
  begin_round();
  return inner_.table_rows();
}

std::vector<std::string> FarSnapshot::problems() const {
  begin_round();
  return inner_.problems();
}

}  // namespace chirp::test
