// Goal: whatever may be open at one time, each kind has a share, and none takes all of another's.
// Method: the shares of limits from none to more than enough.
#include "server/http/descriptors.h"

#include <doctest/doctest.h>

#include "server/limits.h"

namespace chirp {

TEST_CASE("descriptors: where enough may be open, the bounds of the server hold") {
  const http::Descriptors all = http::descriptors_of(65'536);
  CHECK(all.connections == limits::kConnectionsMax);
  CHECK(all.streams == limits::kStreamsMax);
  CHECK(all.files == limits::kFilesMax);
}

TEST_CASE("descriptors: where few may be open, streams leave two thirds of the connections") {
  for (const unsigned open_files : {64U, 256U, 512U, 1'024U, 4'096U, 16'000U, 16'351U, 16'352U}) {
    CAPTURE(open_files);
    const http::Descriptors shares = http::descriptors_of(open_files);
    CHECK(shares.connections + shares.files < open_files);
    CHECK(shares.streams * 3 <= shares.connections);
    CHECK(shares.streams > 0);
    CHECK(shares.files > 0);
  }
  CHECK(http::descriptors_of(1'024).streams == 192);
  for (const unsigned open_files : {0U, 1U, 3U}) {
    const http::Descriptors least = http::descriptors_of(open_files);
    CHECK(least.connections == 1);
    CHECK(least.streams == 1);
    CHECK(least.files == 1);
  }
}

}  // namespace chirp
