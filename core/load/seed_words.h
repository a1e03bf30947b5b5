// Names and texts of a generated world.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/load/seed_random.h"

namespace chirp::load {

// A username that is unique in the world; at most 15 characters for up to 40,960,000 users.
[[nodiscard]] std::string seed_username(std::uint64_t seed, std::uint32_t user);
[[nodiscard]] std::string seed_display_name(std::uint64_t seed, std::uint32_t user);
// `topic`: the topic of the user's community, any number.
[[nodiscard]] std::string seed_bio(std::uint64_t topic, SeedRandom& random);
// One or two sentences of at most 280 characters, often with a hashtag; may contain the username
// `mentioned`.
[[nodiscard]] std::string seed_text(std::uint64_t topic, const std::string& mentioned,
                                    SeedRandom& random);
// The same, with hashtag number `tag`, any number, and about its subject.
[[nodiscard]] std::string seed_news(std::uint64_t tag, SeedRandom& random);
// A reply to a text, in one sentence, often about the text's topic. It may mention `answered`.
[[nodiscard]] std::string seed_comment(std::string_view text, const std::string& answered,
                                       SeedRandom& random);

}  // namespace chirp::load
