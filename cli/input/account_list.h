// Mastodon's CSV exports that list accounts: whom somebody follows, has blocked or muted.
//
//   Account address,Show boosts,Notify on new posts,Languages
//   mira@example.org,true,false,"en, fr"
//
// Some have no header; then the file's name tells what they are, as Mastodon calls them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cli/input/bad_lines.h"
#include "cli/input/lines.h"
#include "cli/input/table_rows.h"
#include "core/load/source.h"

namespace chirp::cli::input {

struct ListedAccount {
  std::string address;          // `user@domain`, as the file has it
  bool hiding_reposts = false;  // whoever follows them does not want their boosts
};

class AccountList {
 public:
  // Looks at what `buffer` has open; `stem` is the file's name without its ending. The buffer
  // outlives this. A first row that is no address is a bad line like any other, where the name says
  // what the accounts are.
  AccountList(TextBuffer& buffer, std::string_view stem);

  // Why it lists none of these, as a sentence without the file's name; or empty.
  [[nodiscard]] const std::string& refusal() const { return refusal_; }
  // How its owner stands to those it lists, if it does.
  [[nodiscard]] load::Tie tie() const { return tie_; }
  // As people call it: "accounts that are followed".
  [[nodiscard]] std::string what() const;

  // Reads all, once. `name` is for messages. What is no `user@domain` is a bad line. Returns how
  // many accounts there are.
  using Sink = std::function<void(const ListedAccount&)>;
  std::uint64_t read(std::string_view name, BadLines& bad, const Sink& sink);

 private:
  void look(std::string_view stem);
  // Takes what the columns' names say of the tie; whether they say it.
  bool read_header();
  // What is wrong with the row, if something is.
  [[nodiscard]] std::optional<std::string> take(TableRow& row, const Sink& sink) const;

  TableRows rows_;
  std::optional<TableRow> first_;  // until it is read
  bool header_ = false;
  std::size_t boosts_ = 0;  // the column that says whether boosts are wanted; 0 if there is none
  load::Tie tie_ = load::Tie::kFollows;
  std::string refusal_;
};

}  // namespace chirp::cli::input
