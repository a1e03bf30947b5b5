#include "cli/input/edge_header.h"

#include <algorithm>
#include <array>
#include <string>

#include "cli/input/cells.h"

namespace chirp::cli::input {
namespace {

bool is_follower(std::string_view name) {
  static constexpr std::array<std::string_view, 22> kNames{
      "follower", "followerid", "from",   "fromid", "fromnode", "fromnodeid", "fromuser", "source",
      "sourceid", "src",        "user",   "userid", "user1",    "usera",      "id",       "id1",
      "node",     "node1",      "nodeid", "u",      "a",        "start"};
  return std::ranges::find(kNames, plain_name(name)) != kNames.end();
}

bool is_followee(std::string_view name) {
  static constexpr std::array<std::string_view, 25> kNames{
      "followee", "followeeid", "followed", "followedid", "follows", "following", "to",
      "toid",     "tonode",     "tonodeid", "touser",     "target",  "targetid",  "dst",
      "dest",     "friend",     "friendid", "other",      "user2",   "userb",     "id2",
      "node2",    "v",          "b",        "end"};
  return std::ranges::find(kNames, plain_name(name)) != kNames.end();
}

}  // namespace

Header header_of(std::string_view first, std::string_view second) {
  if (is_follower(first) && is_followee(second)) return Header::kKnown;
  return is_followee(first) && is_follower(second) ? Header::kReversed : Header::kUnknown;
}

}  // namespace chirp::cli::input
