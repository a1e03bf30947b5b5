#include "core/load/post_loader.h"

#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/model/names.h"

namespace chirp::load {
namespace {

constexpr std::size_t kMostNames = 8'192;
// What a post takes in memory besides its text.
constexpr std::size_t kPostBytes = sizeof(SourcePost);

std::optional<std::string> author_problem(const SourcePost& post) {
  if (post.author_id) return std::nullopt;
  if (post.username.empty()) return "no author";
  if (!is_username(post.username)) {
    return fmt::format(
        "\"{}\" can't be a username (1 to 15 of A-Z a-z 0-9 _), and there is no "
        "author id",
        printable(post.username));
  }
  return std::nullopt;
}

std::optional<std::string> time_problem(Time time, Time now) {
  if (time.ms < snowflake::kEpochMs) {
    return fmt::format("the time {} is before 2000", iso8601(time));
  }
  if (time > now) return fmt::format("the time {} is after now", iso8601(time));
  return std::nullopt;
}

}  // namespace

PostLoader::PostLoader(Storage& storage, UserDirectory& directory, const Clock& clock, Pause pause,
                       PostOptions options)
    : storage_(storage),
      clock_(clock),
      options_(options),
      turns_(clock, std::move(pause)),
      people_(storage, directory, clock, turns_, tally_, options.people),
      pace_(options.first_rows, options.first_rows, options.most_rows),
      rows_(options.first_rows),
      storing_([this](const std::vector<LoadedPost>& posts) { store(posts); }) {
  check(options_.people.ids >= options_.most_rows && options_.people.names >= options_.most_rows,
        "the authors of a batch fit the table");
}

std::optional<std::string> PostLoader::add(SourcePost&& post) {
  if (!options_.author) {
    if (auto problem = author_problem(post)) return problem;
  }
  if (auto problem = time_problem(post.created_at, clock_.now())) return problem;
  try {
    LoadedText checked = checked_loaded_text(post.text);
    post.text = std::move(checked.text);
    tally_.control_characters += checked.removed;
  } catch (const Error& error) {
    return error.what();
  }
  gathered_.bytes += kPostBytes + post.text.size() + post.bio.size();
  gathered_.posts.push_back(std::move(post));
  if (gathered_.posts.size() >= rows_ || gathered_.bytes >= options_.most_bytes) close_batch();
  return std::nullopt;
}

void PostLoader::say(SourceUser&& user) {
  gathered_.names.push_back(std::move(user));
  if (gathered_.names.size() >= kMostNames) close_batch();
}

// The authors are made here, while the batch before is stored in the background.
void PostLoader::close_batch() {
  if (gathered_.posts.empty() && gathered_.names.empty()) return;
  Batch batch = std::exchange(gathered_, {});
  for (const SourceUser& user : batch.names) people_.say(user);
  if (!options_.author) meet_authors(batch.posts);
  people_.resolve();
  std::vector<LoadedPost> posts;
  posts.reserve(batch.posts.size());
  for (SourcePost& post : batch.posts) {
    const UserNumber author = author_of(post);
    posts.push_back({.source = post.id,
                     .author = author,
                     .created_at = post.created_at,
                     .text = std::move(post.text)});
  }
  if (!posts.empty()) storing_.push(std::move(posts));
}

void PostLoader::meet_authors(std::span<const SourcePost> posts) {
  if (!people_.has_room(posts.size())) people_.forget();
  for (const SourcePost& post : posts) {
    if (!post.author_id) {
      people_.meet(post.username, post.display_name);
      continue;
    }
    const Slot slot = people_.slot_of(*post.author_id);
    if (post.username.empty() || people_.is_said(slot)) continue;
    people_.say({.id = *post.author_id,
                 .username = post.username,
                 .display_name = post.display_name,
                 .bio = post.bio});
    people_.note_said(slot);
  }
}

UserNumber PostLoader::author_of(const SourcePost& post) {
  if (options_.author) return *options_.author;
  return post.author_id ? people_.number(people_.slot_of(*post.author_id))
                        : people_.number(post.username);
}

void PostLoader::finish() {
  close_batch();
  storing_.drain();
}

void PostLoader::abandon() {
  gathered_ = {};
  storing_.drain();
}

void PostLoader::store(std::span<const LoadedPost> posts) {
  const LoadCounts counts =
      turns_.take(pace_, posts.size(), [&] { return storage_.load_posts(posts, clock_.now()); });
  rows_ = pace_.rows();
  tally_.stored += counts.stored;
  tally_.duplicates += counts.duplicates;
}

}  // namespace chirp::load
