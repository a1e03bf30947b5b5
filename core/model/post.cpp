#include "core/model/post.h"

namespace chirp {

std::string_view name(Privacy privacy) {
  switch (privacy) {
    case Privacy::kPublic:
      return "public";
    case Privacy::kFollowers:
      return "followers";
    case Privacy::kPrivate:
      return "private";
  }
  return {};
}

std::optional<Privacy> privacy_named(std::string_view text) {
  for (const Privacy privacy : {Privacy::kPublic, Privacy::kFollowers, Privacy::kPrivate}) {
    if (name(privacy) == text) return privacy;
  }
  return std::nullopt;
}

}  // namespace chirp
