// Holds pages that the server answers against the definition of their feeds while it runs, so that
// a wrong one is found where it happens, and by whom it is read.
//
// Each n-th page is read out of a snapshot, by whatever makes pages here, and is answered at once.
// A thread of low priority walks the logs of everybody followed in that same snapshot, and logs
// what differs as an error, with what is needed to read the page again. While one page is being
// looked at one more waits; those that come in the meantime are counted as skipped, since each
// snapshot that is kept keeps the store from using its pages again.
//
// Safe to call from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/feed/home_feed.h"
#include "core/ports/clock.h"
#include "core/ports/storage.h"
#include "server/log.h"
#include "server/metrics.h"

namespace chirp {

struct PageCheckParts {  // all must outlive the PageChecks
  const Storage& storage;
  feed::PageMemory* memory;  // that pages are checked of; null: they are read from the storage
  const Clock& clock;
  Log& log;
  Metrics& metrics;  // chirp_page_checks_total{result="right"|"wrong"|"skipped"|"failed"}
};

class PageChecks final : public feed::PageMemory {
 public:
  // Checks each `every`-th page; at least 1.
  PageChecks(PageCheckParts parts, std::uint64_t every);
  // Leaves undone what waits.
  ~PageChecks() override;

  [[nodiscard]] feed::Page page(const feed::PageRequest& request) override;
  // Empty for one that is to be checked too, since that takes a snapshot.
  [[nodiscard]] std::optional<feed::Page> held_page(const feed::PageRequest& request) override;
  [[nodiscard]] feed::Page page(const Snapshot& snapshot,
                                const feed::PageRequest& request) override;

  // Returns when every page that was taken to be checked has been.
  void wait();

 private:
  class Checker;
  std::unique_ptr<Checker> checker_;
};

}  // namespace chirp
