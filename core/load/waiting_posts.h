// Posts of a load that repeat or answer a missing post. They wait for it, in bounded memory, since
// most archives have the newest first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/load/source.h"

namespace chirp::load {

// The relation of a post to the other one it names.
enum class Link : std::uint8_t { kNone, kRepost, kReply };
// Whether the input has it as a separate post, or inside of a post that repeats it.
enum class Nesting : std::uint8_t { kItself, kInside };

// A post of a source with a known author.
struct PostRow {
  SourceId source;
  UserNumber author;
  Time created_at;
  std::string text;  // checked and normalised
  Link link = Link::kNone;
  SourceId target{};  // of the link
  Nesting came = Nesting::kItself;
  PostId id{};            // its place within its millisecond, if it was given one
  bool is_early = false;  // the author's log has an entry for `id`
  Privacy privacy = Privacy::kPublic;
  std::vector<Medium> media{};  // of a plain post
};

// The memory of a row's media.
[[nodiscard]] inline std::size_t media_bytes(const PostRow& row) {
  std::size_t bytes = 0;
  for (const Medium& medium : row.media) {
    bytes += sizeof medium + medium.address.size() + medium.alt_text.size();
  }
  return bytes;
}

class WaitingPosts {
 public:
  // False if a post of this source id waits already.
  bool put(PostRow row);
  // Removes and returns the posts that wait for `target`, in the order in which they were put in.
  [[nodiscard]] std::vector<PostRow> arrived(SourceId target);
  // Removes and returns the rows that have waited longest, at most `most`, whose other post does
  // not wait here itself. If posts wait for each other in a circle, returns the one with the oldest
  // time, whatever the order of arrival. At least one unless this is empty.
  [[nodiscard]] std::vector<PostRow> give_up(std::size_t most);

  [[nodiscard]] bool holds(SourceId source) const { return by_source_.contains(source.value); }
  // The highest id of machine 1 within this millisecond that a waiting post has, or 0.
  [[nodiscard]] std::uint64_t highest_in(std::uint64_t ticks) const;
  // Whether a waiting post has been given this id.
  [[nodiscard]] bool has_id(std::uint64_t id) const { return ids_.contains(id); }
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  // About how much memory the posts take.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  void clear();

 private:
  using Place = std::uint64_t;  // in the order of arrival

  PostRow take(Place place);

  std::map<Place, PostRow> rows_;
  std::unordered_map<std::uint64_t, Place> by_source_;
  std::set<std::pair<std::uint64_t, Place>> by_target_;
  std::set<std::uint64_t> ids_;
  Place next_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace chirp::load
