#include "cli/input/edge_header.h"

#include <algorithm>
#include <array>
#include <string>

#include "cli/input/cells.h"

namespace chirp::cli::input {

bool names_follower(std::string_view name) {
  static constexpr std::array<std::string_view, 22> kNames{
      "follower", "followerid", "from",   "fromid", "fromnode", "fromnodeid", "fromuser", "source",
      "sourceid", "src",        "user",   "userid", "user1",    "usera",      "id",       "id1",
      "node",     "node1",      "nodeid", "u",      "a",        "start"};
  return std::ranges::find(kNames, plain_name(name)) != kNames.end();
}

bool names_followee(std::string_view name) {
  static constexpr std::array<std::string_view, 25> kNames{
      "followee", "followeeid", "followed", "followedid", "follows", "following", "to",
      "toid",     "tonode",     "tonodeid", "touser",     "target",  "targetid",  "dst",
      "dest",     "friend",     "friendid", "other",      "user2",   "userb",     "id2",
      "node2",    "v",          "b",        "end"};
  return std::ranges::find(kNames, plain_name(name)) != kNames.end();
}

bool names_person(std::string_view name) {
  static constexpr std::array<std::string_view, 10> kNames{
      "person", "member",  "label",   "nickname", "who",
      "whom",   "person1", "person2", "name1",    "name2"};
  return std::ranges::find(kNames, plain_name(name)) != kNames.end();
}

Header header_of(std::string_view first, std::string_view second) {
  if (names_follower(first) && names_followee(second)) return Header::kKnown;
  return names_followee(first) && names_follower(second) ? Header::kReversed : Header::kUnknown;
}

std::optional<Field> tie_field(std::string_view name) {
  if (names_follower(name)) return Field::kFrom;
  if (names_followee(name)) return Field::kTo;
  const std::string key = plain_name(name);
  if (key == "count" || key == "weight") return Field::kCount;
  if (key == "time" || key == "timestamp" || key == "createdat") return Field::kCreatedAt;
  if (key == "kind" || key == "type") return Field::kKind;
  return std::nullopt;
}

}  // namespace chirp::cli::input
