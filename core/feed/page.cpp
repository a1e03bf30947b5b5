#include "core/feed/page.h"

namespace chirp::feed {

std::string_view name(Reason reason) {
  switch (reason) {
    case Reason::kFollow:
      return "follow";
    case Reason::kSelf:
      return "self";
    case Reason::kRepost:
      return "repost";
  }
  return {};
}

std::string_view name(Source source) {
  switch (source) {
    case Source::kPushed:
      return "pushed";
    case Source::kPulled:
      return "pulled";
    case Source::kPending:
      return "pending";
    case Source::kBackfilled:
      return "backfilled";
    case Source::kBelowCap:
      return "below_cap";
  }
  return {};
}

}  // namespace chirp::feed
