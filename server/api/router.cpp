#include "server/api/router.h"

#include <array>

#include "core/error.h"

namespace chirp::api {

std::span<const std::span<const Operation>> operation_tables(WithDemo demo) {
  // The demo's operations must be last.
  static const std::array kTables{
      account_calls(), session_calls(), relation_calls(), post_calls(),         reaction_calls(),
      comment_calls(), feed_calls(),    engine_calls(),   notification_calls(), stream_calls(),
      media_calls(),   service_calls(), stage_calls(),
  };
  const std::span<const std::span<const Operation>> all(kTables);
  return demo == WithDemo::kYes ? all : all.first(all.size() - 1);
}

Router::Router(std::span<const std::span<const Operation>> tables) {
  for (const auto& table : tables) {
    for (const Operation& operation : table) add(operation);
  }
  for (Node& node : nodes_) {
    for (const auto& [method, operation] : node.operations) {
      if (!node.allow.empty()) node.allow += ", ";
      node.allow += http::name(method);
      if (method == http::Method::kGet) node.allow += ", HEAD";
    }
  }
}

void Router::add(const Operation& operation) {
  std::size_t node = 0;
  std::string_view rest = operation.pattern.substr(1);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('/'), rest.size());
    node = child(node, rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  const bool fresh = nodes_[node].operations.emplace(operation.method, &operation).second;
  check(fresh, "a path has one operation for each method");
}

std::size_t Router::child(std::size_t node, std::string_view segment) {
  const std::size_t next = nodes_.size();
  if (segment.starts_with('{')) {
    if (!nodes_[node].any) {
      nodes_[node].any = next;
      nodes_.emplace_back();
    }
    return *nodes_[node].any;
  }
  const auto [found, fresh] = nodes_[node].literals.emplace(segment, next);
  const std::size_t at = found->second;
  if (fresh) nodes_.emplace_back();
  return at;
}

const Router::Node* Router::find(std::size_t node, std::span<const std::string> segments,
                                 std::vector<std::string_view>& path) const {
  const Node& here = nodes_[node];
  if (segments.empty()) return here.operations.empty() ? nullptr : &here;
  const auto literal = here.literals.find(segments.front());
  if (literal != here.literals.end()) {
    if (const Node* found = find(literal->second, segments.subspan(1), path)) return found;
  }
  if (!here.any || segments.front().empty()) return nullptr;
  path.push_back(segments.front());
  const Node* const found = find(*here.any, segments.subspan(1), path);
  if (found == nullptr) path.pop_back();
  return found;
}

Router::Match Router::match(http::Method method, std::span<const std::string> segments) const {
  Match match;
  const Node* const node = find(0, segments, match.path);
  if (node == nullptr) return {};
  match.allow = node->allow;
  const auto found =
      node->operations.find(method == http::Method::kHead ? http::Method::kGet : method);
  if (found != node->operations.end()) match.operation = found->second;
  return match;
}

}  // namespace chirp::api
