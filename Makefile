# The commands of the project. Each installs what is missing first (Debian; elsewhere it says what
# to install and carries on).
.PHONY: all demo test check asan tsan format tidy setup clean
all: setup
	@cmake --preset release > /dev/null
	@cmake --build --preset release

setup:
	@.ci/setup

test: all
	@ctest --test-dir build/release --output-on-failure -j "$$(nproc)"

clean:
	rm -rf build
