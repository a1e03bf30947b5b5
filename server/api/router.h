// Finds the operation for a request in a tree of path segments. A literal segment has priority over
// a `{name}`. Immutable, so safe to call from any thread.
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

// Whether to include the operations that exist only with --demo.
enum class WithDemo : std::uint8_t { kNo, kYes };
[[nodiscard]] std::span<const std::span<const Operation>> operation_tables(
    WithDemo demo = WithDemo::kYes);

class Router {
 public:
  explicit Router(std::span<const std::span<const Operation>> tables);

  struct Match {
    const Operation* operation = nullptr;  // for the path and method; null if unknown
    std::vector<std::string_view> path;    // the values of the `{names}`
    std::string_view allow;                // the methods of the path; empty for an unknown path
  };
  // HEAD matches like GET. `segments` must outlive the result.
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
