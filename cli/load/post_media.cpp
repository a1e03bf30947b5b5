#include "cli/load/post_media.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/model/names.h"
#include "core/social/media.h"

namespace chirp::cli {

std::string kept_alt_text(LoadSession& session, std::string_view where, std::string_view text) {
  try {
    return checked_alt_text(text);
  } catch (const Error& error) {
    session.remark("altTextsRefused", fmt::format("{}: {}", where, error.what()));
    return {};
  }
}

void keep_addresses(LoadSession& session, std::string_view where, load::SourcePost& post) {
  std::vector<load::SourceMedium> kept;
  for (load::SourceMedium& medium : std::exchange(post.media, {})) {
    if (medium.address.empty()) {
      session.remark("altTextsRefused",
                     fmt::format("{}: it says what a medium shows that it has not", where));
      continue;
    }
    if (kept.size() == limits::kPostMediaMax) {
      session.remark("mediaBeyondFour",
                     fmt::format("{}: it has more than {} media", where, limits::kPostMediaMax));
      continue;
    }
    try {
      (void)social::medium_at(medium.address);
    } catch (const Error& error) {
      session.remark("mediaRefused", fmt::format("{}: {}", where, error.what()));
      continue;
    }
    medium.alt_text = kept_alt_text(session, where, medium.alt_text);
    kept.push_back(std::move(medium));
  }
  post.media = std::move(kept);
}

}  // namespace chirp::cli
