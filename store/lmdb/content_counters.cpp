#include "store/lmdb/content_counters.h"

#include <algorithm>
#include <utility>

#include "core/model/deltas.h"
#include "store/lmdb/table_rows.h"

namespace chirp::lmdb {
namespace {

// What the log holds for `contents` and the counters have yet to take in.
void add_pending(const Txn& txn, const StoreState& state, std::span<const ContentId> contents,
                 std::span<ContentCounters> counters) {
  std::vector<std::pair<ContentId, std::size_t>> places;
  places.reserve(contents.size());
  for (std::size_t i = 0; i < contents.size(); ++i) places.emplace_back(contents[i], i);
  std::sort(places.begin(), places.end());
  std::vector<ContentDelta> deltas;
  for (const auto& event : read_events(txn, state.counters)) {
    deltas.clear();
    events::append_content_deltas(event, deltas);
    for (const ContentDelta& delta : deltas) {
      auto at =
          std::lower_bound(places.begin(), places.end(), std::pair(delta.content, std::size_t{0}));
      for (; at != places.end() && at->first == delta.content; ++at) {
        counters[at->second] += delta.change;
      }
    }
  }
}

}  // namespace

ContentCounters decode_content_counters(Bytes key, Bytes value) {
  RecordReader in(Table::kContentCounters, key, value);
  ContentCounters counters;
  for (std::int64_t& of_type : counters.reactions) of_type = in.zigzag();
  counters.comments = in.zigzag();
  counters.reposts = in.zigzag();
  return counters;
}

std::vector<ContentCounters> read_content_counters(const Txn& txn, const StoreState& state,
                                                   std::span<const ContentId> contents) {
  std::vector<ContentCounters> counters;
  counters.reserve(contents.size());
  for (const ContentId content : contents) {
    counters.push_back(row_or_zeros<tables::ContentCounts>(txn, {content}));
  }
  if (state.counters < state.log_end) add_pending(txn, state, contents, counters);
  return counters;
}

std::uint8_t encode_content_counters(RecordWriter& out, const ContentCounters& counters) {
  for (const std::int64_t of_type : counters.reactions) out.zigzag(of_type);
  out.zigzag(counters.comments);
  out.zigzag(counters.reposts);
  return 0;
}

}  // namespace chirp::lmdb
