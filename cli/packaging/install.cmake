# `cmake --install BUILD --prefix PREFIX`, below $DESTDIR: installs the program and its files.
include(GNUInstallDirs)

# All users may read the files, independent of the umask.
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

install(TARGETS chirp RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# Keeps the folders of the source tree, so that links between documents work.
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The program itself generates its manual and completions at installation, so they always match it.
install(CODE "
  set(CHIRP_PROGRAM \"$<TARGET_FILE:chirp>\")
  set(CHIRP_PACKAGING \"${CMAKE_CURRENT_LIST_DIR}\")
  set(CHIRP_MADE_BELOW \"${CMAKE_BINARY_DIR}\")
  set(CHIRP_BINDIR \"${CMAKE_INSTALL_BINDIR}\")
  set(CHIRP_MANDIR \"${CMAKE_INSTALL_MANDIR}\")
  set(CHIRP_DATADIR \"${CMAKE_INSTALL_DATADIR}\")
")
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/install_made.cmake)
