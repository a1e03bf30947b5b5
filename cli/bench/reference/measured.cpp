#include "cli/bench/reference/measured.h"

#include <algorithm>
#include <string>
#include <sys/resource.h>

#include <fmt/format.h>

#include "cli/bench/reference/written.h"
#include "cli/progress.h"
#include "core/limits.h"
#include "server/json/json_writer.h"

namespace chirp::cli::bench {
namespace {

constexpr double kReadMillisMax = 1;
constexpr double kPostMillisMax = 50;
// Required share of the work: the last pieces of a run may be in progress.
constexpr double kReached = 0.99;

double micros(std::uint64_t nanos) { return static_cast<double>(nanos) / 1e3; }
double millis(const Histogram& times, double part) {
  return static_cast<double>(times.percentile(part)) / 1e6;
}

void times_of(api::JsonWriter& json, const Histogram& times) {
  json.field("p50Micros", micros(times.percentile(0.5)));
  json.field("p99Micros", micros(times.percentile(0.99)));
  json.field("p999Micros", micros(times.percentile(0.999)));
  json.field("maxMicros", micros(times.longest()));
}

std::string times_of(const Histogram& times) {
  return fmt::format("p50 {:>8.3f} ms   p99 {:>8.3f} ms   p99.9 {:>8.3f} ms   max {:>8.3f} ms",
                     millis(times, 0.5), millis(times, 0.99), millis(times, 0.999),
                     static_cast<double>(times.longest()) / 1e6);
}

void looks_of(api::JsonWriter& json, const char* name, const Looks& looks) {
  json.key(name).begin_object().field("mean", looks.mean()).field("worst", looks.worst());
  json.end_object();
}

void print_lag(Output& out, const Lag& lag) {
  if (out.json()) {
    api::JsonWriter json;
    json.begin_object().field("name", "fan-out lag");
    looks_of(json, "events", lag.events);
    looks_of(json, "unfinished", lag.unfinished);
    looks_of(json, "millis", lag.millis);
    looks_of(json, "otherConsumersEvents", lag.other_events);
    json.end_object();
    out.document(json);
    return;
  }
  out.print(
      fmt::format("{:<22}{:.0f} events pending on average, {:.0f} at worst; lag {:.0f} ms on "
                  "average, {:.0f} ms at worst; posts half delivered {:.0f}, {:.0f}; other "
                  "consumers {:.0f}, {:.0f} events\n",
                  "fan-out", lag.events.mean(), lag.events.worst(), lag.millis.mean(),
                  lag.millis.worst(), lag.unfinished.mean(), lag.unfinished.worst(),
                  lag.other_events.mean(), lag.other_events.worst()));
}

void print_shows(Output& out, const Measured& measured) {
  const Histogram& shows = measured.shows;
  if (out.json()) {
    api::JsonWriter json;
    json.begin_object().field("name", "feed show in another process");
    json.field("operations", shows.count()).field("failed", measured.failed_shows);
    times_of(json, shows);
    json.end_object();
    out.document(json);
    return;
  }
  out.print(fmt::format(
      "{:<22}{:>10} times            {}{}\n", "feed show, cold", shows.count(), times_of(shows),
      measured.failed_shows == 0 ? "" : fmt::format("; {} failed", measured.failed_shows)));
}

std::string a_second(std::uint64_t bytes, double seconds) {
  return short_bytes(static_cast<std::uint64_t>(static_cast<double>(bytes) / seconds));
}

void print_costs(Output& out, const Measured& measured) {
  const Costs& costs = measured.costs;
  if (out.json()) {
    api::JsonWriter json;
    json.begin_object().field("name", "costs");
    json.field("memoryBytes", costs.own_bytes).field("mappedBytes", costs.mapped_bytes);
    json.field("cacheBytes", measured.cache_bytes);
    json.field("fromMemory", measured.from_memory);
    json.field("processorSeconds", costs.processor_seconds);
    json.field("seconds", measured.seconds);
    json.field("bytesWritten", costs.bytes_written);
    if (costs.disk_bytes) json.field("diskBytesWritten", *costs.disk_bytes);
    json.end_object();
    out.document(json);
    return;
  }
  out.print(fmt::format(
      "{:<22}{} of memory ({} of it the hot set) and {} of mapped files; {:.2f} processors; {} "
      "handed to writes, {}/s{}; {:.1f} % of the pages out of memory\n",
      "costs", short_bytes(costs.own_bytes), short_bytes(measured.cache_bytes),
      short_bytes(costs.mapped_bytes), costs.processor_seconds / measured.seconds,
      short_bytes(costs.bytes_written), a_second(costs.bytes_written, measured.seconds),
      costs.disk_bytes ? fmt::format(", and {} written by the disk for everybody, {}/s",
                                     short_bytes(*costs.disk_bytes),
                                     a_second(*costs.disk_bytes, measured.seconds))
                       : "",
      100 * measured.from_memory));
}

void print_goal(Output& out, const Measured& measured) {
  const std::vector<std::string> missed = shortfalls(measured);
  if (out.json()) {
    api::JsonWriter json;
    json.begin_object().field("name", "goal").field("met", missed.empty());
    json.key("missed").begin_array();
    for (const std::string& each : missed) json.string(each);
    json.end_array().end_object();
    out.document(json);
    return;
  }
  if (missed.empty()) {
    out.print("The goal is met.\n");
    return;
  }
  out.print(fmt::format("The goal is not met: {}.\n", fmt::join(missed, "; ")));
}

}  // namespace

void Looks::add(double value) {
  sum_ += value;
  worst_ = std::max(worst_, value);
  ++count_;
}

double Looks::mean() const { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_); }

Costs costs_so_far(const std::filesystem::path& data) {
  constexpr std::uint64_t kKib = 1024;
  rusage use{};
  ::getrusage(RUSAGE_SELF, &use);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  const std::string status = system_text("/proc/self/status");
  const auto bytes_of = [&](const char* name) {
    return kKib * number_after(status, name).value_or(0);
  };
  return {seconds(use.ru_utime) + seconds(use.ru_stime), bytes_handed_to_writes(),
          bytes_written_by_disk(data), bytes_of("RssAnon:"),
          bytes_of("RssFile:") + bytes_of("RssShmem:")};
}

Costs costs_since(const Costs& before, Costs now) {
  now.processor_seconds -= before.processor_seconds;
  now.bytes_written -= before.bytes_written;
  if (now.disk_bytes && before.disk_bytes) {
    *now.disk_bytes -= *before.disk_bytes;
  } else {
    now.disk_bytes.reset();
  }
  return now;
}

std::vector<std::string> shortfalls(const Measured& measured) {
  std::vector<std::string> missed;
  const auto slow = [&](const char* what, const Histogram& times, double most) {
    const double p99 = millis(times, 0.99);
    if (p99 >= most) {
      missed.push_back(
          fmt::format("the p99 of {} is {:.2f} ms, not below {:.0f} ms", what, p99, most));
    }
  };
  const auto few = [&](const char* what, double rate, double wanted) {
    if (rate < kReached * wanted) {
      missed.push_back(fmt::format("{:.0f} {} a second, not {:.0f}", rate, what, wanted));
    }
  };
  slow("reads", measured.reads.times, kReadMillisMax);
  slow("posts", measured.posts.times, kPostMillisMax);
  few("reads", static_cast<double>(measured.reads.done) / measured.seconds, measured.wanted.reads);
  few("posts", static_cast<double>(measured.posts.done) / measured.seconds, measured.wanted.posts);
  if (measured.lag.events.worst() > limits::kPendingEventsMax) {
    missed.push_back(fmt::format("{:.0f} events were pending, more than {}",
                                 measured.lag.events.worst(), limits::kPendingEventsMax));
  }
  return missed;
}

void print_paced(Output& out, const std::string& name, const Paced& paced, double seconds,
                 double wanted) {
  const double rate = static_cast<double>(paced.done) / seconds;
  if (out.json()) {
    api::JsonWriter json;
    json.begin_object().field("name", name).field("operations", paced.done);
    json.field("late", paced.late).field("seconds", seconds).field("rate", rate);
    json.field("wanted", wanted);
    times_of(json, paced.times);
    json.end_object();
    out.document(json);
  } else {
    const std::string of = wanted > 0 ? fmt::format("/s of {:.0f}/s", wanted) : "/s";
    out.print(fmt::format("{:<22}{:>10.0f}{:<15}   {}\n", name, rate, of, times_of(paced.times)));
  }
  out.flush();
}

void print_deliveries(Output& out, const std::string& name, const DeliveryRate& deliveries) {
  const double rate = deliveries.made / deliveries.seconds;
  const double put = deliveries.into_timelines / deliveries.seconds;
  if (out.json()) {
    api::JsonWriter json;
    json.begin_object().field("name", name).field("operations", deliveries.made);
    json.field("seconds", deliveries.seconds).field("rate", rate);
    json.field("wanted", deliveries.wanted).field("intoTimelines", put);
    json.field("followersAPost", deliveries.followers_a_post);
    json.field("pendingPosts", deliveries.pending).end_object();
    out.document(json);
    return;
  }
  out.print(fmt::format(
      "{:<22}{:>10.0f}{:<15}   {:.1f} followers a post; {:.0f}/s put into timelines; {} posts "
      "pending at the end\n",
      name, rate, fmt::format("/s of {:.0f}/s", deliveries.wanted), deliveries.followers_a_post,
      put, deliveries.pending));
}

void print(Output& out, const Measured& measured) {
  print_paced(out, "reads", measured.reads, measured.seconds, measured.wanted.reads);
  print_paced(out, "posts", measured.posts, measured.seconds, measured.wanted.posts);
  print_deliveries(out, "deliveries", measured.deliveries);
  print_lag(out, measured.lag);
  print_shows(out, measured);
  print_costs(out, measured);
  print_goal(out, measured);
  out.flush();
}

}  // namespace chirp::cli::bench
