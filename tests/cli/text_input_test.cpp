// Goal: texts and passwords from standard input are what was meant, whichever system wrote them; an
// answer that is lost is a failure; full disks and limits have different errors.
// Method: the program with such inputs, with standard output closed, and below a limit of file
// sizes.
#include <cerrno>
#include <fcntl.h>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/error.h"
#include "store/files.h"
#include "store/room.h"
#include "tests/support/child.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::text_input_test {
namespace {

constexpr const char* kMark = "\xEF\xBB\xBF";

class Place {
 public:
  Place() { REQUIRE(chirp({"init"}).ok()); }

  Ended chirp(const std::vector<std::string>& arguments, const std::string& input = "") const {
    Command command = chirp_command((folder_ / "data").string(), arguments);
    command.input = input;
    return run(command);
  }
  // The program as a shell starts it: `how` ends in "$@".
  Ended shell(const std::string& how, const std::vector<std::string>& arguments) const {
    Command command = chirp_command((folder_ / "data").string(), arguments);
    std::vector<std::string> all{"/bin/sh", "-c", how, "sh"};
    all.insert(all.end(), command.arguments.begin(), command.arguments.end());
    command.arguments = all;
    return run(command);
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }

 private:
  TempFolder folder_;
};

}  // namespace

TEST_CASE("text input: one end of a line of any kind is no part of it, nor is a mark") {
  const Place place;
  REQUIRE(place.chirp({"user", "add", "mira"}).ok());
  for (const char* const text : {"Two", "Two\n", "Two\r\n", "Two\r"}) {
    for (const char* const mark : {"", kMark}) {
      const Ended added =
          place.chirp({"post", "add", "mira", "-", "--json"}, std::string(mark) + text);
      REQUIRE_MESSAGE(added.ok(), to_string(added));
      CHECK(added.out.find(R"("content":"Two")") != std::string::npos);
    }
  }
  // A line end inside the text is a part of it.
  CHECK(place.chirp({"post", "add", "mira", "-", "--json"}, "One\nTwo\n").out.find("One\\nTwo") !=
        std::string::npos);
  CHECK(place.chirp({"post", "add", "mira", "-"}, "One\rTwo").status == 2);
  const Ended asked = place.chirp({"query", "-"}, std::string(kMark) + "SELECT 1 + 1;\r\n");
  CHECK_MESSAGE(asked.out == "2\n", to_string(asked));
}

TEST_CASE("text input: a password is the same with a mark and with any end of a line") {
  const Place place;
  REQUIRE(place.chirp({"config", "set", "auth.bcrypt_cost", "4"}).ok());
  const std::string password = "quiet copper lantern";
  int n = 0;
  for (const std::string& input :
       {password, password + "\n", password + "\r\n", kMark + password + "\r\n"}) {
    const std::string name = fmt::format("user{}", n++);
    const Ended added = place.chirp({"user", "add", name, "--password-stdin"}, input);
    CHECK_MESSAGE(added.ok(), to_string(added));
  }
  const Ended refused = place.chirp({"user", "add", "other", "--password-stdin"}, "quiet\rcopper1");
  CHECK(refused.status == 2);
  CHECK(refused.err.find("U+000D") != std::string::npos);
}

TEST_CASE("text input: an answer that is lost is a failure") {
  const Place place;
  REQUIRE(place.chirp({"user", "add", "mira"}).ok());
  const Ended lost = place.shell(R"(exec "$@" >&-)", {"user", "list"});
  CHECK(lost.status == 1);
  CHECK(lost.err == "chirp: Standard output is closed. The answer is lost.\n");
  CHECK(place.shell(R"(exec "$@" >&-)", {"--version"}).status == 1);
  // With nothing to print there is nothing lost.
  CHECK(place.shell(R"(exec "$@" >&-)", {"--quiet", "config", "set", "feed.cap", "50"}).ok());
  CHECK(place.shell(R"(exec "$@" <&-)", {"user", "list"}).ok());
}

TEST_CASE("text input: a file that may not grow is not reported as a full disk") {
  const Place place;
  const Ended refused = place.shell(R"(ulimit -f 8; exec "$@")", {"backup", place.path("copy")});
  CHECK(refused.status != 0);
  CHECK_MESSAGE(refused.err.find("ulimit -f") != std::string::npos, to_string(refused));
  CHECK(refused.err.find("disk is full") == std::string::npos);
  CHECK(store::room_advice(ENOSPC).find("disk is full") != std::string::npos);
  CHECK(store::room_advice(EDQUOT).find("quota") != std::string::npos);
  CHECK(store::room_advice(EFBIG).find("ulimit -f") != std::string::npos);
}

// The folders of /proc are such ones.
TEST_CASE("text input: a folder that can't be synced is no failure, a file is one") {
  store::sync_folder("/proc/self");
  const auto file = store::File::open("/proc/self/status", O_RDONLY);
  CHECK_THROWS_AS(store::sync(file, "/proc/self/status"), Error);
}

}  // namespace chirp::test::text_input_test
