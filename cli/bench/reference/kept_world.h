// The world of the reference load: a data directory, made once and kept.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "cli/bench/world.h"
#include "cli/context.h"
#include "store/data_directory.h"

namespace chirp::cli::bench {

class KeptWorld {
 public:
  // Opens or makes the world at `place`, or makes one in a temporary folder. Throws
  // Error{kInvalidArgument} for a folder with other contents, and for a world of another size.
  KeptWorld(Context& context, const std::optional<store::DataPlace>& place, const WorldSize& size);

  [[nodiscard]] store::DataDirectory& directory() { return *directory_; }

 private:
  void make(Context& context, const WorldSize& size);
  void plant(Context& context, const WorldSize& size);
  // Gives every user a timeline, as after some time of use.
  void build_timelines(Context& context);

  std::optional<TemporaryFolder> folder_;
  std::filesystem::path path_;
  std::unique_ptr<store::DataDirectory> directory_;
};

}  // namespace chirp::cli::bench
