// The page that the definition of a feed requires, to check the engine's pages.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/feed/expected.h"
#include "core/feed/page.h"

namespace chirp::feed {

// An item that a page must show.
struct ExpectedItem {
  PostId original;
  UserNumber author;
  PostId newest;                // newest of its entries on the page
  std::vector<PostId> reposts;  // newest first

  // Returns how the actual item differs; empty if it does not.
  [[nodiscard]] std::optional<std::string_view> problem_of(const FeedItem& item) const;
};

// The entries that one page consumes, added one by one.
class ExpectedPage {
 public:
  explicit ExpectedPage(Direction direction) : direction_(direction) {}

  void take(const ExpectedEntry& next);
  // Number of items so far.
  [[nodiscard]] std::size_t size() const { return places_.size(); }
  // The last entry added, and whether it joined an existing item.
  [[nodiscard]] const ExpectedEntry& last() const { return last_; }
  [[nodiscard]] bool last_joined() const { return joined_; }

  // The items that the page must show, newest first.
  [[nodiscard]] std::vector<ExpectedItem> places() &&;

 private:
  Direction direction_;
  std::vector<ExpectedItem> places_;
  ExpectedEntry last_;
  bool joined_ = false;
};

}  // namespace chirp::feed
