// Checks pages of a running server against the definition of their feeds, so that a wrong page is
// found where it happens, with its reader.
//
// Each n-th page is read from a snapshot in the normal way, and answered at once. A thread of low
// priority then walks the logs of all followees in the same snapshot. It logs a difference as an
// error, with what is needed to read the page again. While one page is checked, one more waits;
// further ones are counted as skipped, because each snapshot that stays open keeps the store from
// reusing its pages.
//
// Safe to call from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "core/feed/home_feed.h"
#include "core/ports/clock.h"
#include "core/ports/storage.h"
#include "server/log.h"
#include "server/metrics.h"

namespace chirp {

// Checks whether the served data are still in their place, at most once a second. Safe to call
// from any thread.
class PlaceChecks {
 public:
  // `check` throws an Error that says what is wrong; it is empty if nothing can be wrong. `clock`
  // and `log` must outlive this object.
  PlaceChecks(std::function<void()> check, const Clock& clock, Log& log)
      : check_(std::move(check)), clock_(clock), log_(log) {}

  // Returns the result of the last check, at most a second old. Logs a problem when it is first
  // found.
  [[nodiscard]] bool holds();

 private:
  std::function<void()> check_;
  const Clock& clock_;
  Log& log_;
  std::mutex mutex_;
  std::optional<std::int64_t> checked_at_ns_;
  bool holds_ = true;
};

struct PageCheckParts {  // all must outlive the PageChecks
  const Storage& storage;
  feed::PageMemory* memory;  // memory that holds pages; null: pages are read from the storage
  const Clock& clock;
  Log& log;
  Metrics& metrics;  // chirp_page_checks_total{result="right"|"wrong"|"skipped"|"failed"}
};

class PageChecks final : public feed::PageMemory {
 public:
  // Checks each `every`-th page; at least 1.
  PageChecks(PageCheckParts parts, std::uint64_t every);
  // Skips the page that waits.
  ~PageChecks() override;

  [[nodiscard]] feed::Page page(const feed::PageRequest& request) override;
  // Empty for a page that will be checked, because the check needs a snapshot.
  [[nodiscard]] std::optional<feed::Page> held_page(const feed::PageRequest& request) override;
  [[nodiscard]] feed::Page page(const Snapshot& snapshot,
                                const feed::PageRequest& request) override;

  // Returns when all pages chosen so far have been checked.
  void wait();

 private:
  class Checker;
  std::unique_ptr<Checker> checker_;
};

}  // namespace chirp
