#include "cli/load/accounts.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/input/account_list.h"
#include "core/error.h"
#include "core/load/graph_loader.h"
#include "core/model/names.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"

namespace chirp::cli {
namespace {

using input::AccountTie;

// Of a transaction.
constexpr std::size_t kRows = 1'000;

struct Listed {
  SourceKey other;
  AccountTie tie = AccountTie::kFollows;
  bool hiding_reposts = false;
};

bool is_follow(AccountTie tie) {
  return tie == AccountTie::kFollows || tie == AccountTie::kFollowedBy;
}

// The same as stored: an account, and how one stands to it.
struct Known {
  UserNumber other;
  AccountTie tie;
  bool hiding_reposts;
  Bond bond;
  bool there;  // that one stands so to it
};

Known known(const Snapshot& rows, UserNumber owner, const Listed& listed, UserNumber other) {
  Known found{.other = other,
              .tie = listed.tie,
              .hiding_reposts = listed.hiding_reposts,
              .bond = rows.bonds(owner, std::span(&other, 1)).front(),
              .there = false};
  switch (listed.tie) {
    case AccountTie::kFollows:
      found.there = reads::follows(rows, owner, other).has_value();
      break;
    case AccountTie::kFollowedBy:
      found.there = reads::follows(rows, other, owner).has_value();
      break;
    case AccountTie::kBlocks:
      found.there = found.bond.blocks;
      break;
    case AccountTie::kMutes:
      found.there = found.bond.mutes;
      break;
  }
  return found;
}

class AccountsLoad {
 public:
  AccountsLoad(Context& context, const LoadInput& input, const std::string& owner)
      : session_(context, "accounts", input), clock_(context.clock()) {
    if (session_.is_dry()) {
      storage_ = session_.existing(nullptr).storage;
      if (storage_ != nullptr) owner_ = context.engine().accounts().resolve(owner).number;
      return;
    }
    owner_ = context.engine().accounts().resolve(owner).number;
    writing_ = &context.writing_engine().storage();
    storage_ = writing_;
    people_.emplace(*writing_, context.engine().directory(), clock_, session_.pause());
  }

  void run() {
    session_.run({.work = [this] { read_all(); },
                  .finish = [this] { finish(); },
                  .abandon =
                      [this] {
                        if (people_) people_->abandon();
                      },
                  .counts = [this] { return counts(); },
                  .settled =
                      [this](const load::Counts& counts) {
                        return counts.stored + counts.duplicates + counts.self_loops +
                               counts.missing + blocked_;
                      },
                  .skipped = [this](const load::Counts& counts) { return skipped(counts); },
                  .other_members = [this] { return other_members_; }});
  }

 private:
  void read_all() {
    session_.each_member([this](const input::Source& source, input::TextBuffer& buffer) {
      read_member(source, buffer);
    });
  }

  void read_member(const input::Source& source, input::TextBuffer& buffer) {
    const std::string name = source.name();
    input::AccountList list(buffer, source.stem());
    if (!list.refusal().empty()) {
      if (!source.is_one_of_many()) {
        throw Error(ErrorCode::kBadInput, fmt::format("{}: {}.", name, list.refusal()));
      }
      session_.remark("otherMembers", fmt::format("{}: {}", name, list.refusal()));
      ++other_members_;
      return;
    }
    if (const auto tell = session_.tell_understood()) tell({.format = list.what()});
    list.read(name, session_.bad(), [&](const input::ListedAccount& account) {
      take(list.tie(), account);
      session_.read(1);
    });
  }

  void take(AccountTie tie, const input::ListedAccount& account) {
    listed_.push_back({SourceKey(account.address), tie, account.hiding_reposts});
    if (people_) return people_->meet(people_->words().id_of(account.address));
    if (!session_.preview().wants_row()) return;
    PreviewRow row{{"account", printable(account.address)}};
    if (account.hiding_reposts) row.emplace_back("reposts", "off");
    session_.preview().row(std::move(row));
  }

  // All users are there before anything between them is stored, and blocks before follows, so that
  // nothing depends on the order of the files.
  void finish() {
    if (people_) people_->finish();
    drop_repeated();
    const auto follows = std::stable_partition(
        listed_.begin(), listed_.end(), [](const Listed& one) { return !is_follow(one.tie); });
    const auto split = static_cast<std::size_t>(follows - listed_.begin());
    const std::span<const Listed> all(listed_);
    each_batch(all.first(split));
    each_batch(all.subspan(split));
  }

  // The same account twice in the same way; one that hides reposts somewhere hides them.
  void drop_repeated() {
    std::ranges::stable_sort(listed_, {}, [](const Listed& one) {
      return std::tuple(one.other, one.tie, !one.hiding_reposts);
    });
    const auto repeated =
        std::unique(listed_.begin(), listed_.end(), [](const Listed& one, const Listed& next) {
          return one.other == next.other && one.tie == next.tie;
        });
    tally_.duplicates += static_cast<std::uint64_t>(listed_.end() - repeated);
    listed_.erase(repeated, listed_.end());
  }

  void each_batch(std::span<const Listed> rest) {
    while (!rest.empty()) {
      const auto some = rest.first(std::min(kRows, rest.size()));
      const auto found = look_up(some);
      if (writing_ != nullptr) {
        store_relations(found);
        store_follows(found);
      } else {
        tally_.stored += static_cast<std::uint64_t>(
            std::ranges::count_if(found, [](const Known& one) { return !one.there; }));
      }
      rest = rest.subspan(some.size());
    }
  }

  // Those that are there and may be told apart from oneself; others are counted.
  std::vector<Known> look_up(std::span<const Listed> some) {
    std::vector<Known> found;
    if (storage_ == nullptr) {
      count_new(some.size());
      return found;
    }
    std::vector<SourceKey> keys;
    for (const Listed& one : some) keys.push_back(one.other);
    const auto rows = storage_->snapshot();
    const auto numbers = reads::numbers_of(*rows, std::span<const SourceKey>(keys));
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (!numbers[i]) {
        count_new(1);
      } else if (*numbers[i] == owner_) {
        ++tally_.self_loops;
      } else {
        const Known one = known(*rows, owner_, some[i], *numbers[i]);
        if (is_follow(one.tie) && one.bond.severed()) {
          ++blocked_;
        } else {
          tally_.duplicates += one.there ? 1 : 0;
          found.push_back(one);
        }
      }
    }
    return found;
  }

  // In a dry run they would be made; else they went away meanwhile.
  void count_new(std::size_t accounts) {
    if (writing_ != nullptr) {
      tally_.missing += accounts;
    } else {
      tally_.stored += accounts;
      tally_.users_added += accounts;
    }
  }

  void store_relations(std::span<const Known> found) {
    std::vector<Change> changes;
    for (const Known& one : found) {
      if (is_follow(one.tie) || one.there) continue;
      const bool block = one.tie == AccountTie::kBlocks;
      changes.emplace_back(Relate{owner_, one.other, block ? Relation::kBlock : Relation::kMute});
    }
    if (changes.empty()) return;
    for (const Outcome& outcome : writing_->write(changes, clock_.now())) {
      tally_.stored += outcome.result == Result::kDone ? 1 : 0;
      tally_.duplicates += outcome.result == Result::kAlready ? 1 : 0;
      tally_.missing += outcome.result == Result::kMissing ? 1 : 0;
    }
  }

  void store_follows(std::span<const Known> found) {
    std::vector<LoadedEdge> edges;
    std::vector<Change> switches;
    for (const Known& one : found) {
      if (!is_follow(one.tie)) continue;
      const bool mine = one.tie == AccountTie::kFollows;
      if (!one.there)
        edges.push_back(mine ? LoadedEdge{owner_, one.other} : LoadedEdge{one.other, owner_});
      if (mine && one.hiding_reposts && !one.bond.reposts_off) {
        switches.emplace_back(Follow{owner_, one.other, Reposts::kOff});
      }
    }
    std::ranges::sort(
        edges, {}, [](const LoadedEdge& edge) { return std::pair(edge.follower, edge.followee); });
    for (std::span<const LoadedEdge> rest(edges); !rest.empty();) {
      const auto result = rules::load_edges(*writing_, rest, clock_.now());
      check(result.taken > 0 && result.taken <= rest.size(), "a load takes from the front");
      tally_.stored += result.counts.stored;
      tally_.duplicates += result.counts.duplicates;
      tally_.missing += result.counts.missing;
      rest = rest.subspan(result.taken);
    }
    if (!switches.empty()) writing_->write(switches, clock_.now());
  }

  [[nodiscard]] load::Counts counts() const {
    load::Counts all = people_ ? people_->counts() : load::Counts{};
    all.stored += tally_.stored;
    all.duplicates += tally_.duplicates;
    all.self_loops += tally_.self_loops;
    all.missing += tally_.missing;
    all.users_added += tally_.users_added;
    return all;
  }

  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> skipped(
      const load::Counts& counts) const {
    std::vector<std::pair<std::string, std::uint64_t>> why{{"duplicates", counts.duplicates},
                                                           {"selfLoops", counts.self_loops}};
    if (blocked_ > 0) why.emplace_back("blocked", blocked_);
    if (counts.missing > 0) why.emplace_back("gone", counts.missing);
    return why;
  }

  LoadSession session_;
  const Clock& clock_;
  UserNumber owner_{};
  const Storage* storage_ = nullptr;         // what is there; null if nothing is
  Storage* writing_ = nullptr;               // null in a dry run
  std::optional<load::GraphLoader> people_;  // makes users, unless it is a dry run
  std::vector<Listed> listed_;
  load::Tally tally_;
  std::atomic<std::uint64_t> blocked_{0};  // follows that a block forbids
  std::uint64_t other_members_ = 0;
};

}  // namespace

void load_accounts(Context& context, const LoadInput& input, const std::string& owner) {
  AccountsLoad(context, input, owner).run();
}

}  // namespace chirp::cli
