#include "cli/input/post_rows.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/input/cells.h"
#include "cli/input/encoding.h"
#include "cli/input/nostr.h"
#include "cli/input/notations.h"
#include "cli/input/posts.h"
#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli::input {
namespace {

// Media by their addresses, separated by blanks. The description belongs to the first.
std::vector<load::SourceMedium> media_at(std::string_view addresses, std::string_view alt_text) {
  std::vector<load::SourceMedium> media;
  for (const std::string_view one : cells_of(addresses, ' ')) media.emplace_back().address = one;
  if (alt_text.empty()) return media;
  if (media.empty()) media.emplace_back();
  media.front().alt_text = alt_text;
  return media;
}

// Returns the treatment of a nostr event that is not a note. An event without a kind is a bad row,
// because it may be private.
std::optional<JsonObject> other_kind(std::string_view cell) {
  const auto kind = parse_source_id(trimmed(cell));
  if (!kind) return Unusable{fmt::format("the kind \"{}\" is not a number", printable(cell, 40))};
  return kind->value == 1 ? std::nullopt : std::optional<JsonObject>(left_out_kind(kind->value));
}

}  // namespace

std::optional<std::string> PostRows::read_link(const TableRow& row, Field field, SourceId self,
                                               std::optional<SourceId>& link) const {
  const std::string_view id = cell(row, field);
  if (says_nothing(id)) return std::nullopt;
  link = ids_.link(id);
  if (!link) {
    return fmt::format("the id \"{}\" of what it {} is {}", printable(id, 40),
                       field == Field::kRepostOf ? "repeats" : "answers", ids_.expected_post(id));
  }
  if (link == self) link.reset();  // a post can't answer or repeat itself
  return std::nullopt;
}

SourceId PostRows::id_made_of(const TableRow& row, Time when) {
  std::string_view author = layout_.owner;
  for (const std::string_view other :
       {cell(row, Field::kAuthorId), cell(row, Field::kUsername), file_author_}) {
    if (trimmed(author).empty()) author = other;
  }
  return made_up_.id(trimmed(author), when, cell(row, Field::kText));
}

// Returns the post's own id as its source names it elsewhere.
std::string PostRows::id_in(const TableRow& row) const {
  const std::string_view id = cell(row, Field::kId);
  if (columns_.service() != Platform::kReddit) return std::string(id);
  return reddit_id(trimmed(id), columns_.has(Field::kHeading));
}

PostText PostRows::text_in(const TableRow& row) const {
  const bool links_to_twitter = is_twitter_link(trimmed(cell(row, Field::kLink)));
  const Escapes escapes = escapes_ != Escapes::kByObject ? escapes_
                          : links_to_twitter             ? Escapes::kHtml
                                                         : escapes_of(columns_.service());
  const std::string_view text = cell(row, Field::kText);
  return plain_text(escapes, cell(row, Field::kHeading), trims_ ? trimmed(text) : text);
}

std::optional<std::string> PostRows::read_author(const TableRow& row, load::SourcePost& post) {
  post.username = without_at(cell(row, Field::kUsername));
  post.display_name = std::string(cell(row, Field::kDisplayName));
  const std::string_view author = trimmed(cell(row, Field::kAuthorId));
  if (author.empty()) return std::nullopt;
  rounded_.see(author);
  post.author_id = ids_.user(author);
  if (post.author_id) return std::nullopt;
  return fmt::format("the author id \"{}\" is {}", printable(author, 40),
                     ids_.expected_user(author));
}

std::optional<ProtectedUser> PostRows::protected_author(const TableRow& row) const {
  if (!columns_.is_author_protected(row.cells)) return std::nullopt;
  return ProtectedUser{ids_.user(trimmed(cell(row, Field::kAuthorId))),
                       without_at(cell(row, Field::kUsername))};
}

// Removes the other author's words from a repost. Misskey's posts with a text are quotes.
void PostRows::settle_repost(const TableRow& row, load::SourcePost& post) const {
  if (!post.repost_of) return;
  const std::string_view text = trimmed(cell(row, Field::kText));
  const bool same = !text.empty() && trimmed(cell(row, Field::kOriginalText)) == text;
  if (same || columns_.service() == Platform::kMastodon) {
    post.text.clear();
  } else if (columns_.service() == Platform::kMisskey && !trimmed(post.text).empty()) {
    post.repost_of.reset();
  }
}

JsonObject PostRows::read(TableRow& row) {
  const std::size_t width = layout_.columns.empty() ? columns_.width() : layout_.columns.size();
  if (auto problem = unnamed_cells(row, width)) return Unusable{*std::move(problem)};
  if (row.bad_line != 0 && !are_utf8(row, columns_)) {
    row.line = row.bad_line;
    return Unusable{row.bad_text};
  }
  if (columns_.service() == Platform::kNostr) {
    if (auto other = other_kind(cell(row, Field::kKind))) return *std::move(other);
  }
  const auto when = layout_.times.read(cell(row, Field::kCreatedAt));
  const std::string own = id_in(row);
  const auto id = columns_.has(Field::kId) ? ids_.post(own)
                  : when                   ? std::optional(id_made_of(row, *when))
                                           : std::optional(SourceId{});
  if (!id) {
    return Unusable{
        fmt::format("the id \"{}\" is {}", printable(own, 40), ids_.expected_post(own))};
  }
  if (!when) return Unusable{layout_.times.problem(cell(row, Field::kCreatedAt))};
  rounded_.see(cell(row, Field::kId));
  std::string problem;
  const auto privacy = privacy_of(columns_.audience(row.cells, problem));
  if (!problem.empty()) return Unusable{std::move(problem)};
  if (!privacy) return LeftOut{"directMessages"};
  if (is_deleted(columns_.service(), cell(row, Field::kUsername), cell(row, Field::kText))) {
    return LeftOut{"deletedPosts"};
  }
  load::SourcePost post;
  post.id = *id;
  post.created_at = *when;
  post.privacy = *privacy;
  if (auto wrong = read_author(row, post)) return Unusable{*std::move(wrong)};
  PostText text = text_in(row);
  if (!text.problem.empty()) return Unusable{std::move(text.problem)};
  post.text = std::move(text.text);
  post.media = media_at(cell(row, Field::kMediaUrls), trimmed(cell(row, Field::kAltTexts)));
  for (const auto& [field, link] :
       {std::pair(Field::kRepostOf, &post.repost_of), std::pair(Field::kReplyTo, &post.reply_to)}) {
    if (auto wrong = read_link(row, field, post.id, *link)) return Unusable{*std::move(wrong)};
  }
  settle_repost(row, post);
  return post;
}

bool are_utf8(const TableRow& row, const Columns& columns) {
  return std::ranges::none_of(
      std::array{Field::kText, Field::kUsername, Field::kDisplayName, Field::kBio,
                 Field::kAltTexts},
      [&](Field field) { return no_utf8(columns.cell(row.cells, field)).has_value(); });
}

std::optional<std::string> unnamed_cells(const TableRow& row, std::size_t width) {
  for (std::size_t i = width; width > 0 && i < row.cells.size(); ++i) {
    if (trimmed(row.cells[i]).empty()) continue;
    return fmt::format("the row has {} cells, and {} columns are named", row.cells.size(), width);
  }
  return std::nullopt;
}

std::string without_at(std::string_view name) {
  name = trimmed(name);
  if (name.starts_with('@')) name.remove_prefix(1);
  return std::string(name);
}

bool may_be_names(TextBuffer& buffer) {
  const std::string_view text = trimmed(buffer.unread());
  const std::string_view first = text.substr(0, text.find('\n'));
  const auto cells = cells_of(first, separator_in(first));
  const Columns columns = Columns::of_users(cells);
  return columns.has(Field::kAuthorId) && columns.has(Field::kUsername);
}

std::uint64_t read_names(TextBuffer& buffer, std::string_view name, BadLines& bad,
                         const std::function<void(load::SourceUser&&)>& sink, const IdCells& ids) {
  TableRows rows(buffer);
  const auto header = rows.next();
  if (!header) return 0;
  const Columns columns = Columns::of_users(header->cells);
  if (!columns.has(Field::kAuthorId) || !columns.has(Field::kUsername)) {
    throw Error(ErrorCode::kBadInput,
                fmt::format("{}:{}: the header of a table of names has to have id and name (or "
                            "screen_name, username, handle)",
                            name, header->line));
  }
  std::uint64_t count = 0;
  rows.read(name, bad, [&](TableRow& row) -> std::optional<std::string> {
    const auto cell = [&](Field field) { return columns.cell(row.cells, field); };
    if (auto problem = unnamed_cells(row, columns.width())) return problem;
    if (row.bad_line != 0 && !are_utf8(row, columns)) {
      row.line = row.bad_line;
      return row.bad_text;
    }
    const auto id = ids.any(cell(Field::kAuthorId));
    if (!id) {
      return fmt::format("the id \"{}\" is {}", printable(cell(Field::kAuthorId), 40),
                         ids.expected_user());
    }
    std::string problem;
    const Audience posts = columns.audience(row.cells, problem);
    if (!problem.empty()) return problem;
    ++count;
    sink({.id = *id,
          .username = without_at(cell(Field::kUsername)),
          .display_name = std::string(cell(Field::kDisplayName)),
          .bio = std::string(cell(Field::kBio)),
          .is_protected = posts != Audience::kPublic});
    return std::nullopt;
  });
  return count;
}

}  // namespace chirp::cli::input
