// The server's metrics, in the text format of Prometheus. Safe to call from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace chirp {

class Metrics {
 public:
  using Labels = std::map<std::string, std::string>;

  Metrics();
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  // chirp_http_requests_total{operation,status}, chirp_http_request_seconds{operation}.
  // `operation` is an operationId, or "none".
  void request(std::string_view operation, int status, std::int64_t micros);
  // chirp_write_batch_changes, chirp_write_batch_seconds, chirp_syncs_total
  void write_batch(std::size_t changes, std::int64_t micros);
  // chirp_turn_seconds{step}
  void turn(std::string_view step, std::int64_t nanos);
  // chirp_feed_reads_total{timeline="hit"|"miss"|"memory"}: the page used a timeline, used authors'
  // logs only, or came from memory without the store.
  enum class FeedRead : std::uint8_t { kHit, kMiss, kMemory };
  void feed_read(FeedRead read);
  // chirp_delivery_seconds: the time from a post's creation to the end of its last delivery.
  void delivered(std::int64_t ms);
  void add(std::string_view counter, std::string_view help, const Labels& labels, double amount);
  // Calls the function at each scrape, one scrape at a time.
  void gauge(std::string_view name, std::string_view help, const Labels& labels,
             std::function<double()> read);
  // Likewise for a count that never goes down.
  void counted(std::string_view name, std::string_view help, const Labels& labels,
               std::function<double()> read);

  [[nodiscard]] std::string text() const;

 private:
  class Registry;
  std::unique_ptr<Registry> registry_;
};

}  // namespace chirp
