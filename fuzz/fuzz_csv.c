// Any bytes as a table of measurements.
#include "edits.h"
#include "sweep/csv_data.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  int errorCount = 0;
  crErrorSink sink = { checkMessage, &errorCount };
  const char* path = choosePath("fuzz.csv");
  writeImage(path, data, size);
  crArena arena;
  crArena_Init(&arena, NULL);
  crCsvData table = { 0 };
  crStatus status = crReadCsvData(&table, path, &arena, &sink);
  require((status == cr_ok) == (errorCount == 0), "an error if and only if not ok");
  for (int i = 0; status == cr_ok && i < table.columnCount; ++i) {
    require(crIsUtf8(table.names[i], strlen(table.names[i])), "names are text");
    require(crCsvData_Find(&table, table.names[i]) >= 0, "names are found");
    require(table.rowCount == 0 ||
                !isinf(table.values[(size_t)(table.rowCount - 1) * (size_t)table.columnCount + (size_t)i]),
            "values are finite or missing");
  }
  crArena_Free(&arena);
  return 0;
}
