#include "core/social/media.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/media/file.h"

namespace chirp::social {
namespace {

constexpr std::uint32_t kSweptAtOnce = 256;

}  // namespace

Upload Media::put(const User& owner, std::string_view bytes) {
  const media::File file = media::checked(bytes);
  return directory_.media().put(owner.number, file.facts, file.bytes, clock_.now());
}

Upload Media::put_picture(const User& owner, std::string_view bytes) {
  const media::File file = media::checked(bytes);
  if (file.facts.type == MediaType::kMp4) {
    throw Error(ErrorCode::kInvalidArgument, "A profile takes a picture, not a video.", "media");
  }
  return directory_.media().put(owner.number, file.facts, file.bytes, clock_.now());
}

Media::Shown Media::show(MediaId id) const {
  auto upload = directory_.media().find(id);
  if (!upload) {
    throw Error(ErrorCode::kNotFound, fmt::format("There is no upload {}.", id.value));
  }
  std::string bytes = directory_.media().read(*upload);
  return {*std::move(upload), std::move(bytes)};
}

std::vector<Medium> Media::to_post(const User& author, std::span<const MediaId> uploads) {
  if (uploads.size() > limits::kPostMediaMax) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("A post takes at most {} media, not {}.", limits::kPostMediaMax,
                            uploads.size()),
                "media");
  }
  if (!directory_.media().touch(author.number, uploads, clock_.now())) {
    throw Error(ErrorCode::kNotFound, "One of the media is no upload of the author's.", "media");
  }
  std::vector<Medium> media;
  for (const MediaId upload : uploads) media.push_back({upload, {}});
  return media;
}

std::uint64_t Media::sweep() {
  const Time now = clock_.now();
  MediaStore& store = directory_.media();
  if (!store.begin_sweep(now, Time{now.ms - limits::kSweepEveryMs})) return 0;
  const Time before{now.ms - limits::kMediaIdleMs};
  std::uint64_t removed = 0;
  for (;;) {
    const std::vector<MediaId> idle = store.idle(before, kSweptAtOnce);
    if (idle.empty()) return removed;
    const auto named = storage_.snapshot()->media_named(idle);
    std::vector<MediaId> of_use;
    std::vector<MediaId> unnamed;
    for (std::size_t i = 0; i < idle.size(); ++i) (named[i] ? of_use : unnamed).push_back(idle[i]);
    removed += store.remove_idle(unnamed, before);
    store.touch(of_use, now);
    store.touch(unnamed, now);  // what is left of them is somebody's picture
  }
}

}  // namespace chirp::social
