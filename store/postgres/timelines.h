// Timelines: a head of newest entries that deliveries are put in front of without reading it, and
// older entries in parts.
//
// Entries lie in runs, each newest first; the runs of a head are in no order, and an id may be in
// several. The last of them was put with the parts, all of which are older. What is below
// complete_from is not there. A head that has grown, or a timeline over its cap, is put in order in
// the transaction that finds it so.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/far/written.h"
#include "core/model/timeline.h"
#include "store/postgres/questions.h"

namespace chirp::postgres {

[[nodiscard]] std::string timelines_schema();

struct StoredTimeline {
  Timeline timeline;
  std::int64_t since = 0;  // the number of the commit that put the whole of it
  // From this id on all of its entries are here. Of the whole: from any.
  PostId known_from = kBelowAllPosts;
};

// Heads of those who have one.
void find_heads(Questions& questions, const std::vector<UserNumber>& viewers,
                std::function<void(std::map<UserNumber, TimelineHead>)> then);
// What the head of one holds, of which all entries from some id on are known.
void find_newest(Questions& questions, UserNumber viewer,
                 std::function<void(std::optional<StoredTimeline>)> then);
// The whole of one.
void find_timeline(Questions& questions, UserNumber viewer,
                   std::function<void(std::optional<StoredTimeline>)> then);

// What a batch has made of timelines; `number` is that of its commit.
void write_timelines(Writes& writes, const Placing& placing,
                     const std::map<UserNumber, far::WrittenTimeline>& written, std::uint32_t cap,
                     std::int64_t number);

// ---- those that have grown too long by deliveries, in the same transaction

// Whose they are, as the answer of a Write that delivers says.
[[nodiscard]] std::vector<UserNumber> too_long_in(const Result& delivered);
// Asks for the whole of each.
[[nodiscard]] Asked whole_timelines(Group group, const std::vector<UserNumber>& viewers);
// Puts what was answered to that anew.
void put_anew(Writes& writes, Group group, const Result& whole, std::uint32_t cap);

}  // namespace chirp::postgres
