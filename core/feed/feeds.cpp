#include <algorithm>

#include "core/error.h"
#include "core/feed/home_feed.h"
#include "core/feed/page.h"
#include "core/feed/ranked.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "core/settings.h"

namespace chirp::feed {
namespace {

constexpr int kRebuildTries = 8;

// Whether an optional write may be skipped after this error.
bool may_be_left(ErrorCode code) {
  return code == ErrorCode::kReadOnly || code == ErrorCode::kUnavailable ||
         code == ErrorCode::kStorageFull || code == ErrorCode::kNotLetIn;
}

bool is_present(const Snapshot& snapshot, UserNumber user) {
  const auto cards = reads::cards(snapshot, {&user, 1});
  return cards.front() && cards.front()->presence == Presence::kPresent;
}

// The cost of a source per page, when only a share of the pages reads sources. 0 means unknown, so
// a known cost is at least 1.
std::uint32_t told_of(std::uint32_t source_ns, std::optional<double> reading_share) {
  if (source_ns == 0 || !reading_share) return 0;
  return std::max(1U, static_cast<std::uint32_t>(source_ns * std::clamp(*reading_share, 0.0, 1.0)));
}

std::optional<BuiltTimeline> built_now(const Storage& storage, UserNumber viewer,
                                       const Clock& clock, std::optional<double> reading_share) {
  const auto snapshot = storage.snapshot();
  if (!is_present(*snapshot, viewer)) return std::nullopt;
  auto built = build_timeline(*snapshot, viewer, clock);
  if (built) built->source_ns = told_of(built->source_ns, reading_share);
  return built;
}

}  // namespace

Feeds::Feeds(Storage& storage, const Clock& clock, PageMemory* memory)
    : storage_(storage), clock_(clock), memory_(memory) {}

Page Feeds::page(const PageRequest& request) const {
  return memory_ != nullptr ? memory_->page(request)
                            : hydrated_page(*storage_.snapshot(), request, clock_);
}

std::optional<Page> Feeds::held_page(const PageRequest& request) const {
  return memory_ != nullptr ? memory_->held_page(request) : std::nullopt;
}

Refreshed Feeds::refresh(const RefreshRequest& request, Algorithm algorithm) const {
  RankWeights weights;
  if (algorithm == Algorithm::kRanked) weights = settings::rank_weights(storage_);
  const auto snapshot = storage_.snapshot();
  Refreshed refreshed = algorithm == Algorithm::kRanked
                            ? refresh_ranked(*snapshot, request, weights, clock_)
                            : feed::refresh(*snapshot, request, clock_);
  hydrate(*snapshot, request.viewer, refreshed.items);
  return refreshed;
}

RankedSnapshot Feeds::take_ranked(UserNumber viewer) const {
  const RankWeights weights = settings::rank_weights(storage_);
  return feed::take_ranked(*storage_.snapshot(), viewer, weights, clock_);
}

RankedPage Feeds::ranked_page(const RankedSnapshot& ranked, std::size_t from,
                              std::uint32_t limit) const {
  const auto snapshot = storage_.snapshot();
  RankedPage page = feed::ranked_page(*snapshot, ranked, from, limit, clock_);
  hydrate(*snapshot, ranked.viewer, page.page.items);
  return page;
}

Page Feeds::ranked(UserNumber viewer, std::uint32_t limit) const {
  const RankWeights weights = settings::rank_weights(storage_);
  const auto snapshot = storage_.snapshot();
  const RankedSnapshot taken = feed::take_ranked(*snapshot, viewer, weights, clock_);
  Page page = feed::ranked_page(*snapshot, taken, 0, limit, clock_).page;
  hydrate(*snapshot, viewer, page.items);
  return page;
}

void Feeds::after_read(UserNumber viewer, Upkeep upkeep, std::optional<double> reading_share) {
  // The build could not be stored.
  if (storage_.refusal(space_use(Purpose::kBuild))) return;
  try {
    switch (upkeep) {
      case Upkeep::kNone:
        break;
      case Upkeep::kNoteRead:
        rules::note_read(storage_, viewer, clock_.now());
        break;
      case Upkeep::kDrop:
        rules::drop_timeline(storage_, viewer);
        break;
      case Upkeep::kBuild:
        // Tried only once; if it can't be stored, the next read builds again.
        if (const auto built = built_now(storage_, viewer, clock_, reading_share)) {
          rules::store(storage_, *built, Replace::kKeepValid, clock_.now());
        }
        break;
    }
  } catch (const Error& error) {
    if (!may_be_left(error.code())) throw;
  }
}

void Feeds::mark(UserNumber viewer, PostId up_to) {
  if (!rules::mark_feed(storage_, viewer, up_to)) {
    throw Error(ErrorCode::kNotFound, "the user was removed meanwhile", "name");
  }
}

std::optional<PostId> Feeds::marked(UserNumber viewer) const {
  return reads::reading(*storage_.snapshot(), viewer).feed;
}

std::size_t Feeds::rebuild(std::span<const UserNumber> viewers) {
  std::vector<UserNumber> left(viewers.begin(), viewers.end());
  std::size_t rebuilt = 0;
  for (int tried = 0; tried < kRebuildTries; ++tried) {
    std::vector<BuiltTimeline> built;
    for (const UserNumber viewer : left) {
      if (auto one = built_now(storage_, viewer, clock_, std::nullopt)) {
        built.push_back(*std::move(one));
      } else {
        rules::drop_timeline(storage_, viewer);
      }
    }
    left.clear();
    const auto stored = rules::store(storage_, built, Replace::kAlways, clock_.now());
    for (std::size_t i = 0; i < built.size(); ++i) {
      if (!stored[i]) left.push_back(built[i].viewer);
    }
    rebuilt += built.size() - left.size();
    if (left.empty()) return rebuilt;
  }
  throw Error(ErrorCode::kUnavailable,
              "The timeline could not be rebuilt because of too many writes. Try again.");
}

std::vector<FeedError> Feeds::verify(UserNumber viewer) const {
  return feed::verify(*storage_.snapshot(), viewer, clock_);
}

}  // namespace chirp::feed
