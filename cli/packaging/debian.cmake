# `cpack -G DEB --config BUILD/CPackConfig.cmake`: a Debian package of the files below /usr.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME chirp)
set(CPACK_PACKAGE_CONTACT "the chirp authors <authors@chirp.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "home-feed engine: users, posts, a follow graph, feeds")
set(CPACK_PACKAGE_DESCRIPTION
"chirp keeps users, posts and a follow graph in one directory, and shows for every user
a home feed that is always right. It is a command-line toolkit for running a small
social network and for loading and studying real follow graphs, and a server with an
HTTP API and a web page on the same directory.")
# Paths in installed files refer to the target system.
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS ${CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS})
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_files.cmake)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# The package revision, after the version of the program: incremented if only the packaging changes.
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  ${CMAKE_CURRENT_LIST_DIR}/debian/postinst ${CMAKE_CURRENT_LIST_DIR}/debian/prerm
  ${CMAKE_CURRENT_LIST_DIR}/debian/postrm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# Returns the package that contains a library's file.
function(package_of library result)
  file(REAL_PATH ${library} file)
  execute_process(COMMAND dpkg-query --search ${file} OUTPUT_VARIABLE found ERROR_QUIET)
  string(REGEX REPLACE ":.*" "" package "${found}")
  set(${result} ${package} PARENT_SCOPE)
endfunction()

# dpkg-shlibdeps finds only linked libraries. The program opens some others on demand.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
find_program(CHIRP_DPKG_QUERY dpkg-query)
if(CHIRP_DPKG_QUERY)
  package_of(${pkgcfg_lib_libarchive_archive} archive_package)
  package_of(${pkgcfg_lib_libcrypto_crypto} crypto_package)
  package_of(${pkgcfg_lib_httplib_cpp-httplib} httplib_package)
  package_of(${pkgcfg_lib_libxml2_xml2} xml_package)
  package_of(${pkgcfg_lib_libidn2_idn2} idn_package)
  package_of(${pkgcfg_lib_libzstd_zstd} zstd_package)
  package_of(${pkgcfg_lib_libpq_pq} pq_package)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS 
    "${archive_package}, ${crypto_package}, ${xml_package}, ${idn_package}, ${zstd_package}")
  # Statically linked and header-only libraries, whose code is in the program.
  foreach(source ${CSV_LIBRARY} ${HIREDIS_LIBRARY} ${ZLIB_LIBRARY_RELEASE} ${pkgcfg_lib_libcrypt_crypt}
      ${pkgcfg_lib_lmdb_lmdb} ${pkgcfg_lib_sqlite3_sqlite3} ${pkgcfg_lib_utf8proc_utf8proc}
      ${pkgcfg_lib_xxhash_xxhash} ${CLI11_DIR})
    package_of(${source} package)
    if(NOT source MATCHES "[.]so$" AND EXISTS /usr/share/doc/${package}/copyright)
      list(APPEND CPACK_CHIRP_LINKED ${package})
    endif()
  endforeach()
  # Only for benchmarks.
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS "${httplib_package}, redis-server, nginx")
endif()
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "systemd | systemd-standalone-sysusers")
if(pq_package)
  # For data in a database instead of a folder.
  string(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS ", ${pq_package}")
endif()
include(CPack)
