#include "cli/bench/figure.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "server/json/json_writer.h"

namespace chirp::cli::bench {
namespace {

// Enough for percentiles, and bounds the memory of long runs.
constexpr std::size_t kSamplesMax = 2'000'000;

double percentile(std::vector<std::uint32_t>& nanos, double part) {
  if (nanos.empty()) return 0;
  const auto at = static_cast<std::ptrdiff_t>(static_cast<double>(nanos.size() - 1) * part);
  std::nth_element(nanos.begin(), nanos.begin() + at, nanos.end());
  return nanos[static_cast<std::size_t>(at)] / 1000.0;
}

}  // namespace

void set_percentiles(Figure& figure, std::vector<std::uint32_t> nanos) {
  figure.p50_micros = percentile(nanos, 0.5);
  figure.p99_micros = percentile(nanos, 0.99);
  figure.max_micros = percentile(nanos, 1);
}

void measure(Figure& figure, double seconds,
             const std::function<void(std::uint64_t, std::uint64_t)>& operation) {
  std::vector<std::vector<std::uint32_t>> samples(figure.threads);
  std::vector<std::uint64_t> done(figure.threads);
  const auto start = BenchClock::now();
  const auto end = later(start, seconds);
  const auto work = [&](std::uint64_t thread) {
    for (auto before = BenchClock::now(); before < end;) {
      operation(thread, done[thread]++);
      const auto after = BenchClock::now();
      if (samples[thread].size() < kSamplesMax) {
        samples[thread].push_back(nanos_since(before, after));
      }
      before = after;
    }
  };
  std::vector<std::thread> threads;
  for (std::uint64_t t = 1; t < figure.threads; ++t) threads.emplace_back(work, t);
  work(0);
  for (std::thread& thread : threads) thread.join();
  figure.seconds = seconds_since(start);
  figure.operations = 0;
  std::vector<std::uint32_t> all;
  for (std::uint64_t t = 0; t < figure.threads; ++t) {
    figure.operations += done[t];
    all.insert(all.end(), samples[t].begin(), samples[t].end());
  }
  set_percentiles(figure, std::move(all));
}

std::size_t measure_steps(Figure& figure, const std::function<bool()>& step) {
  std::vector<std::uint32_t> nanos;
  const auto start = BenchClock::now();
  for (auto begin = start; step(); begin = BenchClock::now()) nanos.push_back(nanos_since(begin));
  figure.seconds = seconds_since(start);
  const std::size_t steps = nanos.size();
  set_percentiles(figure, std::move(nanos));
  return steps;
}

Figure best_of(int rounds, const std::function<Figure()>& measured,
               const std::function<Figure()>& reference) {
  std::optional<Figure> best;
  double reference_rate = 0;
  for (int round = 0; round < rounds; ++round) {
    reference_rate = std::max(reference_rate, reference().rate());
    Figure figure = measured();
    if (!best || figure.rate() > best->rate()) best = std::move(figure);
  }
  best->reference_rate = reference_rate;
  return std::move(*best);
}

void print(Output& out, const Figure& figure) {
  const auto ratio_to = [&](double rate) { return rate > 0 ? figure.rate() / rate : 0; };
  const double ratio = ratio_to(figure.reference_rate);
  if (out.json()) {
    api::JsonWriter json;
    json.begin_object();
    json.field("name", figure.name).field("policy", figure.policy);
    json.field("threads", figure.threads).field("operations", figure.operations);
    json.field("seconds", figure.seconds).field("rate", figure.rate());
    json.field("p50Micros", figure.p50_micros).field("p99Micros", figure.p99_micros);
    json.field("maxMicros", figure.max_micros);
    json.key("reference").begin_object().field("name", figure.reference);
    json.field("rate", figure.reference_rate).end_object();
    json.field("ratio", ratio);
    if (figure.floor) json.field("floor", *figure.floor);
    if (figure.beside) {
      json.key("beside").begin_object().field("name", figure.beside->name);
      json.field("rate", figure.beside->rate).field("ratio", ratio_to(figure.beside->rate));
      json.end_object();
    }
    json.end_object();
    out.document(json);
  } else {
    const std::string beside = figure.beside
                                   ? fmt::format("; {} {:.0f}/s, ratio {:.2f}", figure.beside->name,
                                                 figure.beside->rate, ratio_to(figure.beside->rate))
                                   : "";
    const std::string floor = figure.floor ? fmt::format(", floor {:g}", *figure.floor) : "";
    out.print(
        fmt::format("{:<16} {:<7} {} thread{} {:>14.0f}/s   p50 {:>9.1f} us   p99 {:>9.1f} us"
                    "   max {:>9.1f} us   {} {:.0f}/s, ratio {:.2f}{}{}\n",
                    figure.name, figure.policy, figure.threads, figure.threads == 1 ? " " : "s",
                    figure.rate(), figure.p50_micros, figure.p99_micros, figure.max_micros,
                    figure.reference, figure.reference_rate, ratio, floor, beside));
  }
  out.flush();
}

void print(Output& out, const Measure& measure) {
  if (out.json()) {
    api::JsonWriter json;
    json.begin_object().field("name", measure.name).field("value", measure.value);
    json.field("unit", measure.unit).field("atMost", measure.at_most).end_object();
    out.document(json);
  } else {
    out.print(fmt::format("{:<40} {:>10.1f} {}, at most {:g}\n", measure.name, measure.value,
                          measure.unit, measure.at_most));
  }
  out.flush();
}

void print_none(Output& out, const Figure& figure, std::string_view why) {
  if (!out.json()) {
    out.print(fmt::format("{:<16} {:<7} {}\n", figure.name, figure.policy, why));
    return;
  }
  api::JsonWriter json;
  json.begin_object();
  json.field("name", figure.name).field("policy", figure.policy);
  json.field("threads", figure.threads).field("operations", figure.operations);
  json.end_object();
  out.document(json);
}

}  // namespace chirp::cli::bench
