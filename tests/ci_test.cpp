// Goal: `make check` runs the tests of what was changed.
// Method: .ci/touched looks at a repository of the test's own.
#include <doctest/doctest.h>

#include "tests/support/child.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {

TEST_CASE("tidy: a check runs the tests of the folders that a change touches") {
  const TempFolder folder;
  const std::string script = R"sh(
    set -eu
    unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
    cd "$1"
    mkdir .ci && cp "$2/.ci/touched" .ci/
    .ci/touched && .ci/touched --labels
    export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=mira GIT_AUTHOR_EMAIL=mira@example.org
    export GIT_COMMITTER_NAME=mira GIT_COMMITTER_EMAIL=mira@example.org
    mkdir -p core/feed core/text store/lmdb tests/core tests/feed tests/store
    touch core/feed/page.cpp core/text/trim.cpp core/clock.h store/lmdb/rows.cpp tests/feed/page_test.cpp README.md
    git init -q && git add . && git commit -qm 'Begin'
    .ci/touched --labels
    echo >> core/feed/page.cpp && git commit -qam 'Change the feed'
    .ci/touched && .ci/touched --labels
    echo >> store/lmdb/rows.cpp && echo >> core/text/trim.cpp && touch core/new.cpp && echo >> README.md
    .ci/touched | sort && .ci/touched --labels
  )sh";
  const Ended ended =
      run({.arguments = {"/bin/sh", "-c", script, "sh", folder.path().string(), CHIRP_SOURCE_DIR}});
  CHECK_MESSAGE(ended.ok(), to_string(ended));
  CHECK(ended.out == R"(^brief$
^brief$
core/feed/page.cpp
^in feed$|^brief$
README.md
core/new.cpp
core/text/trim.cpp
store/lmdb/rows.cpp
^in core$|^in store$|^brief$
)");
}

}  // namespace chirp::test
