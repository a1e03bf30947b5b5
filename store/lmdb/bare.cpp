#include "store/lmdb/bare.h"

#include <algorithm>
#include <chrono>
#include <string>

#include "core/error.h"
#include "store/lmdb/lmdb_storage.h"
#include "store/lmdb/records.h"
#include "store/lmdb/storage.h"
#include "store/lmdb/timelines.h"

namespace chirp::lmdb {
namespace {

using BareClock = std::chrono::steady_clock;

constexpr std::size_t kEventBytes = 24;  // approximate size of a post's event

double seconds_since(BareClock::time_point start) {
  return std::chrono::duration<double>(BareClock::now() - start).count();
}

const LmdbStorage& on_lmdb(const Storage& storage) {
  const auto* const known = dynamic_cast<const LmdbStorage*>(&storage);
  check(known != nullptr, "a bare reference is measured on a store of LMDB");
  return *known;
}

struct BareRecord {
  Table table;
  std::string key;
};

std::shared_ptr<Env> empty_store(const std::filesystem::path& folder) {
  create_store(folder, folder / "write.lock", {1, "bare", snowflake::kMachineDefault});
  return Env::open(folder, folder / "write.lock", OpenMode::kOpen);
}

}  // namespace

struct BarePages::Plan {
  std::shared_ptr<Env> env;
  std::vector<std::vector<BareRecord>> pages;
};

BarePages::BarePages(const Storage& storage, std::span<const UserNumber> viewers,
                     std::uint32_t limit)
    : plan_(std::make_unique<Plan>()) {
  plan_->env = on_lmdb(storage).env();
  const Env::Reader reader(plan_->env);
  for (const UserNumber viewer : viewers) {
    auto& page = plan_->pages.emplace_back();
    page.push_back({Table::kMeta, std::string(Bytes(meta_key("state")))});
    page.push_back({Table::kTimelines, std::string(Bytes(key(viewer)))});
    page.push_back({Table::kFollowing, std::string(Bytes(key(viewer, kNobody)))});
    std::vector<UserNumber> authors;
    for (const Entry& entry :
         read_timeline_entries(reader.txn(), viewer, {}, Direction::kDown, limit)) {
      page.push_back({Table::kPosts, std::string(Bytes(key(entry.id)))});
      authors.push_back(entry.author);
    }
    std::sort(authors.begin(), authors.end());
    authors.erase(std::unique(authors.begin(), authors.end()), authors.end());
    for (const UserNumber author : authors) {
      page.push_back({Table::kCards, std::string(Bytes(key(author)))});
    }
  }
}

BarePages::~BarePages() = default;

std::uint64_t BarePages::read(std::size_t i) const {
  const Env::Reader reader(plan_->env);
  std::uint64_t seen = 0;
  for (const BareRecord& record : plan_->pages[i]) {
    const auto value = reader.txn().get(record.table, record.key);
    if (value) seen += value->size() + static_cast<unsigned char>(value->back());
  }
  return seen;
}

std::uint64_t bare_rewrite_timelines(Storage& storage, std::span<const UserNumber> viewers) {
  std::uint64_t put = 0;
  on_lmdb(storage).env()->write([&](WriteTxn& txn) {
    put = 0;
    Cursor cursor(txn, Table::kTimelines);
    std::string record;
    for (const UserNumber viewer : viewers) {
      const auto k = key(viewer);
      const auto item = cursor.at(k);
      if (!item) continue;
      record.assign(item->value);
      cursor.put(k, record);
      ++put;
    }
  });
  return put;
}

double bare_append_edges(const std::filesystem::path& folder, std::vector<LoadedEdge> edges) {
  constexpr std::size_t kAtOnce = 1'000'000;
  const auto env = empty_store(folder);
  const auto start = BareClock::now();
  const auto direction = [&](Table table, auto user, auto other) {
    std::sort(edges.begin(), edges.end(), [&](const LoadedEdge& a, const LoadedEdge& b) {
      return user(a) != user(b) ? user(a) < user(b) : other(a) < other(b);
    });
    for (std::size_t at = 0; at < edges.size(); at += kAtOnce) {
      const std::size_t end = std::min(edges.size(), at + kAtOnce);
      env->write([&](WriteTxn& txn) {
        for (std::size_t i = at; i < end; ++i) {
          txn.append(table, key(user(edges[i]), other(edges[i])), "sixish");
        }
      });
    }
  };
  const auto follower = [](const LoadedEdge& edge) { return edge.follower; };
  const auto followee = [](const LoadedEdge& edge) { return edge.followee; };
  direction(Table::kFollowing, follower, followee);
  direction(Table::kFollowers, followee, follower);
  return seconds_since(start);
}

double bare_put_posts(const std::filesystem::path& folder, std::span<const Post> posts,
                      std::size_t at_once) {
  const auto env = empty_store(folder);
  const auto start = BareClock::now();
  for (std::size_t at = 0; at < posts.size(); at += at_once) {
    const auto some = posts.subspan(at, std::min(at_once, posts.size() - at));
    std::vector<const Post*> by_author;
    for (const Post& post : some) by_author.push_back(&post);
    std::sort(by_author.begin(), by_author.end(), [](const Post* a, const Post* b) {
      return a->author != b->author ? a->author < b->author : a->id < b->id;
    });
    env->write([&](WriteTxn& txn) {
      for (const Post* post : by_author) {
        txn.put(Table::kAuthorLogs, key(post->author, post->id), {});
      }
      for (const Post& post : some) {
        txn.append(Table::kPosts, key(post.id), post.text);
        if (post.source) txn.append(Table::kPostSources, key(post.source->number), key(post.id));
      }
    });
  }
  return seconds_since(start);
}

double bare_publish(const std::filesystem::path& folder, std::span<const Post> posts,
                    std::size_t at_once) {
  const auto env = empty_store(folder);
  const std::string event(kEventBytes, 'e');
  const auto start = BareClock::now();
  for (std::size_t at = 0; at < posts.size(); at += at_once) {
    const auto some = posts.subspan(at, std::min(at_once, posts.size() - at));
    env->write([&](WriteTxn& txn) {
      std::uint64_t sequence = at + 1;
      for (const Post& post : some) {
        txn.append(Table::kPosts, key(post.id), post.text);
        txn.put(Table::kAuthorLogs, key(post.author, post.id), {});
        txn.append(Table::kEvents, key(ContentId{sequence++}), event);
      }
      const auto state = txn.get(Table::kMeta, meta_key("state"));
      check(state.has_value(), "a new store has a state");
      txn.put(Table::kMeta, meta_key("state"), std::string(*state));
    });
  }
  return seconds_since(start);
}

double bare_count(const std::filesystem::path& folder, std::span<const ContentId> contents,
                  std::size_t at_once) {
  const auto env = empty_store(folder);
  const auto start = BareClock::now();
  for (std::size_t at = 0; at < contents.size(); at += at_once) {
    const auto some = contents.subspan(at, std::min(at_once, contents.size() - at));
    env->write([&](WriteTxn& txn) {
      for (const ContentId content : some) {
        const auto k = key(content);
        const auto there = txn.get(Table::kContentCounters, k);
        const std::uint64_t count = there ? u64_at(*there) + 1 : 1;
        txn.put(Table::kContentCounters, k, key(ContentId{count}));
      }
    });
  }
  return seconds_since(start);
}

}  // namespace chirp::lmdb
