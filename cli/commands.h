// The table of commands: a line a noun (or a verb that needs no noun), in the order of `--help`.
#pragma once

#include <array>

namespace chirp::cli {

class Command;
class CommandLine;

void add_init(CommandLine& app);
void add_user(CommandLine& app);
void add_post(CommandLine& app);
void add_comment(CommandLine& app);
void add_follow(CommandLine& app);
void add_feed(CommandLine& app);
void add_notify(CommandLine& app);
void add_trend(CommandLine& app);
void add_load_graph(CommandLine& app);
void add_load_posts(CommandLine& app);
void add_load_users(CommandLine& app);
void add_load_events(CommandLine& app);
void add_load_archive(CommandLine& app);
void add_load_export(CommandLine& app);
void add_seed(CommandLine& app);
void add_export(CommandLine& app);
void add_query(CommandLine& app);
void add_stats(CommandLine& app);
void add_status(CommandLine& app);
void add_config(CommandLine& app);
void add_log(CommandLine& app);
void add_doctor(CommandLine& app);
void add_copies(CommandLine& app);
void add_share(CommandLine& app);
void add_serve(CommandLine& app);
void add_completion(CommandLine& app);
void add_manual(CommandLine& app);
void add_bench(CommandLine& app);
void add_lab(CommandLine& app);
void add_plan(CommandLine& app);

// ---- verbs whose files are not those of their nouns
void add_feed_show(CommandLine& app, Command& noun);
// `chirp post react`, `unreact` and `reactions`.
void add_reaction_verbs(CommandLine& app, Command& noun);
// `chirp user token`, `tokens` and `sessions`.
void add_user_token(CommandLine& app, Command& noun);
// `chirp user list`, `blocks` and `mutes`.
void add_user_lists(CommandLine& app, Command& noun);
// `chirp user suspend`, `unsuspend` and `rename`.
void add_user_state(CommandLine& app, Command& noun);

// clang-format off
inline constexpr std::array kCommands{
    &add_init,
    &add_user,
    &add_post,
    &add_comment,
    &add_follow,
    &add_feed,
    &add_notify,
    &add_trend,
    &add_load_graph,
    &add_load_posts,
    &add_load_users,
    &add_load_events,
    &add_load_archive,
    &add_load_export,
    &add_seed,
    &add_export,
    &add_query,
    &add_stats,
    &add_status,
    &add_config,
    &add_log,
    &add_doctor,
    &add_copies,
    &add_share,
    &add_serve,
    &add_bench,
    &add_lab,
    &add_plan,
    &add_completion,
    &add_manual,
};
// clang-format on

}  // namespace chirp::cli
