// Whether the posts of a load come in no order of time at all.
//
// They are looked at in groups, as many at a time as memory can bring into order. An input in the
// order of time, or with the newest first, has groups one beside the other. In an input without
// order, or with many files that each begin anew, a later group lies where earlier ones lie.
#pragma once

#include <vector>

#include "core/model/time.h"

namespace chirp::load {

class TimeSpread {
 public:
  void add(Time time) { times_.push_back(time); }
  // Ends a group. Whether most of it lies between the first and the last tenth of earlier groups.
  [[nodiscard]] bool end_group();

 private:
  struct Range {
    Time first;
    Time last;
  };

  [[nodiscard]] std::size_t within_earlier() const;
  void note(Range range);

  std::vector<Time> times_;     // of the group
  std::vector<Range> earlier_;  // ascending, none touches another one
};

}  // namespace chirp::load
