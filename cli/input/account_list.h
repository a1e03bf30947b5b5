// Mastodon's CSV exports of accounts that a user follows, has blocked or muted.
//
//   Account address,Show boosts,Notify on new posts,Languages
//   mira@example.org,true,false,"en, fr"
//
// Some have no header; then the file's name, as Mastodon chooses it, tells the kind of list.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cli/input/lines.h"
#include "cli/input/table_rows.h"
#include "core/load/source.h"

namespace chirp::cli::input {

struct ListedAccount {
  std::string address;          // `user@domain`, as in the file
  bool hiding_reposts = false;  // whether the follower hides their boosts
};

class AccountList {
 public:
  // Looks at the start of `buffer`, which must outlive this; `stem` is the file's name without its
  // ending. If that name tells the kind of list, a first row without an address is an ordinary bad
  // line.
  AccountList(TextBuffer& buffer, std::string_view stem);

  // Why this is not such a list, as a sentence without the file's name; or empty.
  [[nodiscard]] const std::string& refusal() const { return refusal_; }
  // The relation of the list's owner to the accounts, if this is such a list.
  [[nodiscard]] load::Tie tie() const { return tie_; }
  // The contents, in words for people: "accounts that are followed".
  [[nodiscard]] std::string what() const;

  // Reads everything; call it once. `name` is for messages. A row without `user@domain` is a bad
  // line. Returns the number of accounts.
  using Sink = std::function<void(const ListedAccount&)>;
  std::uint64_t read(std::string_view name, BadLines& bad, const Sink& sink);

 private:
  void look(std::string_view stem);
  // Takes the tie from the names of the columns. Returns false if they do not tell it.
  bool read_header();
  // Returns what is wrong with the row, or empty.
  [[nodiscard]] std::optional<std::string> take(TableRow& row, const Sink& sink) const;

  TableRows rows_;
  std::optional<TableRow> first_;  // until it is read
  bool header_ = false;
  std::size_t boosts_ = 0;  // the column with `Show boosts`; 0 if missing
  load::Tie tie_ = load::Tie::kFollows;
  std::string refusal_;
};

}  // namespace chirp::cli::input
