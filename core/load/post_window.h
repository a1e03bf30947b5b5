// Gathers posts that are not ordered by time, and returns them by a sweep through their times.
//
// A store keeps posts by time: posts in order fill few pages, and posts without order rewrite
// nearly all pages again and again. The sweep returns the next posts above its position, and starts
// again at the oldest after the newest; other posts arrive meanwhile on both sides of it. So for
// random posts each part of the sweep is as dense as if twice as many had been sorted, and nearly
// sorted posts come out sorted. A post's original travels with it, because a post that waits for
// one behind the sweep would wait for the next sweep.
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
  // False if a post of this source id is gathered already; that one stays.
  bool add(const PostRow& row);
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  // About how much memory the posts take.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  // Removes and returns at most the next `most` posts, with the gathered posts that they name,
  // directly or indirectly, in the order of their times, and of arrival for equal times. At least
  // one unless this is empty.
  [[nodiscard]] std::vector<PostRow> take(std::size_t most);

  // Posts whose log entries may be stored before them: public posts that name no others, in a
  // millisecond without posts that do, because those get their places later. In the order in which
  // they will be taken; valid until the next change.
  struct Candidate {
    std::size_t place;
    SourceId source;
    UserNumber author;
    Time created_at;
    PostId id{};  // chosen by the caller
  };
  [[nodiscard]] std::vector<Candidate> candidates();
  // Marks the post: its entry will be stored, with the candidate's id.
  void set_early(const Candidate& candidate);

 private:
  // The rest is packed, because many posts are gathered.
  struct Entry {
    SourceId source;
    Time created_at;
    std::unique_ptr<char[]> rest;
  };

  static std::size_t bytes_of(const PostRow& row);
  static PostRow row_of(const Entry& entry);
  void sort();
  // The places in entries_ from `begin` up to `end`, and those of posts that these name, in order.
  [[nodiscard]] std::vector<std::size_t> with_named(std::size_t begin, std::size_t end);

  std::vector<Entry> entries_;
  std::size_t sorted_ = 0;                                   // of entries_, from the front
  std::unordered_map<SourceId, std::vector<Medium>> media_;  // of the few posts with media
  std::unordered_map<SourceId, std::size_t> held_;  // with places in entries_ while with_named runs
  std::optional<Time> next_;  // where the sweep continues; empty: at the oldest post
  std::size_t bytes_ = 0;
};

}  // namespace chirp::load
