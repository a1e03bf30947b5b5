#include "store/lmdb/page_check.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <tuple>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "store/lmdb/metas.h"

namespace chirp::lmdb {
namespace {

// The layout of LMDB 0.9's pages on a 64-bit little-endian machine; see also metas.cpp. A page has:
// number (8 bytes), padding (2), flags (2), end of the list of nodes (2), start of the nodes (2),
// offsets of the nodes (2 each). Nodes fill a page from its end without gaps. A node has: a number
// in two halves (4), flags (2), length of the key (2), key, value.
constexpr std::size_t kPageHeader = 16;
constexpr std::size_t kNodeHeader = 8;
constexpr std::uint16_t kBranchPage = 1;
constexpr std::uint16_t kLeafPage = 2;
constexpr std::uint16_t kOverflowPage = 4;
constexpr std::uint16_t kBigValue = 1;    // node flag: the value is on overflow pages
constexpr std::uint16_t kTableValue = 2;  // node flag: the value describes a table
constexpr std::uint64_t kNoRoot = ~std::uint64_t{0};
constexpr std::size_t kFirstPage = 2;  // after the meta pages
constexpr unsigned kDepthMax = 32;
constexpr std::size_t kKeyMax = 511;
constexpr std::size_t kTreeBytes = 48;
constexpr std::size_t kFreeAt = 40;  // in a meta page: the tree of free pages
constexpr std::size_t kMainAt = 88;  // in a meta page: the tree of tables
constexpr int kLooksMax = 100;

struct PageFault {
  std::string what;
};

template <class Number>
Number field_at(std::string_view bytes, std::size_t offset) {
  Number value{};
  if (offset + sizeof value > bytes.size()) throw PageFault{"a value is too short"};
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

enum class TreeKind : std::uint8_t { kFree, kMain, kTable };

struct TreeFacts {
  TreeKind kind = TreeKind::kTable;
  std::uint16_t depth = 0;
  std::uint64_t branches = 0;
  std::uint64_t leaves = 0;
  std::uint64_t overflows = 0;
  std::uint64_t entries = 0;
  std::uint64_t root = kNoRoot;
};

TreeFacts tree_at(std::string_view bytes, std::size_t at, TreeKind kind) {
  return {kind,
          field_at<std::uint16_t>(bytes, at + 6),
          field_at<std::uint64_t>(bytes, at + 8),
          field_at<std::uint64_t>(bytes, at + 16),
          field_at<std::uint64_t>(bytes, at + 24),
          field_at<std::uint64_t>(bytes, at + 32),
          field_at<std::uint64_t>(bytes, at + 40)};
}

struct PageNode {
  std::size_t at = 0;
  std::size_t size = 0;
  std::uint64_t number = 0;  // in a branch: the child's page; in a leaf: the value's length
  std::uint16_t flags = 0;
  std::string_view key;
  std::string_view value;
};

// The keys that a page may contain: from `low`, and below `high` if set.
struct KeyBounds {
  std::string_view low;
  std::optional<std::string_view> high;
};

class PageWalk {
 public:
  PageWalk(int fd, std::uint64_t last) : fd_(fd), seen_(last + 1) {}

  void state(std::string_view meta) {
    for (const TreeFacts& of :
         {tree_at(meta, kMainAt, TreeKind::kMain), tree_at(meta, kFreeAt, TreeKind::kFree)}) {
      tree(of);
    }
    for (std::size_t i = 0; i < tables_.size(); ++i) tree(tables_[i]);
    for (const std::uint64_t number : free_) take(number, "is free and in use");
  }

 private:
  [[noreturn]] static void fail(std::uint64_t page, std::string_view what) {
    throw PageFault{fmt::format("page {} {}", page, what)};
  }

  void take(std::uint64_t number, std::string_view otherwise) {
    if (number < kFirstPage || number >= seen_.size()) fail(number, "is outside of the file");
    if (seen_[number]) fail(number, otherwise);
    seen_[number] = true;
  }

  [[nodiscard]] std::string read(std::uint64_t number, std::size_t pages) const {
    std::string bytes(pages * kPage, '\0');
    const ssize_t got =
        ::pread(fd_, bytes.data(), bytes.size(), static_cast<off_t>(number * kPage));
    if (got != static_cast<ssize_t>(bytes.size())) fail(number, "can't be read");
    return bytes;
  }

  std::string use(std::uint64_t number, std::size_t pages, std::uint16_t flags) {
    if (pages > seen_.size()) fail(number, "has too long a value");
    for (std::size_t i = 0; i < pages; ++i) take(number + i, "is used twice");
    std::string bytes = read(number, pages);
    if (field_at<std::uint64_t>(bytes, 0) != number) fail(number, "has another page's number");
    if (field_at<std::uint16_t>(bytes, 10) != flags) fail(number, "is of the wrong kind");
    return bytes;
  }

  void tree(const TreeFacts& expected) {
    TreeFacts found;
    found.kind = expected.kind;
    if (expected.root != kNoRoot) {
      if (expected.depth == 0 || expected.depth > kDepthMax) {
        fail(expected.root, "has a wrong depth");
      }
      found.depth = expected.depth;
      page(expected.root, expected.depth, {}, found);
    }
    const auto counts = [](const TreeFacts& of) {
      return std::tuple(of.depth, of.branches, of.leaves, of.overflows, of.entries);
    };
    if (counts(expected) != counts(found)) fail(expected.root, "has wrong counts");
  }

  static int compare(TreeKind kind, std::string_view a, std::string_view b) {
    if (kind != TreeKind::kFree) return a.compare(b);
    if (a.empty() || b.empty()) return a.empty() ? (b.empty() ? 0 : -1) : 1;
    const auto x = field_at<std::uint64_t>(a, 0);
    const auto y = field_at<std::uint64_t>(b, 0);
    return x < y ? -1 : x > y ? 1 : 0;
  }

  void page(std::uint64_t number, unsigned depth, const KeyBounds& bounds, TreeFacts& found) {
    const std::string bytes = use(number, 1, depth > 1 ? kBranchPage : kLeafPage);
    const std::vector<PageNode> nodes = nodes_of(number, bytes, depth > 1);
    // LMDB never reads the first key of a branch.
    for (std::size_t i = depth > 1 ? 1 : 0; i < nodes.size(); ++i) {
      const std::string_view key = nodes[i].key;
      const bool is_first = i == (depth > 1 ? 1 : 0);
      if (key.empty() || key.size() > kKeyMax) fail(number, "has a key of a wrong length");
      if (is_first ? compare(found.kind, key, bounds.low) < 0
                   : compare(found.kind, key, nodes[i - 1].key) <= 0) {
        fail(number, "has keys out of order");
      }
      if (bounds.high && compare(found.kind, key, *bounds.high) >= 0) {
        fail(number, "has keys of another page");
      }
    }
    if (depth == 1) {
      ++found.leaves;
      for (const PageNode& node : nodes) leaf(number, node, found);
      return;
    }
    ++found.branches;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      page(nodes[i].number, depth - 1,
           {i == 0 ? bounds.low : nodes[i].key,
            i + 1 < nodes.size() ? std::optional(nodes[i + 1].key) : bounds.high},
           found);
    }
  }

  static std::vector<PageNode> nodes_of(std::uint64_t number, std::string_view bytes,
                                        bool is_branch) {
    const std::size_t end = field_at<std::uint16_t>(bytes, 12);
    const std::size_t start = field_at<std::uint16_t>(bytes, 14);
    if (end < kPageHeader || end > start || start > kPage || end % 2 != 0) {
      fail(number, "has wrong bounds");
    }
    std::vector<PageNode> nodes;
    for (std::size_t i = kPageHeader; i < end; i += 2) {
      nodes.push_back(node_at(number, bytes, field_at<std::uint16_t>(bytes, i), is_branch));
    }
    if (nodes.size() < (is_branch ? 2 : 1)) fail(number, "has too few nodes");
    std::vector<std::pair<std::size_t, std::size_t>> places;
    for (const PageNode& node : nodes) places.emplace_back(node.at, node.size);
    std::sort(places.begin(), places.end());
    std::size_t next = start;
    for (const auto& [at, size] : places) {
      if (at != next) fail(number, "has nodes that overlap or leave gaps");
      next = at + size;
    }
    if (next != kPage) fail(number, "has nodes that overlap or leave gaps");
    return nodes;
  }

  static PageNode node_at(std::uint64_t number, std::string_view bytes, std::size_t at,
                          bool is_branch) {
    if (at < kPageHeader || at + kNodeHeader > kPage) fail(number, "has a node outside of it");
    PageNode node;
    node.at = at;
    node.number = field_at<std::uint32_t>(bytes, at);
    node.flags = field_at<std::uint16_t>(bytes, at + 4);
    const std::size_t key = field_at<std::uint16_t>(bytes, at + 6);
    std::size_t value = 0;
    if (is_branch) {
      node.number |= std::uint64_t{node.flags} << 32;
    } else {
      value = (node.flags & kBigValue) != 0 ? sizeof(std::uint64_t) : node.number;
    }
    node.size = kNodeHeader + key + value;
    if (node.size > kPage - at) fail(number, "has a node that is too long");
    node.key = bytes.substr(at + kNodeHeader, key);
    node.value = bytes.substr(at + kNodeHeader + key, value);
    node.size += node.size % 2;
    return node;
  }

  void leaf(std::uint64_t number, const PageNode& node, TreeFacts& found) {
    ++found.entries;
    const bool is_table = node.flags == kTableValue && node.value.size() == kTreeBytes;
    if (found.kind == TreeKind::kMain ? !is_table : (node.flags & ~kBigValue) != 0) {
      fail(number, "has a node of the wrong kind");
    }
    std::string big;
    std::string_view value = node.value;
    if ((node.flags & kBigValue) != 0) {
      const auto first = field_at<std::uint64_t>(value, 0);
      const std::size_t pages = (kPageHeader - 1 + node.number) / kPage + 1;
      big = use(first, pages, kOverflowPage);
      if (field_at<std::uint32_t>(big, 12) != pages) fail(first, "has a wrong length");
      found.overflows += pages;
      value = std::string_view(big).substr(kPageHeader, node.number);
    }
    if (found.kind == TreeKind::kMain) tables_.push_back(tree_at(value, 0, TreeKind::kTable));
    if (found.kind == TreeKind::kFree) free_list(number, node.key, value);
  }

  // Checks a list of free pages; its first number is its length.
  void free_list(std::uint64_t number, std::string_view key, std::string_view value) {
    const auto count = field_at<std::uint64_t>(value, 0);
    if (key.size() != sizeof(std::uint64_t) || count >= value.size() / sizeof(std::uint64_t)) {
      fail(number, "has a wrong list of free pages");
    }
    for (std::uint64_t i = 1; i <= count; ++i) {
      free_.push_back(field_at<std::uint64_t>(value, i * sizeof(std::uint64_t)));
    }
  }

  int fd_;
  std::vector<bool> seen_;
  std::vector<TreeFacts> tables_;
  std::vector<std::uint64_t> free_;
};

}  // namespace

std::optional<std::string> page_fault(const std::shared_ptr<Env>& env) {
  for (int tries = 0; tries < kLooksMax; ++tries) {
    // Writers do not reuse the pages of this state while it is open. Its meta page can be replaced.
    const Env::Reader reader(env);
    MDB_env* of = mdb_txn_env(reader.txn().raw());
    int fd = -1;
    const char* folder = "";
    check_status(mdb_env_get_fd(of, &fd), "Reading");
    check_status(mdb_env_get_path(of, &folder), "Reading");
    const Metas metas = read_metas(fd, std::filesystem::path(folder) / "data.mdb");
    for (std::size_t i = 0; i < metas.of_page.size(); ++i) {
      if (metas.of_page[i].transaction != reader.txn().id()) continue;
      try {
        PageWalk(fd, metas.of_page[i].last_page)
            .state(
                std::string_view(metas.bytes.data(), metas.bytes.size()).substr(i * kPage, kPage));
        return std::nullopt;
      } catch (const PageFault& fault) {
        return fault.what;
      }
    }
  }
  throw Error(ErrorCode::kUnavailable,
              "The engine's store is written too often to check its pages now. Try again.");
}

}  // namespace chirp::lmdb
