// The page that a feed's definition makes of its entries, to hold the engine's pages against.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/feed/expected.h"
#include "core/feed/page.h"

namespace chirp::feed {

// What a page must show in one place.
struct ExpectedPlace {
  PostId original;
  UserNumber author;
  PostId newest;                // of its entries on the page
  std::vector<PostId> reposts;  // newest first

  // How the item that stands there differs; empty if it does not.
  [[nodiscard]] std::optional<std::string_view> problem_of(const FeedItem& item) const;
};

// The entries that one page has consumed, taken in one after the other.
class ExpectedPage {
 public:
  explicit ExpectedPage(Direction direction) : direction_(direction) {}

  void take(const ExpectedEntry& next);
  // Items so far.
  [[nodiscard]] std::size_t size() const { return places_.size(); }
  // The last one taken in, and whether it joined a place that was there.
  [[nodiscard]] const ExpectedEntry& last() const { return last_; }
  [[nodiscard]] bool last_joined() const { return joined_; }

  // As the page must show them, newest first.
  [[nodiscard]] std::vector<ExpectedPlace> places() &&;

 private:
  Direction direction_;
  std::vector<ExpectedPlace> places_;
  ExpectedEntry last_;
  bool joined_ = false;
};

}  // namespace chirp::feed
