#include "core/social/media.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/model/names.h"
#include "core/ports/reads.h"
#include "core/settings.h"
#include "core/social/limit_exceeded.h"

namespace chirp::social {
namespace {

constexpr std::uint32_t kSweptAtOnce = 256;

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_hexadecimal(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// Whether all characters are allowed by RFC 3986, with complete escapes.
bool is_made_of_uri(std::string_view text) {
  constexpr std::string_view kOthers = "-._~:/?#[]@!$&'()*+,;=%";
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_alphanumeric(text[i]) && kOthers.find(text[i]) == std::string_view::npos) return false;
    if (text[i] != '%') continue;
    if (i + 2 >= text.size() || !is_hexadecimal(text[i + 1]) || !is_hexadecimal(text[i + 2])) {
      return false;
    }
  }
  return true;
}

// Whether the scheme is followed by a host.
bool is_web_address(std::string_view address) {
  const std::string folded_address = folded(address.substr(0, 8));
  const std::size_t scheme = folded_address.starts_with("https://")  ? 8
                             : folded_address.starts_with("http://") ? 7
                                                                     : 0;
  if (scheme == 0 || !is_made_of_uri(address)) return false;
  const std::string_view rest = address.substr(scheme);
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  const std::string_view host = authority.substr(authority.rfind('@') + 1);
  return !host.empty() && host.front() != ':';
}

}  // namespace

Medium medium_at(std::string_view address) {
  if (address.size() > limits::kAddressMax || !is_web_address(address)) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("\"{}\" is not the address of a file: it needs http:// or https://, a "
                            "host, and at most {} bytes.",
                            printable(address), limits::kAddressMax),
                "mediaUrls");
  }
  return {{}, std::string(address)};
}

KeptMedia Media::kept(const User& owner, const media::CleanFile& file) {
  const auto most = settings::media_max(storage_);
  KeptMedia kept = directory_.media().keep(owner.number, file.facts, file.bytes,
                                           most.value_or(std::numeric_limits<std::uint64_t>::max()),
                                           clock_.now());
  if (kept.result != KeptMedia::Result::kTooMuch) return kept;
  throw LimitExceeded(fmt::format("The files of {} would take more than the {} bytes that are "
                                  "allowed. Files without a post are removed after a day.",
                                  owner.username, *most),
                      "media.max");
}

KeptMedia Media::keep(const User& owner, std::string_view bytes) {
  return kept(owner, media::checked(bytes));
}

Upload Media::put_picture(const User& owner, std::string_view bytes) {
  const media::CleanFile file = media::checked(bytes);
  if (file.facts.type == MediaType::kMp4) {
    throw Error(ErrorCode::kInvalidArgument, "A profile takes a picture, not a video.", "media");
  }
  return kept(owner, file).upload;
}

std::optional<Upload> Media::shown(MediaId id) const {
  auto upload = directory_.media().find(id);
  if (!upload) return std::nullopt;
  const auto owner = directory_.find(upload->owner);
  if (!owner) return std::nullopt;
  const auto snapshot = storage_.snapshot();
  const auto card = snapshot->find(tables::Cards::Key{upload->owner});
  if (card && card->presence != Presence::kPresent) return std::nullopt;
  const bool is_new = upload->idle_since == upload->created_at;
  if (is_new || owner->picture == id || reads::media_named(*snapshot, {&id, 1}).front())
    return upload;
  return std::nullopt;
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
                fmt::format("A post takes at most {} files, not {}.", limits::kPostMediaMax,
                            uploads.size()),
                "media");
  }
  if (!directory_.media().touch(author.number, uploads, clock_.now())) {
    const auto is_theirs = [&](MediaId id) {
      const auto upload = directory_.media().find(id);
      return upload && upload->owner == author.number;
    };
    const auto at = std::find_if_not(uploads.begin(), uploads.end(), is_theirs) - uploads.begin();
    throw Error(ErrorCode::kNotFound, "One of the files was not uploaded by the author.",
                fmt::format("mediaIds[{}]", at));
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
    const auto named = reads::media_named(*storage_.snapshot(), idle);
    std::vector<MediaId> of_use;
    std::vector<MediaId> unnamed;
    for (std::size_t i = 0; i < idle.size(); ++i) (named[i] ? of_use : unnamed).push_back(idle[i]);
    removed += store.remove_idle(unnamed, before);
    store.touch(of_use, now);
    store.touch(unnamed, now);  // those left are profile pictures
  }
}

}  // namespace chirp::social
