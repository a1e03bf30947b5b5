// Uploading files, using them in posts and profiles, and removing unused ones.
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

// An external address as a medium of a post: http or https, passed on unchanged and never fetched.
// Throws Error{kInvalidArgument} with field `mediaUrls` for another address, or one longer than
// limits::kAddressMax.
[[nodiscard]] Medium medium_at(std::string_view address);

class Media {
 public:
  Media(Storage& storage, UserDirectory& directory, const Clock& clock)
      : storage_(storage), directory_(directory), clock_(clock) {}

  // Stores a file without metadata about its origin. Durable when it returns. Throws
  // Error{kInvalidArgument} with field `media` for a file that is not accepted (core/media/file.h),
  // LimitExceeded if it would exceed the setting media.max.
  KeptMedia keep(const User& owner, std::string_view bytes);
  Upload put(const User& owner, std::string_view bytes) { return keep(owner, bytes).upload; }
  // The same for a profile: only pictures, no videos.
  Upload put_picture(const User& owner, std::string_view bytes);
  // The upload that anyone who knows the id may see: used by a post or a profile, or not used yet
  // since it was uploaded. Empty after its last post is removed, although the file stays for a
  // while because other texts may have its address.
  [[nodiscard]] std::optional<Upload> shown(MediaId id) const;
  // The upload with its bytes. Throws Error{kNotFound}.
  struct Shown {
    Upload upload;
    std::string bytes;
  };
  [[nodiscard]] Shown show(MediaId id) const;

  // The author's uploads as media of a post, reserved for limits::kMediaIdleMs. Throws
  // Error{kInvalidArgument} with field `media` for more than a post may have, {kNotFound} with
  // field `mediaIds[…]` for an upload that is not theirs.
  [[nodiscard]] std::vector<Medium> to_post(const User& author, std::span<const MediaId> uploads);

  // Removes uploads that no post and no profile has used for limits::kMediaIdleMs; at most once in
  // limits::kSweepEveryMs over all processes. Returns the number removed.
  std::uint64_t sweep();

 private:
  KeptMedia kept(const User& owner, const media::CleanFile& file);

  Storage& storage_;
  UserDirectory& directory_;
  const Clock& clock_;
};

}  // namespace chirp::social
