// Bare LMDB with the same records: the references that `chirp bench` prints next to its figures.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "core/ports/storage.h"

namespace chirp::lmdb {

// Reads, for one viewer after the other, the records of the first page of their feed: the state,
// the timeline, the followees, the posts and their authors' cards. The constructor looks up the
// keys. Safe to call from several threads.
class BarePages {
 public:
  // `storage` must come from open_storage() and outlive this.
  BarePages(const Storage& storage, std::span<const UserNumber> viewers, std::uint32_t limit);
  ~BarePages();
  // Reads the records of the i-th viewer in one transaction. Returns the bytes read.
  std::uint64_t read(std::size_t i) const;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

// Writes the timelines of `viewers` (ascending) back unchanged, in one transaction. Returns their
// number.
std::uint64_t bare_rewrite_timelines(Storage& storage, std::span<const UserNumber> viewers);

// Appends `edges` to both directions of an empty store in `folder`, one record each, in key order,
// a million per transaction. Returns seconds.
double bare_append_edges(const std::filesystem::path& folder, std::vector<LoadedEdge> edges);

// Puts `posts` into an empty store in `folder`, with record and indexes, `at_once` per transaction,
// in key order within it. Returns seconds.
double bare_put_posts(const std::filesystem::path& folder, std::span<const Post> posts,
                      std::size_t at_once);

// Publishes `posts` one by one in an empty store in `folder`: record, index, log row and state,
// `at_once` per transaction, each synced. Returns seconds.
double bare_publish(const std::filesystem::path& folder, std::span<const Post> posts,
                    std::size_t at_once);

// Increments an 8-byte row for each of `contents` in an empty store in `folder`, `at_once` per
// transaction. Returns seconds.
double bare_count(const std::filesystem::path& folder, std::span<const ContentId> contents,
                  std::size_t at_once);

}  // namespace chirp::lmdb
