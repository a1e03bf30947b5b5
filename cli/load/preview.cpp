#include "cli/load/preview.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/table.h"
#include "core/model/names.h"
#include "core/model/post.h"
#include "core/model/source_key.h"
#include "core/model/time.h"

namespace chirp::cli {
namespace {

constexpr std::size_t kRows = 3;

std::string in_words(const PreviewRow& row) {
  std::string words;
  for (const auto& [name, value] : row) {
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", name, value);
  }
  return words;
}

}  // namespace

void Preview::begin(std::string name, std::string_view encoding) {
  close();
  name_ = std::move(name);
  encoding_ = encoding;
}

void Preview::understood(input::Understood&& what) {
  close();
  open_ = Way{.name = name_, .encoding = encoding_, .what = std::move(what), .rows = {}};
}

bool Preview::wants_row() const { return open_ && open_->rows.size() < kRows; }

void Preview::row(PreviewRow&& row) { open_->rows.push_back(std::move(row)); }

void Preview::close() {
  if (!open_) return;
  const auto known = std::ranges::find_if(ways_, [this](const Way& way) {
    return way.encoding == open_->encoding && way.what == open_->what;
  });
  if (known != ways_.end()) {
    ++known->texts;
  } else if (ways_.size() < kWays) {
    ways_.push_back(*std::move(open_));
  } else {
    ++others_;
  }
  open_.reset();
}

void Preview::print(Output& out) {
  close();
  std::vector<std::pair<std::string, std::string>> facts;
  for (const Way& way : ways_) {
    const std::string more =
        way.texts == 1 ? "" : fmt::format(" and {}", counted(way.texts - 1, "other", "others"));
    facts.emplace_back("input", way.name + more);
    facts.emplace_back("format", way.what.format);
    facts.emplace_back("encoding", way.encoding);
    if (!way.what.separator.empty()) facts.emplace_back("separator", way.what.separator);
    if (!way.what.columns.empty()) {
      facts.emplace_back("columns", fmt::format("{}", fmt::join(way.what.columns, ",")));
    }
    if (!way.what.choice.empty()) facts.emplace_back("chosen", way.what.choice);
    for (const PreviewRow& row : way.rows) facts.emplace_back("row", in_words(row));
  }
  if (others_ > 0) facts.emplace_back("input", counted(others_, "other", "others"));
  print_facts(out, facts);
}

void Preview::write(api::JsonWriter& json) {
  close();
  json.key("inputs").begin_array();
  for (const Way& way : ways_) {
    json.begin_object().field("name", way.name).field("texts", way.texts);
    json.field("format", way.what.format).field("encoding", way.encoding);
    if (!way.what.separator.empty()) json.field("separator", way.what.separator);
    if (!way.what.columns.empty()) {
      json.key("columns").begin_array();
      for (const std::string& column : way.what.columns) json.string(column);
      json.end_array();
    }
    if (!way.what.choice.empty()) json.field("chosen", way.what.choice);
    json.key("rows").begin_array();
    for (const PreviewRow& row : way.rows) {
      json.begin_object();
      for (const auto& [name, value] : row) json.field(name, value);
      json.end_object();
    }
    json.end_array().end_object();
  }
  json.end_array();
  if (others_ > 0) json.field("otherInputs", others_);
}

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
