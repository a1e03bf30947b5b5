#include "core/social/trends.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/ports/reads.h"
#include "core/settings.h"
#include "core/social/visibility.h"

namespace chirp::social {
namespace {

constexpr std::uint32_t kPostsABlock = 1000;

// The sum for one tag, from its newest use on.
struct TagTally {
  std::uint64_t posts = 0;
  double score = 0;
  std::vector<UserNumber> authors;  // ascending

  // Adds an author of the tag; false if already added.
  bool meet(UserNumber author) {
    const auto at = std::lower_bound(authors.begin(), authors.end(), author);
    if (at != authors.end() && *at == author) return false;
    authors.insert(at, author);
    return true;
  }
};

using Tallies = std::map<std::string, TagTally>;

Tallies tally(const Snapshot& snapshot, const TrendQuery& query, Time now) {
  Tallies tallies;
  Visibility visibility(snapshot, Viewer::anonymous());
  const Time since{now.ms - query.window_ms};
  std::size_t pairs = 0;
  std::size_t uses = 0;
  for (PostId below = kAboveAllPosts;;) {
    const auto posts = reads::tagged_posts(snapshot, below, kPostsABlock);
    for (const TaggedPost& post : posts) {
      const Time written = snowflake::time_of(post.post.value);
      if (written < since || pairs >= query.pairs || uses >= query.uses) return tallies;
      uses += post.tags.size();
      if (visibility.card(post.author) == nullptr) continue;
      const auto age = static_cast<double>(std::max<std::int64_t>(0, now.ms - written.ms));
      for (const std::string& tag : post.tags) {
        TagTally& of = tallies[tag];
        ++of.posts;
        if (!of.meet(post.author)) continue;
        ++pairs;
        of.score += std::exp2(-age / static_cast<double>(query.half_life_ms));
      }
    }
    if (posts.size() < kPostsABlock) return tallies;
    below = posts.back().post;
  }
}

}  // namespace

TrendList trends_in(const Snapshot& snapshot, const TrendQuery& query, Time now) {
  if (query.window_ms < kHourMs || query.window_ms > kTagsKeptMs) {
    throw Error(ErrorCode::kInvalidArgument, "The window of trends is from 1h to 7d.", "window");
  }
  check_page_limit(query.limit, limits::kPostPageMax, "trends");
  TrendList list;
  list.generated_at = now;
  for (auto& [tag, of] : tally(snapshot, query, now)) {
    if (of.authors.size() < 2) continue;
    list.trends.push_back({tag, of.posts, of.score});
  }
  std::sort(list.trends.begin(), list.trends.end(), [](const Trend& a, const Trend& b) {
    return a.score != b.score ? a.score > b.score : a.tag < b.tag;
  });
  if (list.trends.size() > query.limit) list.trends.resize(query.limit);
  return list;
}

TrendList Trends::list(std::int64_t window_ms, std::uint32_t limit, std::size_t uses) const {
  TrendQuery query;
  query.window_ms = window_ms;
  query.half_life_ms = settings::trend_half_life_ms(storage_);
  query.limit = limit;
  query.uses = uses;
  return trends_in(*storage_.snapshot(), query, clock_.now());
}

}  // namespace chirp::social
