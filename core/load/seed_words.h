// What the people of a made-up world are called and what they say.
#pragma once

#include <cstdint>
#include <string>

#include "core/load/seed_random.h"

namespace chirp::load {

// A username nobody else in the world has; at most 15 characters for up to 40,960,000 users.
[[nodiscard]] std::string seed_username(std::uint64_t seed, std::uint32_t user);
[[nodiscard]] std::string seed_display_name(std::uint64_t seed, std::uint32_t user);
// `topic`: what the user's community is about, any number.
[[nodiscard]] std::string seed_bio(std::uint64_t topic, SeedRandom& random);
// One or two sentences of at most 280 characters, often with a hashtag; `mentioned` is a username
// that may come up in it.
[[nodiscard]] std::string seed_text(std::uint64_t topic, const std::string& mentioned,
                                    SeedRandom& random);
// An answer to somebody who is called `answered`, who may be named in it.
[[nodiscard]] std::string seed_comment(const std::string& answered, SeedRandom& random);
// A hashtag, one for each of some numbers.
[[nodiscard]] std::string seed_tag(std::uint64_t n);

}  // namespace chirp::load
