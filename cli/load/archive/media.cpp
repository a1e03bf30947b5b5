#include "cli/load/archive/media.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "cli/load/post_media.h"
#include "core/error.h"
#include "core/limits.h"
#include "core/media/file.h"

namespace chirp::cli::archive {
namespace {

// What stands in the text for a medium that the post can't have.
void put_link(const load::SourceMedium& medium, std::string& text) {
  if (medium.link.empty() || text.find(medium.link) != std::string::npos) return;
  if (!text.empty()) text += ' ';
  text += medium.link;
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
  for (const load::SourceMedium& medium : post.media) wanted_.insert(medium.file);
}

MediaId ArchiveMedia::keep(Engine& engine, UserNumber account, const std::string& name,
                           const std::string& bytes, Use use) {
  try {
    if (bytes.size() > limits::kMediaBytesMax) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("it has more than {} bytes", limits::kMediaBytesMax));
    }
    const media::File file = media::checked(bytes);
    if (use == Use::kProfile && file.facts.type == MediaType::kMp4) {
      throw Error(ErrorCode::kInvalidArgument, "a profile takes a picture, not a video");
    }
    // However much there is: who loads an archive decides for its owner.
    Uploads& uploads = engine.directory().media();
    const Time now = engine.clock().now();
    const MediaId id = uploads.put(account, file.facts, file.bytes, now).id;
    (void)uploads.touch(account, std::array{id}, now);
    ++stored_;
    return id;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInvalidArgument) throw;
    session_.remark("mediaRefused", fmt::format("{} is not taken: {}", name, error.what()));
    return {};
  }
}

void ArchiveMedia::load(const Tree& tree, Engine& engine, UserNumber account) {
  if (wanted_.empty()) return;
  tree.each([this](std::string_view path) { return wanted_.contains(std::string(path)); },
            [&](const std::string& path, input::ByteStream& stream) {
              const std::string bytes = beginning_of(stream, limits::kMediaBytesMax + 1);
              uploads_[path] = keep(engine, account, stream.name(), bytes, Use::kPost);
            });
}

MediaId ArchiveMedia::load_picture(const Tree& tree, Engine& engine, UserNumber account,
                                   const std::string& path) {
  const auto bytes = tree.text_of(path, limits::kMediaBytesMax + 1);
  return bytes ? keep(engine, account, path, *bytes, Use::kProfile) : MediaId{};
}

bool ArchiveMedia::settle(load::SourcePost& post) const {
  cut(post);
  std::vector<load::SourceMedium> kept;
  for (load::SourceMedium& medium : post.media) {
    const auto known = uploads_.find(medium.file);
    // A post that is there already has its media, and is left out as it came before.
    medium.upload = known == uploads_.end() ? MediaId{} : known->second;
    if (known == uploads_.end() || known->second != MediaId{}) {
      medium.alt_text = kept_alt_text(session_, medium.file, medium.alt_text);
      kept.push_back(std::move(medium));
    } else {
      put_link(medium, post.text);
    }
  }
  post.media = std::move(kept);
  return post.repost_of || !post.media.empty() || !is_blank(post.text);
}

}  // namespace chirp::cli::archive
