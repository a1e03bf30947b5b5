#include "core/model/reaction.h"

#include <utility>

namespace chirp {
namespace {

constexpr std::array<std::pair<ReactionType, std::string_view>, kReactionTypes> kNames{{
    {ReactionType::kLike, "like"},
    {ReactionType::kLove, "love"},
    {ReactionType::kLaugh, "laugh"},
    {ReactionType::kAngry, "angry"},
    {ReactionType::kSad, "sad"},
}};

}  // namespace

std::string_view name(ReactionType type) {
  for (const auto& [known, text] : kNames) {
    if (known == type) return text;
  }
  return {};
}

std::optional<ReactionType> reaction_named(std::string_view name) {
  for (const auto& [type, text] : kNames) {
    if (text == name) return type;
  }
  return std::nullopt;
}

}  // namespace chirp
