// Rows fetched from a remote store, all of one state.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/far/lacked.h"

namespace chirp::far {

// Cached rows, keys known to have none, and ranges of which all rows are cached.
class KnownRows {
 public:
  // Null if nothing is known about the key; otherwise its row, or that the row is missing.
  [[nodiscard]] const AnyRow* find(const std::string& bytes) const;
  template <class T>
  [[nodiscard]] const AnyRow* find(const typename T::Key& key) const {
    return find(bytes_of<T>(key));
  }
  // How far all rows of the range are known, from the end where it begins.
  [[nodiscard]] std::optional<std::string> reach(const Stretch& range) const;
  [[nodiscard]] const AnyRows& rows() const { return rows_; }

  void learn(AnyRow row);
  template <class T>
  void learn(const typename T::Key& key, const std::optional<typename T::Row>& row) {
    learn(any_row<T>(key, row ? &*row : nullptr));
  }
  // Adds the rows that a store returned for a range with this limit.
  void learn(const Stretch& range, std::uint32_t limit, std::span<const AnyRow> rows);

 private:
  using Covered = std::map<std::string, std::string>;

  [[nodiscard]] Covered::const_iterator covering(const std::string& bytes) const;
  void cover(std::string first, std::string last);

  AnyRows rows_;
  Covered covered_;  // first to last, both inclusive; they do not overlap
};

// Which edges of one side exist.
class KnownEdges {
 public:
  // Empty if unknown.
  [[nodiscard]] std::optional<bool> find(const EdgeEnds& edge) const;
  // `edges` are ascending and not known yet; `there` says for each whether it exists.
  void learn(std::span<const EdgeEnds> edges, const std::vector<bool>& there);

 private:
  std::vector<std::pair<EdgeEnds, bool>> edges_;
};

struct Known {
  KnownRows rows;
  OfSides<KnownEdges> edges;
  std::set<CommentId> chains;
  std::map<UserNumber, std::optional<TimelineHead>> timelines;
  std::map<RequestKey, std::optional<EarlierRequest>> requests;
  // A count, up to the limit that was requested.
  struct Counted {
    std::uint32_t limit = 0;
    std::uint32_t count = 0;
  };
  std::map<StaleRequests, Counted> stale_requests;
};

}  // namespace chirp::far
