#include "tests/fuzz/targets.h"

#include <array>

namespace chirp::fuzz {

std::span<const Target> targets() {
  static constexpr std::array<Target, 12> kTargets{{{"archives", archives},
                                                    {"csv", csv},
                                                    {"cursors", cursors},
                                                    {"edges", edges},
                                                    {"entities", entities},
                                                    {"html", html},
                                                    {"json", json},
                                                    {"media", media},
                                                    {"multipart", multipart},
                                                    {"pages", pages},
                                                    {"records", records},
                                                    {"requests", requests}}};
  return kTargets;
}

}  // namespace chirp::fuzz
