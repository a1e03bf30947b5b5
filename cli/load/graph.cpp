// `chirp load graph`: follow graphs from files.
#include <fmt/format.h>

#include "cli/app.h"
#include "cli/commands.h"
#include "cli/input/edges.h"
#include "cli/input/posts.h"
#include "cli/load/names.h"
#include "cli/load/session.h"
#include "core/error.h"
#include "core/load/graph_loader.h"
#include "core/model/names.h"

namespace chirp::cli {
namespace {

constexpr std::size_t kHeadBytes = 65'536;  // of a member, to tell what it is

struct GraphOptions {
  std::vector<std::string> files;
  std::string format = "auto";
  bool undirected = false;
  std::string names;
  std::optional<std::string> max_errors;
  std::string encoding = "utf-8";
  std::string ids = "auto";
};

class GraphLoad {
 public:
  GraphLoad(Context& context, const GraphOptions& options)
      : format_(format_of(options)),
        kind_(parse_id_kind(options.ids)),
        ways_(options.undirected ? 2 : 1),
        session_(context, "edges", options.files, parse_max_errors(options.max_errors),
                 options.encoding),
        names_(session_, options.names),
        storage_(context.writing_engine().storage()),
        loader_(storage_, context.engine().directory(), context.clock(), session_.pause(),
                {.ways = options.undirected ? load::Ways::kBoth : load::Ways::kOne,
                 .since = std::nullopt,
                 .people = {}}) {
    names_.use(loader_.words());
  }

  void run() {
    session_.run({.work = [this] { read_all(); },
                  .finish = [this] { finish(); },
                  .abandon = [this] { loader_.abandon(); },
                  .counts = [this] { return loader_.counts(); },
                  .settled = [this](const load::Counts& counts) { return settled(counts); },
                  .skipped = [this](const load::Counts& counts) { return skipped(counts); },
                  .other_members = [this] { return other_members_; },
                  .said_users = [this] { return said_users_; }});
  }

 private:
  static input::EdgeFormat format_of(const GraphOptions& options) {
    if (const auto format = input::edge_format_named(options.format)) return *format;
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("--format takes auto, snap, csv or adjacency, not \"{}\".",
                            printable(options.format)));
  }

  input::IdCells ids() { return {&loader_.words(), kind_}; }

  void read_all() {
    read_names();
    session_.each_member([this](const input::Source& source, input::TextBuffer& buffer) {
      read_member(source, buffer);
    });
  }

  void read_names() {
    names_.read([this](load::SourceUser&& user) { loader_.say(user); });
  }

  void finish() {
    loader_.finish();
    if (loader_.names_refused()) {
      read_names();  // of users who were not there yet, and too many to remember
      loader_.finish();
    }
    names_.account(storage_);
  }

  void read_member(const input::Source& source, input::TextBuffer& buffer) {
    const std::string name = source.name();
    if (source.has_members()) {
      while (buffer.unread().size() < kHeadBytes &&
             buffer.fill() == input::TextBuffer::Filled::kMore) {
        continue;
      }
      if (!input::looks_like_edges(buffer.unread(), kind_)) {
        read_users(name, buffer);
        return;
      }
    }
    const input::EdgeSink sink{.edges =
                                   [this](std::span<const load::SourceEdge> edges) {
                                     loader_.add(edges);
                                     session_.read(edges.size());
                                   },
                               .person =
                                   [this](SourceId id) {
                                     said_users_ = true;
                                     loader_.meet(id);
                                   },
                               .both_ways = ways_ == 2,
                               .note = [this](const std::string& words) { session_.warn(words); },
                               .ids = ids()};
    input::read_edges(buffer, name, format_, session_.bad(), sink);
  }

  // Of what is no graph in an archive, user objects give names.
  void read_users(const std::string& name, input::TextBuffer& buffer) {
    const std::string_view head = buffer.unread();
    const bool json = head.find_first_not_of(" \t\r\n") != std::string_view::npos &&
                      std::string_view("{[").find(head[head.find_first_not_of(" \t\r\n")]) !=
                          std::string_view::npos;
    if (!json) {
      ++other_members_;
      return;
    }
    const input::PostSink sink{
        .post = [](load::SourcePost&&, const input::Place&) -> std::optional<std::string> {
          return std::nullopt;
        },
        .user = [this](const load::SourceUser& user) { loader_.say(user); },
        .ids = ids()};
    input::PostReader reader(input::PostFormat::kTwitter, session_.bad(), sink);
    const auto result = reader.read(buffer, name, input::Unknown::kSkipped);
    if (result.users == 0) ++other_members_;
    if (result.users > 0) said_users_ = true;
  }

  [[nodiscard]] std::uint64_t settled(const load::Counts& counts) const {
    const std::uint64_t follows = counts.stored + counts.duplicates + counts.missing;
    return counts.self_loops + follows / ways_;
  }

  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> skipped(
      const load::Counts& counts) const {
    std::vector<std::pair<std::string, std::uint64_t>> why{{"duplicates", counts.duplicates},
                                                           {"selfLoops", counts.self_loops}};
    if (counts.missing > 0) why.emplace_back("gone", counts.missing);
    if (other_members_ > 0) why.emplace_back("otherMembers", other_members_);
    return why;
  }

  input::EdgeFormat format_;
  input::IdKind kind_;
  std::uint64_t ways_;  // follows that an edge means
  LoadSession session_;
  NamesFile names_;
  Storage& storage_;
  load::GraphLoader loader_;
  std::uint64_t other_members_ = 0;
  bool said_users_ = false;  // members with users and nothing else were understood
};

Status run_graph(Context& context, const GraphOptions& options) {
  GraphLoad(context, options).run();
  return Status::kDone;
}

}  // namespace

void add_load_graph(App& app) {
  auto [verb, options] = app.verb<GraphOptions>(
      load_noun(app),
      {"graph",
       "Load who follows whom: SNAP edge lists, CSV or TSV, adjacency lists; packed or not.",
       "chirp load graph twitter_combined.txt.gz\n"
       "chirp load graph follows.csv --names people.csv\n"
       "chirp load graph --undirected friends.tsv\n"
       "zcat higgs.edgelist.gz | head -n -1 | chirp load graph -"},
      run_graph);
  verb.add_option("FILE", options.files, "What to load; - is standard input")->required();
  verb.add_option("--format", options.format, "Of the files; auto unless told")
      ->option_text("auto|snap|csv|adjacency");
  verb.add_flag("--undirected", options.undirected, "Each edge is two follows, one each way");
  verb.add_option("--names", options.names, "A table of users with a header: id, name, …")
      ->option_text("FILE");
  add_encoding(verb, options.encoding);
  add_ids(verb, options.ids);
  add_text(verb, "--max-errors", options.max_errors, "N", "Pass over up to N bad lines");
}

}  // namespace chirp::cli
