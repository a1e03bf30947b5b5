# Writes the files of the page as one C++ source, ordered by path:
#   cmake -DSITE=folder -DMAKERS=file;file -DOUTPUT=file.cpp -P embed.cmake
# The version is a hash of the files and of MAKERS, the sources that bundle them.
# Each file is text and becomes a raw string, so the generated source is readable.
file(GLOB_RECURSE FILES RELATIVE ${SITE} ${SITE}/*)

set(html_type "text/html; charset=utf-8")
set(css_type "text/css; charset=utf-8")
set(js_type "text/javascript; charset=utf-8")
set(svg_type "image/svg+xml")

# The path under which a file is served; index.html is served as "/".
set(PATHS "")
foreach(file IN LISTS FILES)
  if(file STREQUAL "index.html")
    list(APPEND PATHS "/")
  else()
    list(APPEND PATHS "/${file}")
  endif()
endforeach()
list(SORT PATHS COMPARE STRING)

set(rows "")
set(hashes "")
foreach(path IN LISTS PATHS)
  set(file ${SITE}${path})
  if(path STREQUAL "/")
    set(file ${SITE}/index.html)
  endif()
  string(REGEX MATCH "[a-z]+$" ending ${file})
  if(NOT DEFINED ${ending}_type)
    message(FATAL_ERROR "${file}: no type is known for files that end in .${ending}")
  endif()
  set(type "${${ending}_type}")
  file(SHA256 ${file} hash)
  string(APPEND hashes "${path} ${hash}\n")
  string(SUBSTRING ${hash} 0 20 hash)
  file(READ ${file} body)
  string(APPEND rows "    {\"${path}\", \"${type}\", R\"CHIRP(${body})CHIRP\"sv, \"\\\"${hash}\\\"\"},\n")
endforeach()
foreach(maker IN LISTS MAKERS)
  file(SHA256 ${maker} hash)
  string(APPEND hashes "${hash}\n")
endforeach()
string(SHA256 version "${hashes}")
string(SUBSTRING ${version} 0 20 version)

file(WRITE ${OUTPUT}.new "// Made by server/web/embed.cmake out of the files of the page.
#include \"server/web/assets.h\"

namespace chirp::web {
namespace {

using namespace std::string_view_literals;

constexpr Asset kSources[] = {
${rows}};

}  // namespace

std::span<const Asset> sources() { return kSources; }

std::string_view version() { return \"${version}\"; }

}  // namespace chirp::web
")
file(COPY_FILE ${OUTPUT}.new ${OUTPUT} ONLY_IF_DIFFERENT)
file(REMOVE ${OUTPUT}.new)
