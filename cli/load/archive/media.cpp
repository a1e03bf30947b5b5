#include "cli/load/archive/media.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "cli/load/post_media.h"
#include "core/error.h"
#include "core/limits.h"
#include "core/model/utf8.h"
#include "core/social/limit_exceeded.h"
#include "core/social/media.h"

namespace chirp::cli::archive {
namespace {

// Replaces a medium that the post can't have by its link, if the text has room: a text that becomes
// too long would lose the post.
void put_link(const load::SourceMedium& medium, std::string& text) {
  if (medium.link.empty() || text.find(medium.link) != std::string::npos) return;
  const std::string longer = text + (text.empty() ? "" : " ") + medium.link;
  if (utf8::length(longer) <= limits::kLoadedTextMax) text = longer;
}

bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

}  // namespace

std::size_t ArchiveMedia::cut(load::SourcePost& post) {
  if (post.media.size() <= limits::kPostMediaMax) return 0;
  const auto rest = post.media.begin() + limits::kPostMediaMax;
  for (auto at = rest; at != post.media.end(); ++at) put_link(*at, post.text);
  const auto count = static_cast<std::size_t>(post.media.end() - rest);
  post.media.erase(rest, post.media.end());
  return count;
}

void ArchiveMedia::want(const load::SourcePost& post) {
  for (const load::SourceMedium& medium : post.media) {
    if (medium.address.empty()) wanted_.insert(medium.file);
  }
}

MediaId ArchiveMedia::keep(Engine& engine, const User& account, const std::string& name,
                           const std::string& bytes, Use use) {
  try {
    social::Media& media = engine.media();
    const Upload upload =
        use == Use::kProfile ? media.put_picture(account, bytes) : media.put(account, bytes);
    const Time now = engine.clock().now();
    (void)engine.directory().media().touch(account.number, std::array{upload.id}, now);
    ++stored_;
    return upload.id;
  } catch (const social::LimitExceeded& error) {
    session_.remark("mediaBeyondMax", fmt::format("{} is not kept: {}", name, error.what()));
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInvalidArgument) throw;
    session_.remark("mediaRefused", fmt::format("{} is not taken: {}", name, error.what()));
  }
  return {};
}

void ArchiveMedia::load(const Tree& tree, Engine& engine, const User& account) {
  if (wanted_.empty()) return;
  tree.each([this](std::string_view path) { return wanted_.contains(std::string(path)); },
            [&](const std::string& path, input::ByteStream& stream) {
              const std::string bytes = beginning_of(stream, limits::kMediaBytesMax + 1);
              uploads_[path] = keep(engine, account, stream.name(), bytes, Use::kPost);
            });
}

MediaId ArchiveMedia::load_picture(const Tree& tree, Engine& engine, const User& account,
                                   const std::string& path) {
  const auto bytes = tree.text_of(path, limits::kMediaBytesMax + 1);
  return bytes ? keep(engine, account, path, *bytes, Use::kProfile) : MediaId{};
}

bool ArchiveMedia::settle(load::SourcePost& post) const {
  cut(post);
  std::vector<load::SourceMedium> kept;
  for (load::SourceMedium& medium : post.media) {
    const auto known = uploads_.find(medium.file);
    // An existing post already has its media, and is skipped.
    medium.upload = known == uploads_.end() ? MediaId{} : known->second;
    const std::string& where = medium.address.empty() ? medium.file : medium.address;
    if (known == uploads_.end() || known->second != MediaId{}) {
      medium.alt_text = kept_alt_text(session_, where, medium.alt_text);
      kept.push_back(std::move(medium));
    } else {
      put_link(medium, post.text);
    }
  }
  post.media = std::move(kept);
  return post.repost_of || !post.media.empty() || !is_blank(post.text);
}

}  // namespace chirp::cli::archive
