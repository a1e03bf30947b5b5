#include "tests/fuzz/targets.h"

#include <array>

namespace chirp::fuzz {

std::span<const Target> targets() {
  static constexpr std::array<Target, 15> kTargets{{{"archives", archives},
                                                    {"config", config},
                                                    {"csv", csv},
                                                    {"cursors", cursors},
                                                    {"edges", edges},
                                                    {"entities", entities},
                                                    {"exports", exports},
                                                    {"html", html},
                                                    {"json", json},
                                                    {"media", media},
                                                    {"multipart", multipart},
                                                    {"pages", pages},
                                                    {"queries", queries},
                                                    {"records", records},
                                                    {"requests", requests}}};
  return kTargets;
}

}  // namespace chirp::fuzz
