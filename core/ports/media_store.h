// The files that people upload, and what is known of each.
//
// A file's bytes are stored once, whoever owns it; a row says of each owner and file what it is.
// Bytes are durable before a row names them, and go after the last row that does. Safe to call from
// any thread; other processes take turns.
//
// An example, a picture that is about to be shown:
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
  bool mendable = false;  // by repair(): bytes that nothing names
};

// What came of a file that was to be kept.
struct KeptMedia {
  enum class Result : std::uint8_t { kNew, kThereBefore, kTooMuch };
  Result result = Result::kNew;
  Upload upload;  // of kTooMuch without meaning
};

// The bytes of an upload, which stay there to be read however long this lives. Safe to call from
// any thread.
class MediaFile {
 public:
  virtual ~MediaFile() = default;
  // Fills all of `into` from there on. Throws Error{kCorrupt} if they are not what was uploaded,
  // or are not so many.
  virtual void read(std::uint64_t offset, std::span<char> into) const = 0;
};

// For people: their own files, and those they see.
class Uploads {
 public:
  virtual ~Uploads() = default;

  // Keeps a file, or finds it among its owner's; idle since `now` either way. Not if the files of
  // the owner would be more than `most` bytes. Throws Error{kNotFound} if there is no such user, or
  // one who is being removed.
  virtual KeptMedia keep(UserNumber owner, const MediaFacts& facts, std::string_view bytes,
                         std::uint64_t most, Time now) = 0;
  // However much there is.
  Upload put(UserNumber owner, const MediaFacts& facts, std::string_view bytes, Time now) {
    return keep(owner, facts, bytes, std::numeric_limits<std::uint64_t>::max(), now).upload;
  }

  // Not one whose removal has begun.
  [[nodiscard]] virtual std::optional<Upload> find(MediaId id) const = 0;
  // To be read in pieces. Throws Error{kCorrupt} if the bytes are not what was uploaded.
  [[nodiscard]] virtual std::shared_ptr<const MediaFile> open(const Upload& upload) const = 0;
  // All of it at once. Throws the same.
  [[nodiscard]] std::string read(const Upload& upload) const {
    std::string bytes(upload.bytes, '\0');
    open(upload)->read(0, bytes);
    return bytes;
  }

  // Says before they are named, and before they cease to be, that they are of use at `now`, which
  // makes `idle_since` later than `created_at`: they are not new any more. With an owner: false,
  // and nothing changed, unless all are the owner's and there to stay. Without: whatever is there
  // of them.
  virtual bool touch_all(std::optional<UserNumber> owner, std::span<const MediaId> uploads,
                         Time now) = 0;
  bool touch(UserNumber owner, std::span<const MediaId> uploads, Time now) {
    return touch_all(owner, uploads, now);
  }
  void touch(std::span<const MediaId> uploads, Time now) { touch_all(std::nullopt, uploads, now); }
};

class MediaStore : public Uploads {
 public:
  // By id, from above `after`, those whose removal has begun among them.
  [[nodiscard]] virtual std::vector<Upload> scan(MediaId after, std::uint32_t limit) const = 0;
  // With the ids they had, after the bytes: of an export. Throws Error{kAlreadyExists}.
  virtual void restore(const Upload& upload, std::string_view bytes) = 0;

  // Idle since before `before`, longest first.
  [[nodiscard]] virtual std::vector<MediaId> idle(Time before, std::uint32_t limit) const = 0;
  // Removes those that are still idle since before `before` and nobody's picture. The number.
  virtual std::uint64_t remove_idle(std::span<const MediaId> uploads, Time before) = 0;
  // Removes everything of an owner.
  virtual void remove_of(UserNumber owner) = 0;
  // True if the last sweep began before `since` and the clock stands; noted (LastSweep).
  virtual bool begin_sweep(Time now, Time since) = 0;

  // Every row has its bytes, every byte a row, every picture is an upload of whose it is.
  [[nodiscard]] virtual std::vector<MediaProblem> problems() const = 0;
  // Removes bytes that nothing names, and whatever else was left half-way.
  virtual void repair() = 0;
};

}  // namespace chirp
