# Writes the contract as a C++ source:
#   cmake -DCONTRACT=docs/openapi.yaml -DOUTPUT=file.cpp -P embed_contract.cmake
file(READ ${CONTRACT} text)
file(WRITE ${OUTPUT}.new "// Made by server/api/embed_contract.cmake out of docs/openapi.yaml.
#include \"server/api/contract.h\"

namespace chirp::api {

std::string_view contract() { return R\"CHIRP(${text})CHIRP\"; }

}  // namespace chirp::api
")
file(COPY_FILE ${OUTPUT}.new ${OUTPUT} ONLY_IF_DIFFERENT)
file(REMOVE ${OUTPUT}.new)
