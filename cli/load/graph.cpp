// `chirp load graph`: follow graphs from files.
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "cli/app.h"
#include "cli/commands.h"
#include "cli/input/edges.h"
#include "cli/input/follow_sets.h"
#include "cli/input/graph_files.h"
#include "cli/input/nostr.h"
#include "cli/input/other_formats.h"
#include "cli/input/posts.h"
#include "cli/load/accounts.h"
#include "cli/load/bulk.h"
#include "cli/load/names.h"
#include "cli/load/session.h"
#include "core/load/graph_loader.h"
#include "core/model/names.h"
#include "core/model/nearest.h"

namespace chirp::cli {
namespace {

struct LoadGraphOptions {
  LoadInput input;
  std::string format = "auto";
  bool undirected = false;
  std::string names;
  std::string ids = "auto";
  std::string as;
  std::string bulk = "auto";
  TableOptions table;
};

class GraphLoad final : private LoadSession::Load {
 public:
  GraphLoad(Context& context, const LoadGraphOptions& options)
      : table_{.format = choice_of("--format", input::kEdgeFormats, options.format),
               .layout = layout_of(options)},
        kind_(parse_id_kind(options.ids)),
        ways_(options.undirected ? 2 : 1),
        session_(context, "edges", options.input),
        names_(session_, options.names) {
    Engine& engine = session_.engine();
    storage_ = &engine.storage();
    loader_.emplace(
        engine.storage(), engine.directory(), context.clock(), session_.pause(),
        load::GraphOptions{.ways = options.undirected ? load::Ways::kBoth : load::Ways::kOne,
                           .since = std::nullopt,
                           .bulk = bulk_of(context, options.bulk),
                           .bulk_options = bulk_options()});
    names_.use(loader_->words());
  }

  void run() { session_.run(*this); }

 private:
  static input::TableLayout layout_of(const LoadGraphOptions& options) {
    input::TableLayout layout = tie_layout(options.table, options.format);
    for (const auto field : {input::Field::kCount, input::Field::kCreatedAt, input::Field::kKind}) {
      if (!layout.has(field)) continue;
      throw Error(ErrorCode::kInvalidArgument,
                  "A follow has no weight, time or kind to be loaded: --columns names from and to, "
                  "and - for all else.");
    }
    return layout;
  }

  BulkOptions bulk_options() {
    BulkOptions bulk;
    bulk.wait = [this](std::string_view who) {
      if (!std::exchange(has_waited_, true)) {
        session_.warn(words_of_waiting(who));
      }
    };
    return bulk;
  }

  // Also updates the message of an interruption.
  [[nodiscard]] LoadSession::Step step() override {
    const auto reach = loader_->bulk_reach();
    if (!reach) return {};
    const bool is_over = reach->phase == BulkPhase::kChanges && reach->share == 1;
    if (is_over && has_told_bulk_ && !std::exchange(has_told_over_, true)) {
      session_.say_at_end(nullptr);
    }
    return {.words = words_of(reach->phase), .prepared = share_of(*reach), .stores = false};
  }

  void note_bulk() {
    if (has_told_bulk_ || !loader_->bulk_reach()) return;
    has_told_bulk_ = true;
    session_.say_at_end(
        "\nchirp: The load is interrupted. Its edges are stored all at once at the end, so none of "
        "them is stored; users that it made stay. Run the same command again: it begins anew.\n");
  }

  input::IdCells ids() { return {&loader_->words(), kind_}; }

  void work() override {
    read_names();
    session_.each_member([this](const input::InputSource& source, input::TextBuffer& buffer) {
      read_member(source, buffer);
    });
    if (!follow_lists_) return;
    follow_lists_->end();
    if (const auto older = follow_lists_->older_lists(); older > 0) {
      session_.count("olderFollowLists", {}, older);
    }
    if (const auto other = follow_lists_->other_kinds(); other > 0) {
      session_.count("otherKinds", {}, other);
    }
  }

  void read_names() {
    names_.read([this](load::SourceUser&& user) { loader_->say(user); });
  }

  void finish() override {
    note_bulk();
    loader_->finish();
    if (loader_->names_refused()) {
      read_names();  // names of future users did not fit into memory
      loader_->finish();
    }
    names_.account(*storage_);
  }

  void abandon() override { loader_->abandon(); }

  void take(std::span<const load::SourceEdge> edges, load::Ways ways) {
    loader_->add(edges, ways);
    note_bulk();
    session_.read(edges.size());
    if (!session_.is_dry()) return;
    const load::Words& words = loader_->words();
    for (const load::SourceEdge& edge : edges) {
      if (!session_.preview().wants_row()) break;
      session_.preview().row({{"follower", printable(text_of(words.key_of(edge.follower)))},
                              {"followee", printable(text_of(words.key_of(edge.followee)))}});
    }
  }
  void take_person(const load::SourceUser& user) {
    said_users_ = true;
    loader_->meet(user);
  }

  void read_member(const input::InputSource& source, input::TextBuffer& buffer) {
    const std::string name = source.name();
    const std::string_view head = input::edges_head(buffer);
    const bool said = !table_.layout.columns.empty() || !table_.layout.named.empty();
    if (!said && is_list_of_accounts(source.stem(), head)) refuse_accounts(name);
    const bool is_told = !said && table_.format == input::EdgeFormat::kAuto;
    const auto graph = is_told ? input::graph_format_of(head) : input::GraphFormat::kNone;
    if (graph != input::GraphFormat::kNone) {
      input::read_graph(buffer, name, graph, session_.bad(), edge_sink());
      return;
    }
    if (is_told && input::looks_like_nostr(head)) {
      if (!follow_lists_) follow_lists_.emplace(edge_sink());
      follow_lists_->read(buffer, name, session_.bad());
      return;
    }
    const bool sets = is_told && input::looks_like_follow_sets(head, kind_);
    if (!sets && source.is_one_of_many() && !input::looks_like_edges(head, kind_, table_.layout)) {
      if (said) {
        session_.leave_out(name, "its first row does not name two users");
      } else {
        read_users(name, buffer);
      }
      return;
    }
    if (const std::string other = input::other_format(head);
        is_told && !sets && !source.is_one_of_many() && !other.empty()) {
      throw Error(ErrorCode::kBadInput, fmt::format("{}: {}", name, other));
    }
    const input::EdgeSink sink = edge_sink();
    if (sets) {
      input::read_follow_sets(buffer, name, session_.bad(), sink);
    } else {
      input::read_edges(buffer, name, table_, session_.bad(), sink);
    }
  }

  input::EdgeSink edge_sink() {
    const load::Ways ways = ways_ == 2 ? load::Ways::kBoth : load::Ways::kOne;
    return {.edges = [this, ways](std::span<const load::SourceEdge> edges) { take(edges, ways); },
            .directed =
                [this](std::span<const load::SourceEdge> edges) { take(edges, load::Ways::kOne); },
            .person =
                [this](SourceId id) {
                  take_person({.id = id, .username = {}, .display_name = {}, .bio = {}});
                },
            .node = [this](const load::SourceUser& user) { take_person(user); },
            .both_ways = ways_ == 2,
            .ids = ids(),
            .understood = session_.tell_understood()};
  }

  // Recognised by its header, or by Mastodon's file name.
  static bool is_list_of_accounts(std::string_view stem, std::string_view head) {
    if (head.starts_with("Account address")) return true;
    return (stem == "following_accounts" || stem == "blocked_accounts" ||
            stem == "muted_accounts") &&
           head.substr(0, head.find('\n')).find('@') != std::string_view::npos;
  }

  [[noreturn]] static void refuse_accounts(const std::string& name) {
    throw Error(ErrorCode::kBadInput,
                fmt::format("{}: Mastodon's list of one user's accounts: say whose it is with "
                            "--as NAME.",
                            name));
  }

  // A text in an archive that is not a graph may have user objects, which give names.
  void read_users(const std::string& name, input::TextBuffer& buffer) {
    const std::string_view head = buffer.unread();
    const bool json = head.find_first_not_of(" \t\r\n") != std::string_view::npos &&
                      std::string_view("{[").find(head[head.find_first_not_of(" \t\r\n")]) !=
                          std::string_view::npos;
    if (!json) {
      const auto like = input::looks_like(head);
      session_.leave_out(name, like           ? "it looks like " + *like
                               : head.empty() ? "it is empty"
                                              : "it is not a graph");
      return;
    }
    if (!users_) {
      user_sink_.emplace(input::PostSink{
          .post = [](load::SourcePost&&, const input::InputPlace&) -> std::optional<std::string> {
            return std::nullopt;
          },
          .user = [this](const load::SourceUser& user) { loader_->say(user); },
          .ids = ids(),
          .understood = session_.tell_understood()});
      users_.emplace(input::PostFormat::kTwitter, session_.bad(), *user_sink_);
    }
    const auto result = users_->read(buffer, name, input::Unknown::kSkipped);
    if (result.users == 0) session_.leave_out(name, "there are neither edges nor users in it");
    if (result.users > 0) said_users_ = true;
  }

  [[nodiscard]] load::Counts counts() const override { return loader_->counts(); }
  [[nodiscard]] bool said_users() const override { return said_users_; }

  [[nodiscard]] std::uint64_t settled(const load::Counts& counts) const override {
    const std::uint64_t follows =
        counts.stored + counts.duplicates + counts.missing + counts.severed;
    return counts.self_loops + follows / ways_;
  }

  [[nodiscard]] Skipped skipped(const load::Counts& counts) const override {
    return skipped_of({{"duplicates", counts.duplicates}, {"selfLoops", counts.self_loops}},
                      {{"gone", counts.missing}, {"blocked", counts.severed}});
  }

  input::EdgeTable table_;
  input::IdKind kind_;
  std::uint64_t ways_;  // the number of follows per edge
  LoadSession session_;
  NamesFile names_;
  Storage* storage_ = nullptr;
  std::optional<load::GraphLoader> loader_;
  std::optional<input::FollowLists> follow_lists_;
  std::optional<input::PostSink> user_sink_;
  std::optional<input::PostReader> users_;  // for texts that are not graphs
  bool has_waited_ = false;
  bool has_told_bulk_ = false;
  bool has_told_over_ = false;
  bool said_users_ = false;  // some members had users and nothing else
};

void check_as(const LoadGraphOptions& options) {
  if (options.format == "auto" && options.ids == "auto" && options.bulk == "auto" &&
      options.names.empty() && !options.undirected && !options.table.any()) {
    return;
  }
  throw Error(ErrorCode::kInvalidArgument,
              "--as reads Mastodon's lists of accounts, which say all else themselves: it goes "
              "without --format, --undirected, --names, --ids, --bulk and --columns.");
}

void run_graph(Context& context, const LoadGraphOptions& options) {
  if (options.as.empty()) {
    GraphLoad(context, options).run();
  } else {
    check_as(options);
    load_accounts(context, options.input, options.as);
  }
}

}  // namespace

void add_load_graph(CommandLine& app) {
  auto [verb, options] =
      app.verb<LoadGraphOptions>(load_noun(app),
                                 {"graph",
                                  "Load who follows whom: edge and adjacency lists, CSV, GraphML, "
                                  "GEXF, GML, Pajek, JSON, nostr.",
                                  "chirp load graph twitter_combined.txt.gz\n"
                                  "chirp load graph follows.csv --names people.csv\n"
                                  "chirp load graph --undirected friends.tsv\n"
                                  "chirp load graph following_accounts.csv --as mira\n"
                                  "zcat higgs.edgelist.gz | head -n -1 | chirp load graph -"},
                                 run_graph);
  add_input(verb, options.input);
  verb.add_option("--format", options.format, "Format of the files (default: auto)")
      ->option_text("auto|snap|csv|adjacency");
  verb.add_flag("--undirected", options.undirected, "Each edge is two follows, one each way");
  verb.add_option("--names", options.names, "A table of users with a header: id, name, …")
      ->option_text("FILE");
  add_ids(verb, options.ids);
  add_table(verb, options.table, HasTimes::kNo, "-,from,to; - is left out");
  verb.add_option(
          "--bulk", options.bulk,
          "Build new tables of follows instead of changing them: auto where that is quicker")
      ->option_text("auto|always|never");
  verb.add_option("--as", options.as, "The files are Mastodon's lists of this user's accounts")
      ->option_text("NAME");
}

}  // namespace chirp::cli
