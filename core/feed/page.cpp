#include "core/feed/page.h"

#include "core/model/value_names.h"
#include "core/ports/reads.h"

namespace chirp::feed {
namespace {

constexpr ValueNames<Reason, 3> kReasons{{
    {Reason::kFollow, "follow"},
    {Reason::kSelf, "self"},
    {Reason::kRepost, "repost"},
}};

constexpr ValueNames<Source, 5> kSources{{
    {Source::kPushed, "pushed"},
    {Source::kPulled, "pulled"},
    {Source::kPending, "pending"},
    {Source::kBackfilled, "backfilled"},
    {Source::kBelowCap, "below_cap"},
}};

}  // namespace

std::string_view name(Reason reason) { return name_in(kReasons, reason); }

std::string_view name(Source source) { return name_in(kSources, source); }

std::vector<PostStats> stats_of(const ContentReader& snapshot, const Viewer& viewer,
                                std::span<const PostId> posts) {
  std::vector<ContentId> contents;
  contents.reserve(posts.size());
  for (const PostId post : posts) contents.push_back(content_of(post));
  const auto counters = snapshot.content_counters(contents);
  std::vector<PostStats> stats(posts.size());
  for (std::size_t i = 0; i < posts.size(); ++i) stats[i].counters = counters[i];
  if (viewer.kind() != Viewer::Kind::kUser) return stats;
  const auto reactions = reads::reactions_of(snapshot, viewer.number(), contents);
  std::vector<PostId> reposted;  // posts with any reposts; most have none
  for (std::size_t i = 0; i < posts.size(); ++i) {
    stats[i].knows_viewer = true;
    if (reactions[i]) stats[i].reaction = reactions[i]->type;
    if (counters[i].reposts > 0) reposted.push_back(posts[i]);
  }
  const auto own = reads::reposts_by(snapshot, viewer.number(), reposted);
  auto next = own.begin();
  for (PostStats& each : stats) {
    if (each.counters.reposts > 0) each.reposted = (next++)->has_value();
  }
  return stats;
}

void hydrate(const ContentReader& snapshot, UserNumber viewer, std::span<FeedItem> items) {
  std::vector<PostId> posts;
  posts.reserve(items.size());
  for (const FeedItem& item : items) posts.push_back(item.post->id);
  const auto stats = stats_of(snapshot, Viewer::user(viewer), posts);
  for (std::size_t i = 0; i < items.size(); ++i) items[i].stats = stats[i];
}

}  // namespace chirp::feed
