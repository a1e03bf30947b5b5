#include "cli/load/post_row.h"

#include <string>

#include <fmt/format.h>

#include "cli/output.h"
#include "core/model/names.h"
#include "core/model/post.h"
#include "core/model/source_key.h"
#include "core/model/time.h"

namespace chirp::cli {
namespace {

constexpr std::size_t kShownText = 60;  // the part of a text that is shown

// Media with web addresses, and their descriptions.
std::string addresses_of(const load::SourcePost& post) {
  std::string shown;
  for (const load::SourceMedium& medium : post.media) {
    if (medium.address.empty()) continue;
    shown += fmt::format("{}{}", shown.empty() ? "" : " ", medium.address);
    if (!medium.alt_text.empty()) shown += fmt::format(" ({})", medium.alt_text);
  }
  return shown;
}

}  // namespace

PreviewRow row_of(const load::SourcePost& post, const load::Words& words) {
  const auto shown = [&](SourceId id) { return printable(text_of(words.key_of(id))); };
  PreviewRow row{{"id", shown(post.id)}};
  if (!post.username.empty()) row.emplace_back("author", printable(post.username));
  if (post.author_id) row.emplace_back("authorId", shown(*post.author_id));
  row.emplace_back("createdAt", iso8601(post.created_at));
  if (post.privacy != Privacy::kPublic) row.emplace_back("privacy", name(post.privacy));
  if (post.repost_of) row.emplace_back("repostOf", shown(*post.repost_of));
  if (post.reply_to) row.emplace_back("replyTo", shown(*post.reply_to));
  if (!post.text.empty()) row.emplace_back("text", printable(post.text, kShownText));
  const std::string media = addresses_of(post);
  if (!media.empty()) row.emplace_back("mediaUrls", printable(media, 2 * kShownText));
  return row;
}

}  // namespace chirp::cli
