#include "tests/support/hot_readers.h"

#include <fmt/format.h>

#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "server/json/render.h"

namespace chirp::test {
namespace {

constexpr std::uint32_t kNoLimit = ~std::uint32_t{0};

ContentCounters counted(const Snapshot& snapshot, PostId post) {
  ContentCounters counters;
  for (const Reaction& reaction :
       reads::reactions(snapshot, content_of(post), kNobody, std::nullopt, kNoLimit)) {
    ++counters.reactions[index_of(reaction.type)];
  }
  counters.reposts =
      static_cast<std::int64_t>(reads::reposts(snapshot, post, kNobody, kNoLimit).size());
  const auto count = [&]<class Thread>() {
    const typename Thread::Key first{post, kNoComment, kNoComment};
    const typename Thread::Key last{post, reads::Greatest{}, reads::Greatest{}};
    for (const auto& [key, nothing] : snapshot.range(first, last, Direction::kUp, kNoLimit)) {
      const auto comment = snapshot.find(tables::Comments::Key{key.comment});
      if (comment && comment->state == CommentState::kThere) ++counters.comments;
    }
  };
  count.operator()<tables::Threads>();
  count.operator()<tables::HiddenThreads>();
  return counters;
}

std::string as_json(const feed::Page& page) {
  api::JsonWriter json;
  api::write_feed(json, page, feed::Explain::kNo);
  return std::string(json.text());
}

feed::PageRequest asking(UserNumber viewer, std::uint32_t limit) {
  feed::PageRequest request;
  request.viewer = viewer;
  request.limit = limit;
  return request;
}

}  // namespace

void compare_stats(const feed::Page& page, UserNumber viewer, const Snapshot& snapshot) {
  for (const feed::FeedItem& item : page.items) {
    const auto fail = [&](std::string_view what) {
      throw Mismatch(
          fmt::format("viewer {}, post {}: {}", viewer.value, item.post->id.value, what));
    };
    const auto post = snapshot.find(tables::Posts::Key{item.post->id});
    if (!post || *post != *item.post) fail("another post");
    const auto card = snapshot.find(tables::Cards::Key{item.post->author});
    if (!card || *card != *item.author) fail("another card");
    for (const feed::Reposter& by : item.reposted_by) {
      const auto reposter = snapshot.find(tables::Cards::Key{by.user->number});
      if (!reposter || *reposter != *by.user) fail("another card of a reposter");
    }
    if (item.stats.counters != counted(snapshot, item.post->id)) fail("miscounted");
    const auto own = snapshot.find(tables::Reactions::Key{content_of(item.post->id), viewer});
    const auto type = own ? std::optional(own->type) : std::nullopt;
    if (item.stats.reaction != type) fail("another reaction of the viewer's");
    const auto repost = snapshot.find(tables::RepostsOf::Key{item.post->id, viewer});
    if (item.stats.reposted != repost.has_value()) fail("another repost of the viewer's");
  }
}

HotReaders::HotReaders(Simulation& simulation, std::size_t bytes) : simulation_(simulation) {
  for (int i = 0; i < 2; ++i) {
    sets_.push_back(
        std::make_unique<hot::HotSet>(simulation.storage(), simulation.clock(), bytes, &printer_));
  }
}

void HotReaders::stir(const Action& action) {
  Storage& storage = simulation_.storage();
  const World& world = simulation_.world();
  if (world.posts.empty()) return;
  const Time now = simulation_.clock().now();
  const UserNumber user = simulation_.user(action.b);
  const auto pick = static_cast<std::ptrdiff_t>(action.k % world.posts.size());
  const PostId post = std::prev(world.posts.end(), 1 + pick)->first;
  std::vector<Change> changes;
  switch (action.x / 16 % 8) {
    case 0:
    case 1:
      changes.emplace_back(React{user, post, static_cast<ReactionType>(1 + action.x % 5)});
      break;
    case 2:
      changes.emplace_back(Unreact{user, post});
      break;
    case 3:
      changes.emplace_back(AddComment{user, post, "comment"});
      break;
    case 4: {
      // What a reader says of a new post, before that reader has been shown it here.
      simulation_.write({Publish{user, "new"}});
      const PostId newest = world.posts.rbegin()->first;
      changes.emplace_back(React{simulation_.user(action.a), newest, ReactionType::kLove});
      break;
    }
    case 5: {
      auto card = storage.snapshot()->find(tables::Cards::Key{user});
      if (!card) return;
      card->display_name = fmt::format("name {}", action.x);
      changes.emplace_back(PutCard{*card});
      break;
    }
    case 6: {
      const auto snapshot = storage.snapshot();
      const PostId subject =
          world.posts.at(post).original == kBelowAllPosts ? post : world.posts.at(post).original;
      rules::repair_content_counters(storage, content_of(subject), counted(*snapshot, subject),
                                     now);
      return;
    }
    default:
      return;
  }
  (void)storage.write(changes, now);
}

void HotReaders::compare(hot::HotSet& set, const feed::PageRequest& request) {
  const World& world = simulation_.world();
  const auto feed = naive_feed(world, request.viewer);
  if (const auto held = set.held_page(request)) compare_page(*held, request, world, feed);
  const feed::Page page = set.page(request);
  compare_page(page, request, world, feed);
  const auto snapshot = simulation_.storage().snapshot();
  compare_stats(page, request.viewer, *snapshot);
  // And on the wire.
  const auto read = feed::hydrated_page(*snapshot, request, simulation_.clock());
  if (as_json(page) != as_json(read)) throw Mismatch("other bytes than without a hot set");
  // And the comparison that a server makes while it runs finds nothing.
  if (const auto wrong = feed::wrong_in(*snapshot, request, page)) {
    throw Mismatch(fmt::format("viewer {}, post {}: said to be {}", request.viewer.value,
                               wrong->post.value, wrong->problem));
  }
}

PostId HotReaders::some_cursor(std::mt19937_64& random) const {
  const auto& posts = simulation_.world().posts;
  if (posts.empty()) return kBelowAllPosts;
  const auto pick = static_cast<std::ptrdiff_t>(random() % posts.size());
  return PostId{std::next(posts.begin(), pick)->first.value + random() % 3 - 1};
}

// Down from the top for some pages, and up again from the first cursor or from anywhere.
void HotReaders::scroll(hot::HotSet& set, UserNumber viewer, std::mt19937_64& random) {
  feed::PageRequest request = asking(viewer, 1 + static_cast<std::uint32_t>(random() % 5));
  if (random() % 4 == 0) request.as_if = static_cast<feed::Policy>(random() % 4);
  std::optional<PostId> top;
  for (std::uint64_t pages = random() % 5; pages > 0; --pages) {
    const feed::Page page = set.page(request);
    compare(set, request);
    top = page.prev_cursor;
    if (!page.has_more) break;
    request.before = page.next_cursor;
  }
  if (!top || random() % 2 == 0) return;
  request.before.reset();
  request.after = PostId{top->value - random() % 2};
  if (random() % 2 == 0) request.after = some_cursor(random);
  compare(set, request);
}

void HotReaders::compare_held(hot::HotSet& set, UserNumber viewer) {
  const Simulation::Held* const held = simulation_.held();
  if (held == nullptr) return;
  const feed::PageRequest request = asking(viewer, 4);
  const feed::Page page = set.page(*held->snapshot, request);
  compare_page(page, request, held->world, naive_feed(held->world, viewer));
  compare_stats(page, viewer, *held->snapshot);
}

void HotReaders::read(const Action& action) {
  std::mt19937_64 random(action.x);
  hot::HotSet& set = *sets_[random() % sets_.size()];
  for (std::uint64_t reads = random() % 4; reads > 0; --reads) {
    const UserNumber viewer = simulation_.user(static_cast<std::uint32_t>(random()));
    if (random() % 8 == 0) {
      compare_held(set, viewer);
    } else if (random() % 2 == 0) {
      compare(set, asking(viewer, 20));
    } else {
      scroll(set, viewer, random);
    }
  }
}

void HotReaders::read_all() {
  for (const auto& set : sets_) {
    for (const UserNumber viewer : simulation_.users()) compare(*set, asking(viewer, 100));
  }
}

std::uint64_t HotReaders::from_memory() const {
  std::uint64_t pages = 0;
  for (const auto& set : sets_) pages += set->use().from_memory;
  return pages;
}

}  // namespace chirp::test
