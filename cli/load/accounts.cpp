#include "cli/load/accounts.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "cli/input/account_list.h"
#include "core/error.h"
#include "core/load/tie_loader.h"
#include "core/load/words.h"
#include "core/model/names.h"
#include "core/model/source_key.h"

namespace chirp::cli {
namespace {

class AccountsLoad final : private LoadSession::Load {
 public:
  AccountsLoad(Context& context, const LoadInput& input, const std::string& owner)
      : session_(context, "accounts", input) {
    const UserNumber number = session_.user(owner).number;
    Engine& engine = session_.engine();
    loader_.emplace(engine.storage(), engine.directory(), context.clock(), session_.pause(),
                    number);
  }

  void run() { session_.run(*this); }

 private:
  void work() override {
    session_.each_member([this](const input::InputSource& source, input::TextBuffer& buffer) {
      read_member(source, buffer);
    });
  }

  void read_member(const input::InputSource& source, input::TextBuffer& buffer) {
    const std::string name = source.name();
    input::AccountList list(buffer, source.stem());
    if (!list.refusal().empty()) {
      if (!source.is_one_of_many()) {
        throw Error(ErrorCode::kBadInput, fmt::format("{}: {}.", name, list.refusal()));
      }
      session_.leave_out(name, list.refusal());
      return;
    }
    if (const auto tell = session_.tell_understood()) tell({.format = list.what()});
    list.read(name, session_.bad(), [&](const input::ListedAccount& account) {
      take(list.tie(), account);
      session_.read(1);
    });
  }

  void take(load::Tie tie, const input::ListedAccount& account) {
    loader_->add(tie, SourceKey(account.address),
                 account.hiding_reposts ? Reposts::kOff : Reposts::kOn);
    if (!session_.is_dry() || !session_.preview().wants_row()) return;
    PreviewRow row{{"account", printable(account.address)}};
    if (account.hiding_reposts) row.emplace_back("reposts", "off");
    session_.preview().row(std::move(row));
  }

  void finish() override { loader_->finish(); }
  void abandon() override { loader_->abandon(); }

  [[nodiscard]] load::Counts counts() const override {
    load::Counts all = loader_->counts();
    // They contain nothing else.
    all.follows = 0;
    all.relations = 0;
    return all;
  }

  [[nodiscard]] std::uint64_t settled(const load::Counts& counts) const override {
    return counts.stored + counts.duplicates + counts.self_loops + counts.missing + counts.severed;
  }

  [[nodiscard]] Skipped skipped(const load::Counts& counts) const override {
    return skipped_of({{"duplicates", counts.duplicates}, {"selfLoops", counts.self_loops}},
                      {{"blocked", counts.severed}, {"gone", counts.missing}});
  }

  LoadSession session_;
  std::optional<load::TieLoader> loader_;
};

}  // namespace

void load_accounts(Context& context, const LoadInput& input, const std::string& owner) {
  AccountsLoad(context, input, owner).run();
}

}  // namespace chirp::cli
