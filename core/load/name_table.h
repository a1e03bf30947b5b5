// Names by source id, remembered for users who come later. Bounded: refuses names that no longer
// fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/load/source.h"

namespace chirp::load {

class NameTable {
 public:
  // Room for about so many bytes of names.
  explicit NameTable(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  // The first name of an id stays. Returns false if there is no more room.
  bool put(const SourceUser& user);
  [[nodiscard]] std::optional<SourceUser> find(SourceId id) const;
  void clear();

 private:
  // Each name is stored once, in one long text, since a separate string takes three times as much.
  static constexpr std::size_t kEntryBytes = 40;

  std::size_t bytes_max_;
  std::unordered_map<std::uint64_t, std::uint32_t> places_;
  std::string text_;
};

}  // namespace chirp::load
