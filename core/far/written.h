// What the rules of one transaction have put: what a store that is far away has to keep.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/far/lacked.h"

namespace chirp::far {

// What becomes of one timeline.
struct WrittenTimeline {
  bool gone = false;            // what is stored goes
  std::optional<Timeline> put;  // and this comes in its place
  // Otherwise what is stored takes this in, if it is of this generation: see Rows::deliver.
  std::vector<Entry> delivered;
  std::uint64_t generation = 0;
  std::optional<Time> read;
};

struct KeptRequest {
  std::string canonical;
  PostId post;
};

struct Written {
  StoreState state;  // as it is afterwards, without the new version
  // Keys without a row are erased. The new events are the rows of tables::Events.
  AnyRows rows;
  // What a load has added, ascending, each once: neither side has them among the rows.
  OfSides<std::vector<std::pair<EdgeEnds, Time>>> edges;
  std::map<UserNumber, WrittenTimeline> timelines;
  std::map<std::pair<UserNumber, std::string>, KeptRequest> requests;
  std::map<StaleRequests, std::uint32_t> forgotten;  // how many are to be
};

}  // namespace chirp::far
