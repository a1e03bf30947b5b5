#include "cli/load/import_media.h"

#include <charconv>

#include <fmt/format.h>

#include "cli/output.h"
#include "cli/social/media_file.h"
#include "core/error.h"
#include "core/load/source.h"
#include "core/media/file.h"
#include "core/model/names.h"
#include "core/social/media.h"
#include "store/secrets.h"

namespace chirp::cli {
MediaId ImportMedia::upload_at(const std::string& address) {
  MediaId id;
  const std::size_t digits = address.rfind('/') + 1;  // 0 without one
  const char* const end = address.data() + address.size();
  const auto [stop, error] = std::from_chars(address.data() + digits, end, id.value);
  if (error != std::errc{} || stop != end || id.value > load::kSourceIdMax) return {};
  return address == address_of(id) ? id : MediaId{};
}

Medium ImportMedia::medium(const std::string& address, UserNumber owner, Time created_at) {
  const MediaId id = upload_at(address);
  if (id == MediaId{}) {
    return social::medium_at(address);
  }
  put_back(id, owner, created_at);
  return {id, {}};
}

void ImportMedia::describe(std::span<Medium> media, const Row& row) {
  const std::vector<std::string> texts = row.texts("altTexts");
  if (texts.size() > media.size()) throw BadRow{"\"altTexts\" has more than \"mediaUrls\""};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    try {
      if (checked_alt_text(texts[i]) != texts[i]) throw BadRow{"\"altTexts\" is not normalised"};
    } catch (const Error& error) {
      throw BadRow{fmt::format("\"altTexts\": {}", error.what())};
    }
    media[i].alt_text = texts[i];
  }
}

User ImportMedia::set_picture(UserNumber owner, MediaId picture, Time created_at) {
  put_back(picture, owner, created_at);
  UserEdit edit;
  edit.picture = picture;
  return engine_.directory().edit(owner, edit);
}

void ImportMedia::put_back(MediaId id, UserNumber owner, Time created_at) {
  MediaStore& store = engine_.directory().media();
  if (const auto there = store.find(id)) {
    if (there->owner == owner) return;
    throw Error(ErrorCode::kBadInput,
                fmt::format("{} is an upload of somebody else.", address_of(id)));
  }
  const std::string path = (folder_ / std::to_string(id.value)).string();
  const std::string bytes = read_media_file(path);
  media::CleanFile file;
  try {
    file = media::checked(bytes);
  } catch (const Error& error) {
    throw Error(ErrorCode::kBadInput, fmt::format("{}: {}", safe(path), error.what()));
  }
  // Another version may have kept more of the picture's metadata than this one does.
  const Upload upload{id,
                      owner,
                      store::sha256(file.bytes),
                      file.facts,
                      file.bytes.size(),
                      created_at,
                      engine_.clock().now()};
  store.restore(upload, file.bytes);
  bytes_ += file.bytes.size();
}

}  // namespace chirp::cli
