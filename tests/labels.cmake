# Of which kind a test is, by its name: for ctest (shares.cmake.in), and for builds that compile the files alone
# whose tests they run.

# Random worlds, other ones with each commit.
set(WORLD_TESTS "^(worlds: |dry run: of |rehearsal: loads of every kind )")
# Tests that take longer than a few seconds.
set(LONG_TESTS "^(crash|power|storm|real input|package): ")
# A server kept busy: CHIRP_SOAK_SECONDS says how long.
set(SOAK_TESTS "^soak: a server ")
# Tests that open a browser: two at a time (shares.cmake.in), and skipped where there is none.
set(BROWSER_TESTS "^browser: ")
# Tests of servers, over sockets.
set(HTTP_TESTS "^(http|service|stream|room|nginx): ")
# Tests that ask a server of PostgreSQL. A run of ctest has one for all of them, and a test that is missing here fails.
set(DATABASE_TESTS "^(citus|database|matrix|pooler|postgres|rights|status|storage contract|storage differential)[ :]")
string(APPEND DATABASE_TESTS "|^(hub|live|notification folds|notifications|passed time|streams|tls|tokens|uploads|user directory|user search|worlds): ")
string(APPEND DATABASE_TESTS "|^bench: .*(PostgreSQL|database)|^crash: (every command|commands) on a database ")
string(APPEND DATABASE_TESTS "|^group commit: every writer")
# Tests in which the address sanitizer sees nothing that it does not see in others: of what is written in the source
# tree and in documents, of sizes, durations and bounds of memory that hold without it alone, of scripts and
# tools around the program, and of commands on a database, which say what they say on a folder.
set(UNWATCHED_TESTS "^(tidy|waits|layers|docs|figures|install|completion|manual|demo|disk use|memory|manners|database): ")
string(APPEND UNWATCHED_TESTS "|^standstill: somebody stopped |^bench: (posts beside|loads of) ")
# Files that have a test of half a second or more, by its own seconds of a processor or by what it waits for: most run
# many commands, or a contract over each kind of store. `make check` leaves them out where nothing near was changed.
set(SLOW_FILES
  "cli/(completion|danger|dry_run|golden|install|lists|manual|memory|pager|plan|query_time|service|teaching|tour)"
  "events/passed_time" "far/batches" "fuzz/corpora" "input/source" "load/(graph_loader|manners|sorted_posts)"
  "server/(api_matrix|callers|contract|feed_over_http|grouped_storage|hub|live|stream_sockets|streams)"
  "social/(comments|live|matrix|notification_folds|notifications)"
  "store/(damage|disk_use|format|full_disk|media_store|standstill|storage_contract.*|storage_differential.*)"
  "store/(swapped_pages|user_directory_load)")
list(JOIN SLOW_FILES "|" SLOW_FILES)
set(SLOW_FILES "^(${SLOW_FILES})_test\\.cpp$")
# Files whose tests need a server of PostgreSQL.
set(DATABASE_FILES "database|postgres|rights_test")
# Tests in which threads meet, for the thread sanitizer: those of the suite "threads", and these, whose program has
# several.
set(THREAD_TESTS
  "command line: doctor, backup, restore and compact"
  "demo: every step is as it says")

# Sets `result` to the labels of a test; `suite` are the names of all tests of the suite "threads".
function(labels_of test suite result)
  set(labels)
  if(test MATCHES "${WORLD_TESTS}")
    list(APPEND labels worlds)
  elseif(test MATCHES "${BROWSER_TESTS}")
    list(APPEND labels browser)
  elseif(test MATCHES "${SOAK_TESTS}")
    list(APPEND labels soak)
  elseif(NOT test MATCHES "${LONG_TESTS}")
    list(APPEND labels quick)
  endif()
  if(labels MATCHES "quick|worlds" AND NOT test MATCHES "${UNWATCHED_TESTS}")
    list(APPEND labels watched)
  endif()
  if(test MATCHES "${HTTP_TESTS}")
    list(APPEND labels http)
  endif()
  if(test MATCHES "${DATABASE_TESTS}")
    list(APPEND labels database)
  endif()
  # ctest knows no IN_LIST, and warns of empty elements, which go where nothing quotes them.
  set(threads ${suite} ${THREAD_TESTS})
  list(FIND threads "${test}" found)
  if(NOT found EQUAL -1)
    list(APPEND labels threads)
  endif()
  set(${result} "${labels}" PARENT_SCOPE)
endfunction()

# Adds to `labels` those that come of a test's file, from the folder of the tests: "brief", which is what `make check`
# runs whatever was changed, and the folder, whose tests it runs if something in that was changed.
function(labels_of_file file labels result)
  if(file AND labels MATCHES "quick|worlds" AND NOT labels MATCHES "database" AND NOT file MATCHES "${DATABASE_FILES}")
    string(REGEX REPLACE "/.*" "" folder "${file}")
    list(APPEND labels "in ${folder}")
    if(labels MATCHES "quick" AND NOT file MATCHES "${SLOW_FILES}")
      list(APPEND labels brief)
    endif()
  endif()
  set(${result} "${labels}" PARENT_SCOPE)
endfunction()

# Sets `result` to those of the files that have a test with the label.
function(files_with_label label files result)
  set(found)
  foreach(file IN LISTS files)
    file(READ ${file} text)
    string(REGEX MATCHALL "\nTEST_CASE\\([ \n]*\"[^\"]*\"" cases "${text}")
    list(TRANSFORM cases REPLACE "^[^\"]*\"([^\"]*)\"$" "\\1")
    set(suite)
    if(text MATCHES "TEST_SUITE_BEGIN\\(\"threads\"\\)")
      set(suite ${cases})
    endif()
    foreach(case IN LISTS cases)
      labels_of("${case}" "${suite}" labels)
      if(label IN_LIST labels)
        list(APPEND found ${file})
        break()
      endif()
    endforeach()
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()
