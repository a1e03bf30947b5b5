#include "core/load/post_loader.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/error.h"
#include "core/limits.h"
#include "core/load/post_check.h"

namespace chirp::load {
namespace {

constexpr std::size_t kMostNames = 8'192;
// Memory of a post besides its text.
constexpr std::size_t kPostBytes = sizeof(SourcePost);

std::vector<Medium> media_of(const SourcePost& post) {
  std::vector<Medium> media;
  for (const SourceMedium& medium : post.media) {
    const bool elsewhere = medium.upload == MediaId{};
    if (media.size() == limits::kPostMediaMax) break;
    if (elsewhere && medium.address.empty()) continue;
    media.push_back({medium.upload, elsewhere ? medium.address : std::string(), medium.alt_text});
  }
  return media;
}

}  // namespace

PostLoader::PostLoader(Storage& storage, UserDirectory& directory, const Clock& clock, Pause pause,
                       PostOptions options)
    : storage_(storage),
      clock_(clock),
      options_(std::move(options)),
      turns_(clock, std::move(pause)),
      people_(storage, directory, clock, turns_, tally_, options_.people),
      writer_(storage, clock, turns_, tally_, people_.words(),
              {.first_rows = options_.first_rows,
               .most_rows = options_.most_rows,
               .waiting_bytes = options_.waiting_bytes}),
      storing_([this](std::vector<PostRow> rows) { writer_.store(std::move(rows)); }) {
  check(options_.people.ids >= options_.most_rows && options_.people.names >= options_.most_rows,
        "the authors of a batch fit the table");
}

std::optional<std::string> PostLoader::add(SourcePost&& post) {
  if (auto problem = checked(post, Nesting::kItself)) return problem;
  std::string inner = std::exchange(post.original_problem, {});
  for (SourcePost& original : std::exchange(post.original, {})) {
    if (auto problem = checked(original, Nesting::kInside)) {
      inner = *std::move(problem);
    } else {
      take(std::move(original), Nesting::kInside);
    }
  }
  if (!inner.empty() && options_.original_refused) options_.original_refused(inner);
  take(std::move(post), Nesting::kItself);
  return std::nullopt;
}

std::optional<std::string> PostLoader::checked(SourcePost& post, Nesting came) {
  std::uint64_t removed = 0;
  auto problem = check_post(post, has_own_author(came) ? Author::kFromSource : Author::kGiven,
                            clock_.now(), removed);
  tally_.control_characters += removed;
  return problem;
}

void PostLoader::take(SourcePost&& post, Nesting came) {
  gathered_.bytes += kPostBytes + post.text.size() + post.bio.size();
  for (const SourceMedium& medium : post.media) {
    gathered_.bytes += sizeof medium + medium.address.size() + medium.alt_text.size();
  }
  gathered_.posts.push_back({std::move(post), came});
  if (gathered_.posts.size() >= options_.most_rows || gathered_.bytes >= options_.most_bytes) {
    close_batch();
  }
}

void PostLoader::say(SourceUser&& user) {
  gathered_.names.push_back(std::move(user));
  if (gathered_.names.size() >= kMostNames) close_batch();
}

void PostLoader::bring(const std::vector<SourceUser>& users) {
  close_batch();
  if (!people_.has_room(users.size())) people_.forget();
  for (const SourceUser& user : users) {
    (void)people_.slot_of(user.id);
    people_.say(user);
  }
  people_.resolve();
}

// The authors are made here, while the previous batch is stored in the background.
void PostLoader::close_batch() {
  if (gathered_.posts.empty() && gathered_.names.empty()) return;
  Batch batch = std::exchange(gathered_, {});
  for (const SourceUser& user : batch.names) people_.say(user);
  meet_authors(batch.posts);
  people_.resolve();
  std::vector<PostRow> rows;
  rows.reserve(batch.posts.size());
  for (Item& item : batch.posts) {
    const UserNumber author = author_of(item);
    SourcePost& post = item.post;
    const auto target = linked_post(post);
    rows.push_back({.source = post.id,
                    .author = author,
                    .created_at = post.created_at,
                    .text = std::move(post.text),
                    .link = post.repost_of ? Link::kRepost
                            : target       ? Link::kReply
                                           : Link::kNone,
                    .target = target.value_or(SourceId{}),
                    .came = item.came,
                    .id = {},
                    .privacy = post.privacy,
                    .media = media_of(post)});
  }
  if (!rows.empty()) hand_on(std::move(rows));
}

bool PostLoader::gathers_early() {
  if (options_.early != Bulk::kAuto) return options_.early == Bulk::kAlways;
  if (!gathers_early_) gathers_early_ = window_.empty() && storage_.early_pays();
  return gathers_early_;
}

void PostLoader::begin_early() {
  empty_early();
  storing_.drain();
  writer_.put_early(window_);
  std::swap(window_, early_);
}

void PostLoader::empty_early() {
  while (!early_.empty()) hand_on_from(early_);
}

void PostLoader::hand_on(std::vector<PostRow> rows) {
  const bool begins = options_.sorting == Bulk::kAlways && !sort_;
  if (!sort_ && !(begins && begin_sorting())) return gather(std::move(rows));
  for (const PostRow& row : rows) sort_->add(row);
}

void PostLoader::gather(std::vector<PostRow> rows) {
  const bool early = gathers_early();
  if (!early && window_.empty() && in_order(rows)) {
    storing_.push(std::move(rows));
    return;
  }
  const std::size_t before = window_.bytes();
  for (const PostRow& row : rows) {
    if (!window_.add(row) && row.came == Nesting::kItself) again_.emplace_back(row);
  }
  if (again_.size() >= kMostAgain) hand_on_again();
  if (!sort_ && options_.sorting == Bulk::kAuto) {
    for (const PostRow& row : rows) spread_.add(row.created_at);
    const std::size_t most = early ? options_.early_bytes : options_.window_bytes;
    if (is_spread(window_.bytes() - before, most / 2) && begin_sorting()) return;
  }
  if (early) {
    if (!early_.empty()) hand_on_from(early_);
    if (window_.bytes() > options_.early_bytes) begin_early();
  } else {
    while (window_.bytes() > options_.window_bytes) hand_on_from(window_);
  }
}

void PostLoader::hand_on_again() {
  storing_.drain();
  writer_.add_again(std::exchange(again_, {}));
}

// In batches, since many posts may come with those that name them.
void PostLoader::hand_on_from(PostWindow& window) {
  std::vector<PostRow> rows = window.take(options_.most_rows);
  while (rows.size() > options_.most_rows) {
    const auto rest = rows.begin() + static_cast<std::ptrdiff_t>(options_.most_rows);
    std::vector<PostRow> some(std::make_move_iterator(rows.begin()), std::make_move_iterator(rest));
    rows.erase(rows.begin(), rest);
    storing_.push(std::move(some));
  }
  storing_.push(std::move(rows));
}

// Whether no part of the rows of a transaction's size reaches further back than the middle of the
// part before: so the posts of a few seconds may come in any order.
bool PostLoader::in_order(std::span<const PostRow> rows) {
  std::vector<Time> times;
  while (!rows.empty()) {
    const auto some = rows.first(std::min(options_.first_rows, rows.size()));
    times.clear();
    for (const PostRow& row : some) times.push_back(row.created_at);
    if (std::ranges::min(times) < reached_) return false;
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::ranges::nth_element(times, middle);
    reached_ = *middle;
    rows = rows.subspan(some.size());
  }
  return true;
}

void PostLoader::empty_window() {
  // Few posts are stored as fast without it.
  constexpr std::size_t kPart = 4;
  const bool are_many = window_.bytes() > options_.early_bytes / kPart;
  if (gathers_early() && (are_many || options_.early == Bulk::kAlways)) begin_early();
  empty_early();
  while (!window_.empty()) hand_on_from(window_);
}

void PostLoader::meet_authors(std::span<const Item> items) {
  if (!people_.has_room(items.size())) people_.forget();
  for (const auto& [post, came] : items) {
    if (!has_own_author(came)) continue;
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

UserNumber PostLoader::author_of(const Item& item) {
  if (!has_own_author(item.came)) return *options_.author;
  const SourcePost& post = item.post;
  return post.author_id ? people_.number(people_.slot_of(*post.author_id))
                        : people_.number(post.username);
}

void PostLoader::finish() {
  close_batch();
  if (sort_) store_sorted();
  empty_window();
  hand_on_again();
  writer_.finish();
  end_sorting();
}

void PostLoader::abandon() {
  gathered_ = {};
  // If an error has ended it while it was storing, it also ends the rest.
  if (phase_ == PostPhase::kSorting && sort_->is_whole()) store_sorted();
  empty_window();
  hand_on_again();
  writer_.abandon();
  end_sorting();
}

}  // namespace chirp::load
