// Uploaded files and their metadata.
//
// A file's bytes are stored once, even if several users own it; a row holds the metadata for each
// owner and file. Bytes are durable before a row refers to them, and are deleted after the last row
// that does. Safe to call from any thread; other processes take turns.
//
// Example, showing a picture:
//
//   if (const auto upload = uploads.find(id)) send(uploads.open(*upload));
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/upload.h"

namespace chirp {

struct MediaProblem {
  std::string what;
  bool mendable = false;  // repair() can fix it: unreferenced bytes
};

// The result of storing a file.
struct KeptMedia {
  enum class Result : std::uint8_t { kNew, kThereBefore, kTooMuch };
  Result result = Result::kNew;
  Upload upload;  // undefined for kTooMuch
};

// The bytes of an upload. They stay readable as long as this object lives. Safe to call from any
// thread.
class MediaFile {
 public:
  virtual ~MediaFile() = default;
  // Fills all of `into`, from `offset` on. Throws Error{kCorrupt} if the bytes are damaged or too
  // few.
  virtual void read(std::uint64_t offset, std::span<char> into) const = 0;
};

// The calls for users: their own files, and those they see.
class Uploads {
 public:
  virtual ~Uploads() = default;

  // Stores a file, or finds it among its owner's; idle since `now` in both cases. Refuses it if the
  // owner's files would exceed `most` bytes. Throws Error{kNotFound} if the user does not exist or
  // is being removed.
  virtual KeptMedia keep(UserNumber owner, const MediaFacts& facts, std::string_view bytes,
                         std::uint64_t most, Time now) = 0;
  // Without a limit.
  Upload put(UserNumber owner, const MediaFacts& facts, std::string_view bytes, Time now) {
    return keep(owner, facts, bytes, std::numeric_limits<std::uint64_t>::max(), now).upload;
  }

  // Not for an upload whose removal has begun.
  [[nodiscard]] virtual std::optional<Upload> find(MediaId id) const = 0;
  // For reading in pieces. Throws Error{kCorrupt} if the bytes are damaged.
  [[nodiscard]] virtual std::shared_ptr<const MediaFile> open(const Upload& upload) const = 0;
  // Reads all bytes at once. Throws the same.
  [[nodiscard]] std::string read(const Upload& upload) const {
    std::string bytes(upload.bytes, '\0');
    open(upload)->read(0, bytes);
    return bytes;
  }

  // Marks uploads as used at `now`, before something refers to them or stops doing so. This makes
  // `idle_since` later than `created_at`, so they are no longer new. With an owner: returns false
  // and changes nothing unless all exist, belong to the owner and are not being removed. Without:
  // touches those that exist.
  virtual bool touch_all(std::optional<UserNumber> owner, std::span<const MediaId> uploads,
                         Time now) = 0;
  bool touch(UserNumber owner, std::span<const MediaId> uploads, Time now) {
    return touch_all(owner, uploads, now);
  }
  void touch(std::span<const MediaId> uploads, Time now) { touch_all(std::nullopt, uploads, now); }
};

class MediaStore : public Uploads {
 public:
  // By id, above `after`, including those whose removal has begun.
  [[nodiscard]] virtual std::vector<Upload> scan(MediaId after, std::uint32_t limit) const = 0;
  // Restores an upload of an export with its id. Throws Error{kAlreadyExists}.
  virtual void restore(const Upload& upload, std::string_view bytes) = 0;

  // Uploads idle since before `before`, the longest idle first.
  [[nodiscard]] virtual std::vector<MediaId> idle(Time before, std::uint32_t limit) const = 0;
  // Removes uploads that are still idle and not a profile picture. Returns how many.
  virtual std::uint64_t remove_idle(std::span<const MediaId> uploads, Time before) = 0;
  // Removes all files of an owner.
  virtual void remove_of(UserNumber owner) = 0;
  // Whether to sweep: see LastSweep::begin(), whose state is stored.
  virtual bool begin_sweep(Time now, Time since) = 0;

  // Checks that rows and bytes match, and that each profile picture is an upload of its user.
  [[nodiscard]] virtual std::vector<MediaProblem> problems() const = 0;
  // Removes unreferenced bytes, and leftovers of interrupted changes.
  virtual void repair() = 0;
};

}  // namespace chirp
