// Loads into worlds of full size, by chirp's own commands: `chirp bench load --edges M`.
#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/bench/figure.h"
#include "cli/bench/load_text.h"
#include "cli/bench/other_writer.h"
#include "cli/bench/processes.h"
#include "cli/bench/reference/written.h"
#include "cli/bench/runs.h"
#include "cli/isolated.h"
#include "core/error.h"
#include "server/json/json_writer.h"
#include "store/data_directory.h"

namespace chirp::cli::bench {
namespace load_world_bench {
namespace {

constexpr std::uint64_t kEdgesAUser = 10;

// The load of one text file.
struct Load {
  const char* what;
  const char* command;  // a verb of `chirp load`
  const char* row;      // singular
  std::uint64_t rows;
};

struct Cost {
  double seconds = 0;
  std::uint64_t bytes = 0;
};

// The format between processes.
std::string line_of(const Cost& cost) {
  return fmt::format("{} {}", static_cast<std::uint64_t>(cost.seconds * 1e9), cost.bytes);
}
Cost cost_of(std::string_view line) {
  const char* const end = line.data() + line.size();
  std::uint64_t nanos = 0;
  Cost cost;
  const auto first = std::from_chars(line.data(), end, nanos);
  check(first.ec == std::errc{} && first.ptr != end, "a line says a time and bytes");
  const auto second = std::from_chars(first.ptr + 1, end, cost.bytes);
  check(second.ec == std::errc{}, "a line says a time and bytes");
  cost.seconds = static_cast<double>(nanos) / 1e9;
  return cost;
}

std::uint32_t longest(const std::vector<std::uint32_t>& nanos) {
  return nanos.empty() ? 0 : *std::ranges::max_element(nanos);
}

class LoadWorld {
 public:
  LoadWorld(Context& context, const BenchRequest& request)
      : context_(context), wanted_(*request.load), data_(place_of(request, folder_)) {
    const std::uint64_t users =
        request.users.value_or(std::max<std::uint64_t>(wanted_.edges / kEdgesAUser, 2));
    users_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(users, 50'000'000));
    posts_ = request.posts.value_or(0);
  }

  void run() {
    store::make_data_directory(data_, std::nullopt);
    if (wanted_.users_first) {
      const std::uint32_t paired = users_ - users_ % 2;
      write_pairs(file_, paired);
      load({"load people", "graph", "user", paired});
    }
    write_sorted_edges(file_, users_, wanted_.edges);
    load({"load graph", "graph", "edge", wanted_.edges});
    if (posts_ == 0) return;
    write_posts(file_, users_, posts_,
                wanted_.random_order ? PostOrder::kRandom : PostOrder::kByTime, context_.now());
    load({"load posts", "posts", "post", posts_});
  }

 private:
  static std::filesystem::path place_of(const BenchRequest& request,
                                        const TemporaryFolder& folder) {
    if (!request.directory) return folder.path() / "world";
    if (request.directory->is_database()) {
      throw Error(ErrorCode::kInvalidArgument,
                  "The world of loads needs a directory, but --data names a database.", "data");
    }
    std::error_code error;
    const std::filesystem::path path = request.directory->folder();
    if (std::filesystem::exists(path, error) && !std::filesystem::is_empty(path, error)) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("{} is not empty. A world is loaded into an empty directory. Name "
                              "another directory, or remove this one.",
                              path.string()),
                  "data");
    }
    return path;
  }

  // Runs in a process of its own: the system counts the writes of that process and its children.
  [[nodiscard]] Cost run_command(const Load& load) const {
    const std::filesystem::path messages = folder_.path() / "messages";
    const std::uint64_t before = bytes_handed_to_writes();
    const auto start = BenchClock::now();
    const bool done =
        run_own_program({"--data", data_.string(), "load", load.command, file_.string()}, messages);
    const Cost cost{seconds_since(start), bytes_handed_to_writes() - before};
    if (!done) {
      throw Error(ErrorCode::kInternal, fmt::format("`chirp load {}` has failed: {}", load.command,
                                                    system_text(messages)));
    }
    return cost;
  }

  void load(const Load& load) {
    Cost cost;
    std::optional<Waits> waits;
    const auto work = [&](const Send& send) { send(line_of(run_command(load))); };
    const auto receive = [&](const std::string& line) { cost = cost_of(line); };
    if (wanted_.alone) {
      check(run_isolated(work, receive).complete, "a load that has not failed is complete");
    } else {
      waits = waits_beside(data_, context_.clock(), work, receive);
    }
    std::filesystem::remove(file_);
    print(load, cost, waits);
  }

  void print(const Load& load, const Cost& cost, const std::optional<Waits>& waits) {
    Output& out = context_.out();
    const double rate = static_cast<double>(load.rows) / cost.seconds;
    const double each = static_cast<double>(cost.bytes) / static_cast<double>(load.rows);
    if (!out.json()) {
      out.print(fmt::format("{:<12} {:>11} {}s {:>9.1f} s {:>10.0f}/s {:>8.1f} bytes written/{}",
                            load.what, load.rows, load.row, cost.seconds, rate, each, load.row));
      if (waits) {
        out.print(fmt::format("   longest wait of a post {:.1f} ms, of a sign-up {:.1f} ms",
                              longest(waits->posts) / 1e6, longest(waits->users) / 1e6));
      }
      out.print("\n");
      return out.flush();
    }
    api::JsonWriter json;
    json.begin_object().field("name", load.what).field("rows", load.rows);
    json.field("seconds", cost.seconds).field("rate", rate);
    json.field("bytesWritten", cost.bytes).field("bytesPerRow", each);
    if (waits) {
      write_waits(json, "posts", waits->posts);
      write_waits(json, "signUps", waits->users);
    }
    json.end_object();
    out.document(json);
    out.flush();
  }
  static void write_waits(api::JsonWriter& json, const char* key,
                          const std::vector<std::uint32_t>& nanos) {
    Figure figure;
    set_percentiles(figure, nanos);
    json.key(key).begin_object().field("operations", std::uint64_t{nanos.size()});
    json.field("p50Micros", figure.p50_micros).field("p99Micros", figure.p99_micros);
    json.field("maxMicros", figure.max_micros).end_object();
  }

  Context& context_;
  LoadSize wanted_;
  TemporaryFolder folder_;
  std::filesystem::path data_;
  std::filesystem::path file_ = folder_.path() / "input";
  std::uint32_t users_ = 0;
  std::uint64_t posts_ = 0;
};

}  // namespace
}  // namespace load_world_bench

void run_load_world(Context& context, const BenchRequest& request) {
  load_world_bench::LoadWorld(context, request).run();
}

}  // namespace chirp::cli::bench
