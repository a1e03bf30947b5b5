// Finds the operation that a request is for: the patterns of the tables of operations, as a tree of
// path segments. A literal segment goes before a `{name}`. Safe to call from any thread once made.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/api/operations.h"

namespace chirp::api {

// Those of every subject; without a demo what is a demo's alone is not there.
enum class WithDemo : std::uint8_t { kNo, kYes };
[[nodiscard]] std::span<const std::span<const Operation>> operation_tables(
    WithDemo demo = WithDemo::kYes);

class Router {
 public:
  explicit Router(std::span<const std::span<const Operation>> tables);

  struct Match {
    const Operation* operation = nullptr;  // of the path and method; null if there is none
    std::vector<std::string_view> path;    // the values of the `{names}`
    std::string_view allow;                // the methods that the path takes; empty for no path
  };
  // HEAD is taken where GET is. `segments` must outlive the match.
  [[nodiscard]] Match match(http::Method method, std::span<const std::string> segments) const;

 private:
  struct Node {
    std::map<std::string, std::size_t, std::less<>> literals;
    std::optional<std::size_t> any;
    std::map<http::Method, const Operation*> operations;
    std::string allow;
  };
  void add(const Operation& operation);
  [[nodiscard]] std::size_t child(std::size_t node, std::string_view segment);
  [[nodiscard]] const Node* find(std::size_t node, std::span<const std::string> segments,
                                 std::vector<std::string_view>& path) const;

  std::vector<Node> nodes_{1};
};

}  // namespace chirp::api
