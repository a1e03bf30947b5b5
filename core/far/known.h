// What has been fetched from a store that is far away, in one state of it.
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

// Rows, keys that have none, and ranges of which all rows are known.
class KnownRows {
 public:
  // What is known of a key: nothing (null), that there is no row, or its row.
  [[nodiscard]] const AnyRow* find(const std::string& bytes) const;
  template <class T>
  [[nodiscard]] const AnyRow* find(const typename T::Key& key) const {
    return find(bytes_of<T>(key));
  }
  // How far, from the end where it begins, all rows of the range are known.
  [[nodiscard]] std::optional<std::string> reach(const Stretch& range) const;
  [[nodiscard]] const AnyRows& rows() const { return rows_; }

  void learn(AnyRow row);
  template <class T>
  void learn(const typename T::Key& key, const std::optional<typename T::Row>& row) {
    learn(any_row<T>(key, row ? &*row : nullptr));
  }
  // The rows that a store gave for a range with this limit.
  void learn(const Stretch& range, std::uint32_t limit, std::span<const AnyRow> rows);

 private:
  using Covered = std::map<std::string, std::string>;

  [[nodiscard]] Covered::const_iterator covering(const std::string& bytes) const;
  void cover(std::string first, std::string last);

  AnyRows rows_;
  Covered covered_;  // first to last, both included; none touches another
};

// Which edges of one side are there.
class KnownEdges {
 public:
  // Nothing if it is not known.
  [[nodiscard]] std::optional<bool> find(const EdgeEnds& edge) const;
  // `edges` are ascending, none of them known yet; `there` says it of each.
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
  // Up to the limit they were asked with.
  struct Counted {
    std::uint32_t limit = 0;
    std::uint32_t count = 0;
  };
  std::map<StaleRequests, Counted> stale_requests;
};

}  // namespace chirp::far
