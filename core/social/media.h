// Uploading files, naming them in posts and profiles, and removing what nothing names.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/media/file.h"
#include "core/model/upload.h"
#include "core/model/user.h"
#include "core/ports/clock.h"
#include "core/ports/media_store.h"
#include "core/ports/storage.h"
#include "core/ports/user_directory.h"

namespace chirp::social {

// What lies elsewhere, as a medium of a post: an address with http or https, passed on as it is and
// never fetched. Throws Error{kInvalidArgument} with field `mediaUrls` for what is no such address,
// or longer than limits::kAddressMax.
[[nodiscard]] Medium medium_at(std::string_view address);

class Media {
 public:
  Media(Storage& storage, UserDirectory& directory, const Clock& clock)
      : storage_(storage), directory_(directory), clock_(clock) {}

  // Keeps a file, without what tells where it was made. Durable when it returns. Throws
  // Error{kInvalidArgument} with field `media` for what is not taken (core/media/file.h),
  // LimitExceeded for more than the setting media.max allows.
  KeptMedia keep(const User& owner, std::string_view bytes);
  Upload put(const User& owner, std::string_view bytes) { return keep(owner, bytes).upload; }
  // The same for a profile: a picture, not a video.
  Upload put_picture(const User& owner, std::string_view bytes);
  // What there is to be shown under an id to whoever knows it: something that a post or a profile
  // names, or that has not been named yet since it was uploaded. Empty from the removal of its last
  // post on, though the file stays for a while, since others may keep the address.
  [[nodiscard]] std::optional<Upload> shown(MediaId id) const;
  // With its bytes. Throws Error{kNotFound}.
  struct Shown {
    Upload upload;
    std::string bytes;
  };
  [[nodiscard]] Shown show(MediaId id) const;

  // Uploads of theirs as media of a post, which holds for limits::kMediaIdleMs. Throws
  // Error{kInvalidArgument} with field `media` for more than a post may have, {kNotFound} with
  // field `mediaIds[…]` for what is not theirs.
  [[nodiscard]] std::vector<Medium> to_post(const User& author, std::span<const MediaId> uploads);

  // Removes uploads that no post and no profile has named for limits::kMediaIdleMs; at most once in
  // limits::kSweepEveryMs, whoever asks. The number removed.
  std::uint64_t sweep();

 private:
  KeptMedia kept(const User& owner, const media::File& file);

  Storage& storage_;
  UserDirectory& directory_;
  const Clock& clock_;
};

}  // namespace chirp::social
