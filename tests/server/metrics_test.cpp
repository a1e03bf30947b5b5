// Goal: the metrics say what was measured, in the text format, under the names that are promised.
// Method: measure a little, from threads too, and look for the lines.

#include "server/metrics.h"

#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

using namespace chirp;

namespace {

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("metrics: requests, batches, reads and gauges have their lines") {
  Metrics metrics;
  metrics.request("getFeed", 200, 700);
  metrics.request("getFeed", 200, 1'200);
  metrics.request("getFeed", 401, 100);
  metrics.write_batch(3, 2'000);
  metrics.turn("counters", 4'000'000);
  metrics.turn("counters", 20'000'000);
  metrics.turn("trim", 1'000);
  metrics.feed_read(Metrics::FeedRead::kHit);
  metrics.feed_read(Metrics::FeedRead::kMiss);
  metrics.feed_read(Metrics::FeedRead::kHit);
  metrics.feed_read(Metrics::FeedRead::kMemory);
  metrics.delivered(4);
  metrics.delivered(104);
  metrics.add("chirp_deliveries_total", "Deliveries", {}, 41);
  metrics.add("chirp_deliveries_total", "Deliveries", {}, 1);
  double depth = 4;
  metrics.gauge("chirp_queue_depth", "Waiting", {{"lane", "read"}}, [&] { return depth; });
  metrics.gauge("chirp_queue_depth", "Waiting", {{"lane", "write"}}, [] { return 7.0; });
  depth = 5;
  const std::string text = metrics.text();
  CAPTURE(text);
  CHECK(has_line(text, "chirp_http_requests_total{operation=\"getFeed\",status=\"200\"} 2"));
  CHECK(has_line(text, "chirp_http_requests_total{operation=\"getFeed\",status=\"401\"} 1"));
  CHECK(has_line(text, "chirp_http_request_seconds_count{operation=\"getFeed\"} 3"));
  CHECK(has_line(text, "chirp_http_request_seconds_bucket{operation=\"getFeed\",le=\"0.001\"} 2"));
  CHECK(has_line(text, "chirp_write_batch_changes_sum 3"));
  CHECK(has_line(text, "chirp_write_batch_seconds_sum 0.002"));
  CHECK(has_line(text, "chirp_syncs_total 1"));
  CHECK(has_line(text, "chirp_turn_seconds_count{step=\"counters\"} 2"));
  CHECK(has_line(text, "chirp_turn_seconds_bucket{step=\"counters\",le=\"0.005\"} 1"));
  CHECK(has_line(text, "chirp_turn_seconds_count{step=\"trim\"} 1"));
  CHECK(has_line(text, "chirp_feed_reads_total{timeline=\"hit\"} 2"));
  CHECK(has_line(text, "chirp_feed_reads_total{timeline=\"miss\"} 1"));
  CHECK(has_line(text, "chirp_feed_reads_total{timeline=\"memory\"} 1"));
  CHECK(has_line(text, "chirp_delivery_seconds_count 2"));
  CHECK(has_line(text, "chirp_delivery_seconds_bucket{le=\"0.005\"} 1"));
  CHECK(has_line(text, "chirp_delivery_seconds_sum 0.108"));
  CHECK(has_line(text, "chirp_deliveries_total 42"));
  CHECK(has_line(text, "chirp_queue_depth{lane=\"read\"} 5"));
  CHECK(has_line(text, "chirp_queue_depth{lane=\"write\"} 7"));
  CHECK(has_line(text, "# TYPE chirp_queue_depth gauge"));
}

TEST_CASE("metrics: threads that measure at the same time lose nothing") {
  Metrics metrics;
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([&, number] {
      for (int i = 0; i < 500; ++i) {
        metrics.request("getPost", 200 + number, 10);
        metrics.add("chirp_some_total", "Some", {}, 1);
        if (i % 100 == 0) (void)metrics.text();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::string text = metrics.text();
  CHECK(has_line(text, "chirp_http_request_seconds_count{operation=\"getPost\"} 2000"));
  CHECK(has_line(text, "chirp_some_total 2000"));
}

TEST_SUITE_END();
