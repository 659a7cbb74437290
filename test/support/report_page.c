// Takes a report apart by other means than it was put together: Jansson, and zlib's gunzip.
#include "support/report_page.h"

#include "support/folder.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static int valueOf(char c)
{
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const char* place = c != '\0' ? strchr(letters, c) : NULL;
  assert_non_null(place);
  return (int)(place - letters);
}

static unsigned char* decodeBase64(const char* text, size_t size, size_t* outSize)
{
  unsigned char* bytes = malloc(size / 4 * 3 + 1);
  size_t used = 0;
  assert_int_equal(size % 4, 0);
  for (size_t i = 0; i < size; i += 4) {
    int padding = (text[i + 3] == '=') + (text[i + 2] == '=');
    unsigned bits = 0;
    for (int k = 0; k < 4; ++k) {
      bits = bits << 6 | (unsigned)(k < 4 - padding ? valueOf(text[i + (size_t)k]) : 0);
    }
    for (int k = 0; k < 3 - padding; ++k) {
      bytes[used++] = (unsigned char)(bits >> (16 - 8 * k));
    }
  }
  *outSize = used;
  return bytes;
}

static float* unpack(unsigned char* packed, size_t size, size_t* outCount)
{
  z_stream stream = { .next_in = packed, .avail_in = (uInt)size };
  size_t capacity = 1 << 20;
  unsigned char* bytes = malloc(capacity);
  assert_int_equal(inflateInit2(&stream, 15 + 16), Z_OK);
  int state = Z_OK;
  while (state == Z_OK) {
    if (stream.total_out == capacity) {
      bytes = realloc(bytes, capacity *= 2);
    }
    stream.next_out = bytes + stream.total_out;
    stream.avail_out = (uInt)(capacity - stream.total_out);
    state = inflate(&stream, Z_NO_FLUSH);
  }
  assert_int_equal(state, Z_STREAM_END);
  assert_int_equal(stream.avail_in, 0);
  *outCount = stream.total_out / sizeof(float);
  assert_int_equal(stream.total_out % sizeof(float), 0);
  inflateEnd(&stream);
  return (float*)(void*)bytes;
}

// The body of the element with this id: all up to the next "</", as a browser sees it.
static char* findElement(const char* page, const char* id, size_t* outSize)
{
  char mark[64];
  snprintf(mark, sizeof mark, "id=\"%s\">", id);
  char* start = strstr(page, mark);
  assert_non_null(start);
  start += strlen(mark);
  char* end = strchr(start, '<');
  assert_non_null(end);
  assert_memory_equal(end, "</script>", 9);
  *outSize = (size_t)(end - start);
  return start;
}

crTestReport crReadTestReport(const char* path)
{
  crTestReport report = { .page = crReadTestFile(path, &report.pageSize) };
  size_t size, packedSize;
  json_error_t error;
  char* text = findElement(report.page, "carom-run", &size);
  report.run = json_loadb(text, size, 0, &error);
  if (report.run == NULL) {
    print_error("line %d: %s\n", error.line, error.text);
  }
  assert_non_null(report.run);
  text = findElement(report.page, "carom-data", &size);
  unsigned char* packed = decodeBase64(text, size, &packedSize);
  report.numbers = unpack(packed, packedSize, &report.count);
  free(packed);
  return report;
}

void crFreeTestReport(crTestReport* report)
{
  json_decref(report->run);
  free(report->numbers);
  free(report->page);
}

const float* crTestReport_GetBlock(const crTestReport* report, const json_t* block, long count)
{
  assert_int_equal(json_array_size(block), 2);
  json_int_t first = json_integer_value(json_array_get(block, 0)), size = json_integer_value(json_array_get(block, 1));
  assert_true(first >= 0 && size >= 0 && (size_t)(first + size) <= report->count);
  assert_true(count < 0 || size == count);
  return report->numbers + first;
}

const json_t* crFindInList(const json_t* list, const char* member, const char* text)
{
  for (size_t i = 0; i < json_array_size(list); ++i) {
    const json_t* element = json_array_get(list, i);
    const char* value = json_string_value(json_object_get(element, member));
    if (value != NULL && strcmp(value, text) == 0) {
      return element;
    }
  }
  print_error("nothing in the list has %s '%s'\n", member, text);
  fail();
  return NULL;
}
