# `cmake --install` runs this. Generates the manual and the completions with the program, and installs
# them and the systemd unit where man, the shells and systemd look for them.
function(say output)
  # Ignores the user's own settings of chirp.
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env --unset=CHIRP_CONFIG --unset=CHIRP_JSON --unset=CHIRP_DATA
      ${CHIRP_PROGRAM} ${ARGN}
    OUTPUT_FILE ${output} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# `target` is relative to the prefix, or absolute.
function(put file target)
  cmake_path(ABSOLUTE_PATH target BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}")
  file(INSTALL DESTINATION "${target}" TYPE FILE FILES "${file}")
  # CMake lists installed files in a variable, which would be lost at the end of this function.
  set(CMAKE_INSTALL_MANIFEST_FILES "${CMAKE_INSTALL_MANIFEST_FILES}" PARENT_SCOPE)
endfunction()

# A separate folder for each installation, because two may run at once.
string(RANDOM LENGTH 12 name)
set(made "${CHIRP_MADE_BELOW}/installed-${name}")
file(MAKE_DIRECTORY "${made}")

say(${made}/pages manual --list)
file(STRINGS ${made}/pages pages)
foreach(page IN LISTS pages)
  say(${made}/${page}.1 manual ${page})
  put(${made}/${page}.1 "${CHIRP_MANDIR}/man1")
endforeach()

# zsh uses site-functions below /usr/local; Debian has another folder for packages.
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

# systemd also reads units below /usr/local. The unit contains the program's path.
cmake_path(ABSOLUTE_PATH CHIRP_BINDIR BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}" OUTPUT_VARIABLE CHIRP_BIN)
string(APPEND CHIRP_BIN /chirp)
configure_file(${CHIRP_PACKAGING}/chirp.service.in ${made}/chirp.service @ONLY)
configure_file(${CHIRP_PACKAGING}/chirp.sysusers ${made}/chirp.conf COPYONLY)
put(${made}/chirp.service lib/systemd/system)
put(${made}/chirp.conf lib/sysusers.d)

file(REMOVE_RECURSE "${made}")

# Lists the installed files, without DESTDIR, for uninstall.cmake. CMake's own install_manifest.txt
# belongs to the last installation, which may be for a package or a test.
if(DEFINED ENV{CHIRP_INSTALLED})
  string(REPLACE ";" "\n" installed "${CMAKE_INSTALL_MANIFEST_FILES}")
  file(WRITE "$ENV{CHIRP_INSTALLED}" "${installed}\n")
endif()
