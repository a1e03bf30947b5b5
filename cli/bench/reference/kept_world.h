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
  // At `place`, where it is made unless it is there, or in a temporary folder. Throws
  // Error{kInvalidArgument} for a folder with anything else in it, and for a world of another size.
  KeptWorld(Context& context, const std::optional<store::DataPlace>& place, const WorldSize& size);

  [[nodiscard]] store::DataDirectory& directory() { return *directory_; }

 private:
  void make(Context& context, const WorldSize& size);
  void plant(Context& context, const WorldSize& size);
  // A timeline for everybody, as after a while of use.
  void build_timelines(Context& context);

  std::optional<TemporaryFolder> folder_;
  std::filesystem::path path_;
  std::unique_ptr<store::DataDirectory> directory_;
};

}  // namespace chirp::cli::bench
