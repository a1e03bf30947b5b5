# Run by cpack when everything is installed into CPACK_TEMPORARY_DIRECTORY: what Debian's policy asks for
# beside it.
set(documents ${CPACK_TEMPORARY_DIRECTORY}/usr/share/doc/chirp)

file(READ ${documents}/LICENSE license)
string(REGEX MATCH "Copyright [^\n]+" CHIRP_COPYRIGHT "${license}")
string(REGEX REPLACE "^Copyright \\(c\\) " "Copyright: " CHIRP_COPYRIGHT "${CHIRP_COPYRIGHT}")
# Behind the copyright; with a dot for an empty line, and a blank before each.
string(REGEX REPLACE "^.*Copyright [^\n]+\n+" "" CHIRP_TERMS "${license}")
string(REGEX REPLACE "\n+$" "" CHIRP_TERMS "${CHIRP_TERMS}")
string(REPLACE "\n\n" "\n.\n" CHIRP_TERMS "${CHIRP_TERMS}")
string(REPLACE "\n" "\n " CHIRP_TERMS " ${CHIRP_TERMS}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/debian/copyright.in ${documents}/copyright @ONLY)

file(COPY_FILE ${documents}/CHANGELOG.md ${documents}/changelog)
file(GLOB pages ${CPACK_TEMPORARY_DIRECTORY}/usr/share/man/man1/*.1)
execute_process(COMMAND gzip -9 --no-name ${documents}/changelog ${pages} COMMAND_ERROR_IS_FATAL ANY)
