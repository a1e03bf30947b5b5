// The table of commands: a line a noun (or a verb that needs no noun), in the order of `--help`.
#pragma once

#include <array>

namespace chirp::cli {

class App;

void add_init(App& app);
void add_user(App& app);
void add_post(App& app);
void add_comment(App& app);
void add_follow(App& app);
void add_feed(App& app);
void add_notify(App& app);
void add_trend(App& app);
void add_load_graph(App& app);
void add_load_posts(App& app);
void add_load_users(App& app);
void add_load_events(App& app);
void add_load_archive(App& app);
void add_load_export(App& app);
void add_seed(App& app);
void add_export(App& app);
void add_query(App& app);
void add_stats(App& app);
void add_status(App& app);
void add_config(App& app);
void add_log(App& app);
void add_doctor(App& app);
void add_copies(App& app);
void add_share(App& app);
void add_serve(App& app);
void add_completion(App& app);
void add_manual(App& app);
void add_bench(App& app);
void add_lab(App& app);
void add_plan(App& app);

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
