// The functions of libpq, loaded by the first connection: most commands need none.
#pragma once

#include <libpq-fe.h>

#include "store/shared_library.h"

namespace chirp::postgres {

struct Libpq {
  store::SharedLibrary library{CHIRP_LIBPQ, "A database of PostgreSQL"};
  decltype(&::PQclear) clear = library.function("PQclear");
  decltype(&::PQcmdTuples) command_rows = library.function("PQcmdTuples");
  decltype(&::PQconnectPoll) connect_poll = library.function("PQconnectPoll");
  decltype(&::PQconnectStartParams) connect_start = library.function("PQconnectStartParams");
  decltype(&::PQconninfoFree) free_options = library.function("PQconninfoFree");
  decltype(&::PQconninfoParse) parse_options = library.function("PQconninfoParse");
  decltype(&::PQconsumeInput) consume_input = library.function("PQconsumeInput");
  decltype(&::PQenterPipelineMode) enter_pipeline = library.function("PQenterPipelineMode");
  decltype(&::PQdb) database = library.function("PQdb");
  decltype(&::PQerrorMessage) error_message = library.function("PQerrorMessage");
  decltype(&::PQexitPipelineMode) exit_pipeline = library.function("PQexitPipelineMode");
  decltype(&::PQfinish) finish = library.function("PQfinish");
  decltype(&::PQflush) flush = library.function("PQflush");
  decltype(&::PQfreemem) free_memory = library.function("PQfreemem");
  decltype(&::PQgetResult) get_result = library.function("PQgetResult");
  decltype(&::PQgetisnull) is_null = library.function("PQgetisnull");
  decltype(&::PQgetlength) length = library.function("PQgetlength");
  decltype(&::PQgetvalue) value = library.function("PQgetvalue");
  decltype(&::PQgssEncInUse) gss_in_use = library.function("PQgssEncInUse");
  decltype(&::PQhostaddr) host_address = library.function("PQhostaddr");
  decltype(&::PQisBusy) is_busy = library.function("PQisBusy");
  decltype(&::PQconnectionNeedsPassword) needs_password =
      library.function("PQconnectionNeedsPassword");
  decltype(&::PQnfields) columns = library.function("PQnfields");
  decltype(&::PQntuples) rows = library.function("PQntuples");
  decltype(&::PQpipelineSync) sync = library.function("PQpipelineSync");
  decltype(&::PQbackendPID) process = library.function("PQbackendPID");
  decltype(&::PQreset) reset = library.function("PQreset");
  decltype(&::PQresultErrorField) error_field = library.function("PQresultErrorField");
  decltype(&::PQresultStatus) result_status = library.function("PQresultStatus");
  decltype(&::PQsendPrepare) send_prepare = library.function("PQsendPrepare");
  decltype(&::PQsendQuery) send_query = library.function("PQsendQuery");
  decltype(&::PQsendQueryPrepared) send_prepared = library.function("PQsendQueryPrepared");
  decltype(&::PQserverVersion) server_version = library.function("PQserverVersion");
  decltype(&::PQsetErrorVerbosity) set_verbosity = library.function("PQsetErrorVerbosity");
  decltype(&::PQsetNoticeProcessor) set_notices = library.function("PQsetNoticeProcessor");
  decltype(&::PQsetnonblocking) set_nonblocking = library.function("PQsetnonblocking");
  decltype(&::PQsocket) socket = library.function("PQsocket");
  decltype(&::PQsslInUse) ssl_in_use = library.function("PQsslInUse");
  decltype(&::PQstatus) status = library.function("PQstatus");
  decltype(&::PQuser) user = library.function("PQuser");
};

// Throws Error{kUnavailable} if libpq is not installed.
[[nodiscard]] const Libpq& libpq();

}  // namespace chirp::postgres
