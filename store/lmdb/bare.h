// What bare LMDB does with the same records: the references that `chirp bench` prints beside its
// figures.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "core/ports/storage.h"

namespace chirp::lmdb {

// Reads, for one viewer after the other, the records that the first page of their feed is made of:
// the state, the timeline, the followees, the posts and their authors' cards. Keys are looked up
// beforehand. Safe to call from several threads once made.
class BarePages {
 public:
  // `storage` is one that open_storage() made and outlives this.
  BarePages(const Storage& storage, std::span<const UserNumber> viewers, std::uint32_t limit);
  ~BarePages();
  // Reads the records of the i-th viewer in one transaction; the bytes seen.
  std::uint64_t read(std::size_t i) const;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

// Puts the timelines of `viewers` (ascending) back as they are, in one transaction. The number put.
std::uint64_t bare_rewrite_timelines(Storage& storage, std::span<const UserNumber> viewers);

// Appends `edges` to both directions of an empty store in `folder`, a record each, in key order, a
// million a transaction. Seconds.
double bare_append_edges(const std::filesystem::path& folder, std::vector<LoadedEdge> edges);

// Puts `posts` into an empty store in `folder`, record and indexes, `at_once` a transaction, in key
// order within it. Seconds.
double bare_put_posts(const std::filesystem::path& folder, std::span<const Post> posts,
                      std::size_t at_once);

// Publishes `posts` in an empty store in `folder`, as posts come one by one: record, index, a row
// of the log and the state, `at_once` a transaction, each synced. Seconds.
double bare_publish(const std::filesystem::path& folder, std::span<const Post> posts,
                    std::size_t at_once);

// Adds one to a row of 8 bytes for each of `contents`, in an empty store in `folder`, `at_once` a
// transaction. Seconds.
double bare_count(const std::filesystem::path& folder, std::span<const ContentId> contents,
                  std::size_t at_once);

}  // namespace chirp::lmdb
