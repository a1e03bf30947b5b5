# Run by `cmake --install`: asks the program for its manual and its completions, and puts them where
# man and the shells look for them; the unit, too.
function(say output)
  # Settings of who installs are for their own commands.
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env --unset=CHIRP_CONFIG --unset=CHIRP_JSON --unset=CHIRP_DATA
      ${CHIRP_PROGRAM} ${ARGN}
    OUTPUT_FILE ${output} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# `target` is relative to the prefix, or absolute.
function(put file target)
  cmake_path(ABSOLUTE_PATH target BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}")
  file(INSTALL DESTINATION "${target}" TYPE FILE FILES "${file}")
  # CMake keeps its list of what is installed in a variable, which would end with this function.
  set(CMAKE_INSTALL_MANIFEST_FILES "${CMAKE_INSTALL_MANIFEST_FILES}" PARENT_SCOPE)
endfunction()

# A folder of its own, so that two installations at one time do not meet.
string(RANDOM LENGTH 12 name)
set(made "${CHIRP_MADE_BELOW}/installed-${name}")
file(MAKE_DIRECTORY "${made}")

say(${made}/pages manual --list)
file(STRINGS ${made}/pages pages)
foreach(page IN LISTS pages)
  say(${made}/${page}.1 manual ${page})
  put(${made}/${page}.1 "${CHIRP_MANDIR}/man1")
endforeach()

# zsh looks in site-functions below /usr/local; Debian's has another folder for what comes in packages.
set(zsh_functions site-functions)
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr" AND EXISTS /etc/debian_version)
  set(zsh_functions vendor-completions)
endif()
say(${made}/chirp completion bash)
say(${made}/_chirp completion zsh)
say(${made}/chirp.fish completion fish)
put(${made}/chirp "${CHIRP_DATADIR}/bash-completion/completions")
put(${made}/_chirp "${CHIRP_DATADIR}/zsh/${zsh_functions}")
put(${made}/chirp.fish "${CHIRP_DATADIR}/fish/vendor_completions.d")

# systemd looks below /usr/local too. The unit names the program where it is.
cmake_path(ABSOLUTE_PATH CHIRP_BINDIR BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}" OUTPUT_VARIABLE CHIRP_BIN)
string(APPEND CHIRP_BIN /chirp)
configure_file(${CHIRP_PACKAGING}/chirp.service.in ${made}/chirp.service @ONLY)
configure_file(${CHIRP_PACKAGING}/chirp.sysusers ${made}/chirp.conf COPYONLY)
put(${made}/chirp.service lib/systemd/system)
put(${made}/chirp.conf lib/sysusers.d)

file(REMOVE_RECURSE "${made}")

# What was installed, without DESTDIR, for uninstall.cmake. CMake's own install_manifest.txt is of the
# last installation, which may be that of a package or a test.
if(DEFINED ENV{CHIRP_INSTALLED})
  string(REPLACE ";" "\n" installed "${CMAKE_INSTALL_MANIFEST_FILES}")
  file(WRITE "$ENV{CHIRP_INSTALLED}" "${installed}\n")
endif()
