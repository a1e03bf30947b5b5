// Uploading files, naming them in posts and profiles, and removing what nothing names.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/upload.h"
#include "core/model/user.h"
#include "core/ports/clock.h"
#include "core/ports/storage.h"
#include "core/ports/user_directory.h"

namespace chirp::social {

class Media {
 public:
  Media(Storage& storage, UserDirectory& directory, const Clock& clock)
      : storage_(storage), directory_(directory), clock_(clock) {}

  // Keeps a file, without what tells where it was made. Durable when it returns. Throws
  // Error{kInvalidArgument} with field `media` for what is not taken (core/media/file.h).
  Upload put(const User& owner, std::string_view bytes);
  // The same for a profile: a picture, not a video.
  Upload put_picture(const User& owner, std::string_view bytes);
  // With its bytes. Throws Error{kNotFound}.
  struct Shown {
    Upload upload;
    std::string bytes;
  };
  [[nodiscard]] Shown show(MediaId id) const;

  // Uploads of theirs as media of a post, which holds for limits::kMediaIdleMs. Throws
  // Error{kInvalidArgument} for more than a post may have, {kNotFound} for what is not theirs.
  [[nodiscard]] std::vector<Medium> to_post(const User& author, std::span<const MediaId> uploads);

  // Removes uploads that no post and no profile has named for limits::kMediaIdleMs; at most once in
  // limits::kSweepEveryMs, whoever asks. The number removed.
  std::uint64_t sweep();

 private:
  Storage& storage_;
  UserDirectory& directory_;
  const Clock& clock_;
};

}  // namespace chirp::social
