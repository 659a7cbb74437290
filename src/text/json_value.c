// Jansson's texts and values as ours: syntax errors with a position, and crValue.
#include "text/json_value.h"

#include <limits.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ memory

static _Thread_local jmp_buf* retreat; // NULL: nothing is loaded
static json_malloc_t allocateBefore;   // what a guard stands before

static void* allocate(size_t size)
{
  void* block = allocateBefore(size);
  if (block == NULL && retreat != NULL) {
    longjmp(*retreat, 1);
  }
  return block;
}

void crGuardJson(void)
{
  json_free_t release;
  json_get_alloc_funcs(&allocateBefore, &release);
  json_set_alloc_funcs(allocate, release);
}

json_t* crLoadJson(const char* text, size_t size, size_t flags, json_error_t* outError)
{
  jmp_buf here;
  retreat = &here;
  if (setjmp(here) != 0) {
    retreat = NULL;
    *outError = (json_error_t){ .text = "out of memory" };
    outError->text[JSON_ERROR_TEXT_LENGTH - 1] = json_error_out_of_memory;
    return NULL;
  }
  json_t* root = json_loadb(text, size, flags, outError);
  retreat = NULL;
  return root;
}

// ------------------------------------------------------------------------------------------ syntax

static void complainAt(crReporter* reporter, crStatus status, int line, int column, const crComplaint* complaint)
{
  crReporter there = *reporter;
  there.source.line = line > 0 ? line : 0;
  there.source.column = line > 0 && column > 0 ? column : 0;
  crReport(&there, cr_severityError, status, complaint);
}

// What Jansson says, in the words of somebody who does not know Jansson.
static void describe(const json_error_t* error, const crJsonNoun* noun, char* buffer, size_t size)
{
  const char* what = error->text;
  const char* near = strstr(error->text, " near ");
  switch (json_error_code(error)) {
    case json_error_stack_overflow:
      what = "brackets are nested too deeply";
      near = NULL;
      break;
    case json_error_numeric_overflow: what = "a number is out of range"; break;
    case json_error_null_character:
    case json_error_null_byte_in_key: what = "a string holds \\u0000, which is not allowed"; break;
    case json_error_duplicate_key: what = "a key is given twice"; break;
    case json_error_end_of_input_expected:
      snprintf(buffer, size, "something follows after the end of the %s%s", noun->name, near != NULL ? near : "");
      return;
    case json_error_invalid_utf8: snprintf(buffer, size, "the text is not valid UTF-8: %s", error->text); return;
    default: near = NULL; break; // it is in the text already
  }
  snprintf(buffer, size, "%s%s", what, near != NULL ? near : "");
}

static crStatus reportSyntax(crReporter* reporter, const crJsonNoun* noun, const json_error_t* error)
{
  char message[JSON_ERROR_TEXT_LENGTH + 64];
  enum json_error_code code = json_error_code(error);
  if (code == json_error_out_of_memory || error->text[0] == '\0') {
    crComplaint complaint = { .message = "out of memory" };
    crReport(reporter, cr_severityError, cr_errorMemory, &complaint);
    return cr_errorMemory;
  }
  describe(error, noun, message, sizeof message);
  crCleanText(message);
  crStatus status = code == json_error_stack_overflow ? cr_errorLimit : cr_errorSyntax;
  crComplaint complaint = { .message = message };
  if (code == json_error_stack_overflow) {
    complaint.allowed = "at most 2048 levels; models need fewer than 10";
  } else if (code == json_error_numeric_overflow) {
    complaint.allowed = "numbers up to 1.797e308 in magnitude";
  }
  complainAt(reporter, status, error->line, error->column, &complaint);
  return status;
}

// Jansson skips some zero bytes, so they are looked for here.
static bool checkZeroBytes(crReporter* reporter, const char* text, size_t size)
{
  const char* zero = memchr(text, '\0', size);
  if (zero == NULL) {
    return true;
  }
  int line = 1, column = 1;
  for (const char* p = text; p < zero; ++p) {
    bool isContinuation = ((unsigned char)*p & 0xc0) == 0x80;
    column = *p == '\n' ? 1 : column + !isContinuation;
    line += *p == '\n';
  }
  crComplaint complaint = { .message = "the text holds a zero byte" };
  complainAt(reporter, cr_errorSyntax, line, column, &complaint);
  return false;
}

static bool isBlank(const char* text, size_t size)
{
  for (size_t i = 0; i < size; ++i) {
    if (strchr(" \t\r\n", text[i]) == NULL) {
      return false;
    }
  }
  return true;
}

crStatus crParseJson(crReporter* reporter, const crJsonNoun* noun, const char* text, size_t size, json_t** outRoot)
{
  static const char byteOrderMark[] = "\xef\xbb\xbf";
  if (size >= 3 && memcmp(text, byteOrderMark, 3) == 0) {
    text += 3;
    size -= 3;
  }
  if (!checkZeroBytes(reporter, text, size)) {
    return cr_errorSyntax;
  }
  if (isBlank(text, size)) {
    char message[64];
    snprintf(message, sizeof message, "the %s is empty", noun->name);
    crComplaint complaint = { .message = message, .hint = noun->hintIfEmpty };
    complainAt(reporter, cr_errorSyntax, 1, 1, &complaint);
    return cr_errorSyntax;
  }
  json_error_t error;
  *outRoot = crLoadJson(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, &error);
  return *outRoot != NULL ? cr_ok : reportSyntax(reporter, noun, &error);
}

// ------------------------------------------------------------------------------------------ values

static bool convertArray(crArena* arena, const json_t* json, crValue* outValue)
{
  size_t count = json_array_size(json);
  outValue->kind = cr_valueTable;
  outValue->items = count <= INT_MAX ? crArena_AllocateZero(arena, count, sizeof *outValue->items) : NULL;
  if (outValue->items == NULL) {
    return false;
  }
  outValue->itemCount = (int)count;
  for (size_t i = 0; i < count; ++i) {
    if (!crConvertJson(arena, json_array_get(json, i), &outValue->items[i])) {
      return false;
    }
  }
  return true;
}

// Jansson keeps the order of the file.
static bool convertObject(crArena* arena, const json_t* json, crValue* outValue)
{
  size_t count = json_object_size(json);
  outValue->kind = cr_valueTable;
  if (count > INT_MAX) {
    return false;
  }
  outValue->keys = crArena_AllocateZero(arena, count, sizeof *outValue->keys);
  outValue->fields = crArena_AllocateZero(arena, count, sizeof *outValue->fields);
  if (outValue->keys == NULL || outValue->fields == NULL) {
    return false;
  }
  const char* key;
  json_t* field;
  json_object_foreach((json_t*)json, key, field)
  {
    outValue->keys[outValue->fieldCount] = key;
    if (!crConvertJson(arena, field, &outValue->fields[outValue->fieldCount])) {
      return false;
    }
    ++outValue->fieldCount;
  }
  return true;
}

bool crConvertJson(crArena* arena, const json_t* json, crValue* outValue)
{
  *outValue = (crValue){ .kind = cr_valueNull };
  switch (json_typeof(json)) {
    case JSON_OBJECT: return convertObject(arena, json, outValue);
    case JSON_ARRAY: return convertArray(arena, json, outValue);
    case JSON_STRING: *outValue = crMakeString(json_string_value(json)); break;
    case JSON_INTEGER:
    case JSON_REAL:
      outValue->kind = cr_valueNumber;
      outValue->number = json_number_value(json);
      break;
    case JSON_TRUE:
    case JSON_FALSE:
      outValue->kind = cr_valueBool;
      outValue->boolean = json_is_true(json);
      break;
    case JSON_NULL: break;
  }
  return true;
}

const char* crDescribeJson(const json_t* json)
{
  switch (json_typeof(json)) {
    case JSON_OBJECT: return "an object";
    case JSON_ARRAY: return "a list";
    case JSON_STRING: return "a string";
    case JSON_INTEGER:
    case JSON_REAL: return "a number";
    case JSON_TRUE: return "true";
    case JSON_FALSE: return "false";
    case JSON_NULL: return "null";
  }
  return "something else";
}
