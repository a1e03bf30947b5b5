# The commands of the project. Each installs what is missing first (on Debian; elsewhere it says
# what to install and carries on).
#
#   make          builds build/release/chirp
#   make demo     shows home feeds being right, and why
#   make install  installs it with its manual, completions and documents: PREFIX=/usr/local, below DESTDIR
#   make uninstall  removes what install has put below the same PREFIX and DESTDIR, and no data
#   make deb      makes a Debian package of what install installs, in build/package
#   make test     runs every test; CHIRP_WORLDS=20000 and CHIRP_SEED=7 run other random worlds. Each commit
#                 has a seed of its own, which is printed, and tries other calls of long sweeps; .ci/seeded says
#                 how to try all. It fails if an object took more than 800 MB to compile, too
#   make check    runs the tests that take less than half a second, and those of the folders that were changed:
#                 a minute, building included, where one file was
#   make asan     runs nearly the same under the address sanitizer, with fewer worlds
#   make tsan     runs the tests with threads under the thread sanitizer
#   make fuzz     lets libFuzzer change inputs of every kind, SECONDS=60 for each target; CHIRP_SEED=1
#                 tries the same ones again
#   make torture  kills every command at every call, fails every call, cuts the power at any moment,
#                 lets twenty shells loose, and runs random worlds by the thousand: HOURS=1, or HOURS=0.01; CHIRP_SEED=7 begins elsewhere
#   make soak     keeps a server busy for HOURS=1, with commands, loads, removals and backups beside it
#   make figures  measures what docs/benchmarks.md and README.md show, and writes it there: RUNS=3 of each,
#                 half an hour on a machine with nothing else to do; SMALL=1 tries it in a minute, and
#                 REFERENCE=DIR measures the reference load too, on a world kept in DIR, and
#                 DATABASE=postgresql://… a store on that server, on databases made there and dropped
#   make format   formats the code; format-check only looks
#   make tidy     looks for mistakes with clang-tidy; TOUCHED=1 in the files that were changed

JOBS ?= $(shell nproc 2> /dev/null || echo 2)
# One more than there are cores: tests often wait for what they have started.
TESTS_AT_ONCE ?= $(shell expr $(JOBS) + 1)
CTEST = .ci/seeded ctest --output-on-failure --no-tests=error -j $(TESTS_AT_ONCE)
CPP = find core store server cli tests -name '*.cpp' -o -name '*.h' -o -name '*.c'

.PHONY: all demo install uninstall deb test check release-tests asan asan-tests tsan tsan-tests fuzz fuzz-targets figures soak torture \
  format format-check tidy setup setup-ci clean

all: build/release/build.ninja
	@cmake --build build/release -j $(JOBS) --target chirp

demo: all
	@.ci/demo build/release/chirp

# Where to, and the list of what is there then: one for each place.
PLACE = $(abspath $(or $(PREFIX),/usr/local))
INSTALLED = $(CURDIR)/build/installed$(subst /,-,$(DESTDIR)$(PLACE)).txt

install: all
	@DESTDIR='$(DESTDIR)' CHIRP_INSTALLED='$(INSTALLED)' cmake --install build/release --prefix '$(PLACE)'

uninstall:
	@DESTDIR='$(DESTDIR)' cmake -D LIST='$(INSTALLED)' -D PREFIX='$(PLACE)' -P cli/packaging/uninstall.cmake

deb: all
	@rm -rf build/package
	@cpack -G DEB --config build/release/CPackConfig.cmake -B build/package
	@rm -rf build/package/_CPack_Packages

test: release-tests
	@$(CTEST) --test-dir build/release -O $(CURDIR)/build/test.log
	@[ ! -e build/release/objects.tsv ] || .ci/objects build/release/objects.tsv

check: release-tests
	@CHIRP_WORLDS=$${CHIRP_WORLDS:-100} $(CTEST) --test-dir build/release -L "$$(.ci/touched --labels)"

release-tests: build/release/build.ninja
	@cmake --build build/release -j $(JOBS)

asan: asan-tests
	@CHIRP_WORLDS=$${CHIRP_WORLDS:-40} $(CTEST) --test-dir build/asan -L watched -O $(CURDIR)/build/asan.log

asan-tests: build/asan/build.ninja
	@cmake --build build/asan -j $(JOBS)

# Without random addresses, where that may be asked for: the runtime of GCC 12 bears with few of them.
PLAIN = $(shell setarch -R true 2> /dev/null && echo setarch -R)
tsan: tsan-tests
	@$(PLAIN) $(CTEST) --test-dir build/tsan -L threads -O $(CURDIR)/build/tsan.log

tsan-tests: build/tsan/build.ninja
	@$(PLAIN) cmake --build build/tsan -j $(JOBS)

fuzz: fuzz-targets
	@.ci/fuzz $(or $(SECONDS),60) $(JOBS)

fuzz-targets: setup-ci build/fuzz/build.ninja
	@cmake --build build/fuzz -j $(JOBS) --target fuzz

soak: release-tests
	@CHIRP_SOAK_SECONDS=$$(echo '$(or $(HOURS),1)' | awk '{ print int($$1 * 3600) }') \
	  build/release/tests/chirp_tests --test-case='soak: *'

figures: all
	@.ci/figures --runs $(or $(RUNS),3) $(if $(SMALL),--small) $(if $(REFERENCE),--reference $(REFERENCE)) $(if $(DATABASE),--database '$(DATABASE)') build/release/chirp

# Ninja finds changes to the build's description and new files by itself, but not in the presets.
build/%/build.ninja: CMakePresets.json .ci/packages | setup
	@cmake --preset $* > /dev/null
	@touch $@

setup:
	@.ci/setup

setup-ci: setup
	@.ci/setup .ci/packages-ci

HOURS ?= 1
torture: release-tests
	@.ci/torture build/release/tests/chirp_tests $(HOURS)

format: setup-ci
	@$(CPP) | xargs clang-format-14 -i

format-check: setup-ci
	@$(CPP) | xargs clang-format-14 --dry-run -Werror

tidy: setup-ci build/tidy/build.ninja
	@.ci/tidy $(if $(TOUCHED),--touched) $(SECONDS_AT_MOST)

clean:
	rm -rf build
