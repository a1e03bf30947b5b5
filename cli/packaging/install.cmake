# `cmake --install BUILD --prefix PREFIX`, below $DESTDIR: the program, and what belongs to it.
include(GNUInstallDirs)

# Whatever the umask of who installs: everybody may read it.
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

install(TARGETS chirp RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# In the folders that they have here, so that the links in them lead somewhere.
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})

# What the program says of itself is asked when it is installed, and so is always its own.
install(CODE "
  set(CHIRP_PROGRAM \"$<TARGET_FILE:chirp>\")
  set(CHIRP_PACKAGING \"${CMAKE_CURRENT_LIST_DIR}\")
  set(CHIRP_MADE_BELOW \"${CMAKE_BINARY_DIR}\")
  set(CHIRP_BINDIR \"${CMAKE_INSTALL_BINDIR}\")
  set(CHIRP_MANDIR \"${CMAKE_INSTALL_MANDIR}\")
  set(CHIRP_DATADIR \"${CMAKE_INSTALL_DATADIR}\")
")
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/install_made.cmake)
