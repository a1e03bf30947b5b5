// The table of commands: a line a noun (or a verb that needs no noun), in the order of `--help`.
#pragma once

#include <array>

namespace chirp::cli {

class App;

void add_init(App& app);
void add_user(App& app);
void add_post(App& app);
void add_follow(App& app);
void add_feed(App& app);

inline constexpr std::array kCommands{
    &add_init,    //
    &add_user,    //
    &add_post,    //
    &add_follow,  //
    &add_feed,    //
};

}  // namespace chirp::cli
