// The changes of one transaction that a remote store has to write.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/far/lacked.h"

namespace chirp::far {

// The change of one timeline.
struct WrittenTimeline {
  bool gone = false;            // the stored timeline is deleted
  std::optional<Timeline> put;  // and replaced by this one
  // Otherwise these entries are merged if the generation matches: see Rows::deliver.
  std::vector<Entry> delivered;
  std::uint64_t generation = 0;
  std::optional<Time> read;
};

struct KeptRequest {
  std::string canonical;
  PostId post;
};

struct Written {
  StoreState state;  // the state afterwards, without the new version
  // Keys without a row are deleted. New events are rows of tables::Events.
  AnyRows rows;
  // The edges that a load has added, ascending and unique; they are not in `rows`.
  OfSides<std::vector<std::pair<EdgeEnds, Time>>> edges;
  std::map<UserNumber, WrittenTimeline> timelines;
  std::map<std::pair<UserNumber, std::string>, KeptRequest> requests;
  std::map<StaleRequests, std::uint32_t> forgotten;  // how many to forget
};

}  // namespace chirp::far
