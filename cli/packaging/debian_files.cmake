# cpack runs this after the installation into CPACK_TEMPORARY_DIRECTORY. Adds the files that Debian's
# policy requires.
set(documents ${CPACK_TEMPORARY_DIRECTORY}/usr/share/doc/chirp)

file(READ ${documents}/LICENSE license)
string(REGEX MATCH "Copyright [^\n]+" CHIRP_COPYRIGHT "${license}")
string(REGEX REPLACE "^Copyright \\(c\\) " "Copyright: " CHIRP_COPYRIGHT "${CHIRP_COPYRIGHT}")
# Follows the copyright. Each line begins with a blank; an empty line is a dot.
string(REGEX REPLACE "^.*Copyright [^\n]+\n+" "" CHIRP_TERMS "${license}")
string(REGEX REPLACE "\n+$" "" CHIRP_TERMS "${CHIRP_TERMS}")
string(REPLACE "\n\n" "\n.\n" CHIRP_TERMS "${CHIRP_TERMS}")
string(REPLACE "\n" "\n " CHIRP_TERMS " ${CHIRP_TERMS}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/debian/copyright.in ${documents}/copyright @ONLY)

# Notices that licences of included code require.
foreach(package IN LISTS CPACK_CHIRP_LINKED)
  file(COPY_FILE /usr/share/doc/${package}/copyright ${documents}/copyright.${package})
endforeach()

# Changelogs of the program and of the package. The latter's date is SOURCE_DATE_EPOCH, if set.
file(COPY_FILE ${documents}/CHANGELOG.md ${documents}/changelog)
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${documents}/changelog.Debian
"chirp (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Version ${CPACK_PACKAGE_VERSION}; changelog.gz says what is new.

 -- ${CPACK_PACKAGE_CONTACT}  ${now}
")
file(CHMOD ${documents}/changelog.Debian PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
file(GLOB pages ${CPACK_TEMPORARY_DIRECTORY}/usr/share/man/man1/*.1)
execute_process(
  COMMAND gzip -9 --no-name ${documents}/changelog ${documents}/changelog.Debian ${pages}
  COMMAND_ERROR_IS_FATAL ANY)
