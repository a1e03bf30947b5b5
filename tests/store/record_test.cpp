// Goal: a record whose sum is right and whose contents make no sense is called damaged, whatever it
// says of itself. Keys have LMDB's own order, and commits of older programs count as changes.
// Method: records written with contents that no writer makes, read as what they claim to be.
#include "store/lmdb/record.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include "core/rules/writing.h"
#include "store/lmdb/batch.h"
#include "store/lmdb/edges.h"
#include "store/lmdb/entries.h"
#include "store/lmdb/env.h"
#include "store/lmdb/key_order.h"
#include "store/lmdb/records.h"
#include "store/lmdb/storage.h"
#include "tests/support/temp_folder.h"
#include "tests/support/thrown.h"

namespace chirp::lmdb {
namespace {

using test::code_of;

const Key<8> kKey = key(UserNumber{7}, UserNumber{0});
constexpr std::uint64_t kHuge = std::uint64_t{1} << 60;

}  // namespace

TEST_CASE("records: more things than there are bytes for are damage, and take no memory") {
  RecordWriter out;
  out.varint(kHuge);
  out.raw("abc");
  const std::string entries(out.seal(Table::kTimelineParts, kKey));
  RecordReader in(Table::kTimelineParts, kKey, entries);
  CHECK(code_of([&] { (void)EntryReader(in).all(); }) == ErrorCode::kCorrupt);
  const std::string chunk(out.seal(Table::kFollowing, kKey));
  CHECK(code_of([&] {
          (void)decode_chunk(Table::kFollowing, {kKey, chunk});
        }) == ErrorCode::kCorrupt);
}

TEST_CASE("records: a time beyond all times is damage") {
  RecordWriter out;
  out.varint(1);
  out.varint(9);
  out.zigzag(std::numeric_limits<std::int64_t>::max());
  const std::string chunk(out.seal(Table::kFollowing, kKey));
  CHECK(code_of([&] {
          (void)decode_chunk(Table::kFollowing, {kKey, chunk});
        }) == ErrorCode::kCorrupt);
}

TEST_CASE("records: an author that is no user number is damage") {
  RecordWriter out;
  out.varint(1);
  out.fixed(std::uint64_t{5} << 22);
  out.varint(kHuge);
  const std::string entries(out.seal(Table::kTimelineParts, kKey));
  RecordReader in(Table::kTimelineParts, kKey, entries);
  CHECK(code_of([&] { (void)EntryReader(in).all(); }) == ErrorCode::kCorrupt);
}

TEST_CASE("records: a post of a privacy that there is not is damage") {
  RecordWriter out;
  out.varint(9);
  out.raw("text");
  const auto code_with = [&](std::uint8_t flags) {
    const std::string post(out.seal(Table::kPosts, kKey, flags));
    return code_of([&] { (void)decode_post(kKey, post); });
  };
  CHECK_FALSE(code_with(0));
  CHECK(code_with(3) == ErrorCode::kCorrupt);
}

TEST_CASE(
    "records: alt texts come after the media, and media without them take no bytes for them") {
  using namespace std::string_literals;
  Post post;
  post.id = PostId{u64_at(kKey)};
  post.author = UserNumber{9};
  post.created_at = snowflake::time_of(post.id.value);
  post.text = "text";
  post.media = {{MediaId{7}, {}}, {{}, "http://a"}};
  const auto payload = [&](std::uint8_t flags) {
    RecordWriter out;
    CHECK(encode_post(out, post) == flags);
    const std::string record(out.seal(Table::kPosts, kKey, flags));
    CHECK(decode_post(kKey, record) == post);
    return record.substr(kRecordHeader);
  };
  const std::string media = "\x09\x02\x07\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x08http://a"s;
  CHECK(payload(32) == media + "text");
  post.media.back().alt_text = "boats";
  CHECK(payload(32 + 128) == media + "\0\x05"s + "boatstext");
}

TEST_CASE("records: posts with flags that no writer sets so are damage") {
  using namespace std::string_literals;
  // The bytes between the author and the text.
  const auto code_with = [](unsigned flags, const std::string& fields) {
    RecordWriter out;
    out.varint(9);
    out.raw(fields + "text");
    const std::string post(out.seal(Table::kPosts, kKey, static_cast<std::uint8_t>(flags)));
    return code_of([&] { (void)decode_post(kKey, post); });
  };
  const std::string none(8, '\0');
  const std::string seven = "\x07"s + none.substr(1);
  constexpr unsigned kSource = 8, kRepost = 16, kMedia = 32, kWord = 64, kAlt = 128;
  CHECK_FALSE(code_with(kSource, seven));
  CHECK_FALSE(code_with(kWord, "\x01w"));
  CHECK(code_with(kWord, "\0"s) == ErrorCode::kCorrupt);
  CHECK(code_with(kSource + kWord, seven + "\x01w") == ErrorCode::kCorrupt);
  CHECK_FALSE(code_with(kRepost, seven + "\x05"));
  CHECK(code_with(kRepost, none + "\x05") == ErrorCode::kCorrupt);
  CHECK_FALSE(code_with(kMedia, "\x01" + seven));
  CHECK(code_with(kMedia, "\0"s) == ErrorCode::kCorrupt);
  CHECK_FALSE(code_with(kMedia + kAlt, "\x01" + seven + "\x01s"));
  CHECK(code_with(kMedia + kAlt, "\x01" + seven + "\0"s) == ErrorCode::kCorrupt);
  CHECK(code_with(kAlt, "") == ErrorCode::kCorrupt);
}

TEST_CASE("records: comments and cards with flags that no writer sets so are damage") {
  using namespace std::string_literals;
  const std::string none(8, '\0');
  const std::string seven = "\x07"s + none.substr(1);
  const auto comment = [&](unsigned flags, const std::string& fields) {
    RecordWriter out;
    out.raw(seven + "\x09" + fields + "text");
    const std::string record(out.seal(Table::kComments, kKey, static_cast<std::uint8_t>(flags)));
    return code_of([&] { (void)decode_comment(kKey, record); });
  };
  CHECK_FALSE(comment(8, seven));
  CHECK(comment(8, none) == ErrorCode::kCorrupt);
  CHECK(comment(16, "\0"s) == ErrorCode::kCorrupt);
  CHECK(comment(4 + 16, seven + "\x01w") == ErrorCode::kCorrupt);
  const auto card = [&](unsigned flags, const std::string& fields) {
    RecordWriter out;
    out.raw(seven + fields + "\x04mira\x04Mira");
    const std::string record(out.seal(Table::kCards, kKey, static_cast<std::uint8_t>(flags)));
    return code_of([&] { (void)decode_card(kKey, record); });
  };
  CHECK_FALSE(card(8, "\x01w"));
  CHECK(card(8, "\0"s) == ErrorCode::kCorrupt);
  CHECK(card(2 + 8, seven + "\x01w") == ErrorCode::kCorrupt);
}

}  // namespace chirp::lmdb

namespace chirp::test {
namespace {

// A commit of a program that ends the record where the number starts.
void write_as_before(lmdb::Env& env) {
  env.write([](lmdb::WriteTxn& txn) {
    const auto key = lmdb::meta_key("state");
    lmdb::RecordReader in(lmdb::Table::kMeta, key, *txn.get(lmdb::Table::kMeta, key));
    const std::string payload(in.rest());
    lmdb::RecordWriter record;
    record.raw(payload.substr(0, 177));
    txn.put(lmdb::Table::kMeta, key, record.seal(lmdb::Table::kMeta, key));
  });
}

}  // namespace

TEST_CASE("lmdb: a commit of a program that does not count changes without an event is one") {
  const TempFolder folder;
  lmdb::create_store(folder.path(), folder / "write.lock", {2, "test", 7});
  const auto env = lmdb::Env::open(folder.path(), folder / "write.lock", lmdb::OpenMode::kOpen);
  const auto storage = lmdb::open_storage(env);
  const auto number = [&] { return storage->snapshot()->state().unlogged; };
  std::set<std::uint64_t> seen{number()};
  CHECK(number() == 0);
  for (int i = 0; i < 3; ++i) {
    write_as_before(*env);
    const std::uint64_t before = *seen.rbegin();
    CHECK(number() > before);
    write_as_before(*env);
    CHECK(number() > before + 1);
    seen.insert(number());
    // Today's program keeps the number, and goes on from it.
    rules::set_plain(*storage, "key", "value");
    const std::uint64_t kept = number();
    CHECK(kept > *seen.rbegin());
    rules::set_plain(*storage, "key", "other");
    CHECK(number() == kept);
    rules::repair_content_counters(*storage, ContentId{5}, {}, Time{});
    CHECK(number() == kept + 1);
    seen.insert(number());
  }
}

namespace {

int sign(int order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

int by_memcmp(const std::string& a, const std::string& b) {
  const int bytes = std::memcmp(a.data(), b.data(), std::min(a.size(), b.size()));
  if (bytes != 0) return sign(bytes);
  return a.size() < b.size() ? -1 : a.size() > b.size() ? 1 : 0;
}

}  // namespace

TEST_CASE("key order: it is that of the bytes, the shorter first") {
  std::mt19937_64 random(1);
  const std::string alphabet("\x00\x01\x7f\x80\xff", 5);
  const auto key = [&](std::string start) {
    for (std::size_t left = random() % 12; left > 0; --left) {
      start.push_back(alphabet[random() % alphabet.size()]);
    }
    return start;
  };
  int wrong = 0;
  for (int i = 0; i < 200'000; ++i) {
    const std::string start = key("");
    const std::string a = key(start);
    const std::string b = key(start);
    if (sign(lmdb::compare_keys(a, b)) != by_memcmp(a, b)) ++wrong;
  }
  CHECK(wrong == 0);
}

}  // namespace chirp::test
