// Posts in no order of time, gathered and handed out by a sweep through their times.
//
// A store keeps posts by time: what comes in order touches few pages and fills them, and what comes
// in no order rewrites nearly all of them again and again. The sweep takes the next posts from
// where it stopped, upwards, and begins at the oldest again when it is through; others come in
// meanwhile in front of it and behind it. So of posts in no order at all each part of the sweep is
// as dense as if twice as many were gathered and sorted, and posts nearly in order come out in
// order. Only what a post names travels with it, since a post that waits for one behind the sweep
// would wait for the next sweep, and too many of them can't.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/load/waiting_posts.h"

namespace chirp::load {

class PostWindow {
 public:
  // False if a post of this source id is gathered already, which stays.
  bool add(const PostRow& row);
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  // About how much memory the posts take.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  // Takes out the next `most` posts at most, with all that they name of what is gathered, and what
  // those name, in the order of their times and among equal ones in that of arrival. At least one
  // unless this is empty.
  [[nodiscard]] std::vector<PostRow> take(std::size_t most);

  // Posts whose entries may go into logs before them: public, by themselves, and in a millisecond
  // without any that names another one, for those take their places there when their turn comes. In
  // the order in which they will be taken; valid until the next change.
  struct Candidate {
    std::size_t place;
    SourceId source;
    UserNumber author;
    Time created_at;
    PostId id{};  // chosen by whoever asks
  };
  [[nodiscard]] std::vector<Candidate> candidates();
  // Marks the post: its entry will be put, with the candidate's id.
  void set_early(const Candidate& candidate);

 private:
  // The rest is packed, since many posts are gathered.
  struct Entry {
    SourceId source;
    Time created_at;
    std::unique_ptr<char[]> rest;
  };

  static std::size_t bytes_of(const PostRow& row);
  static PostRow row_of(const Entry& entry);
  void sort();
  // The places in entries_ from `begin` up to `end`, and of what these name, in order.
  [[nodiscard]] std::vector<std::size_t> with_named(std::size_t begin, std::size_t end);

  std::vector<Entry> entries_;
  std::size_t sorted_ = 0;                                   // of entries_, from the front
  std::unordered_map<SourceId, std::vector<Medium>> media_;  // of the few that have any
  std::unordered_map<SourceId, std::size_t> held_;  // with places in entries_ while with_named runs
  std::optional<Time> next_;  // where the sweep goes on; at the oldest if there is none
  std::size_t bytes_ = 0;
};

}  // namespace chirp::load
