// From JSON text to values: Jansson parses, its errors are reported in our words.
//
// All numbers are read as doubles, whole ones too: -0 keeps its sign, and 2^63 is a number like any other.
// Jansson takes its memory by malloc, and its own depth limit of 2048 levels bounds the recursion here.
#ifndef CR_TEXT_JSON_VALUE_H
#define CR_TEXT_JSON_VALUE_H

#include "base/report.h"
#include "text/value.h"

#include <jansson.h>

// What a text should be, for messages.
typedef struct crJsonNoun {
  const char* name;        // "model"
  const char* hintIfEmpty; // or NULL
} crJsonNoun;

// Jansson 2.14 does not look whether there was memory for the bytes of a token, and ends by an assertion, or writes
// beyond what it has. Behind this call an allocation that fails in crLoadJson leaves Jansson at once; what it had made
// so far is lost. It changes how Jansson allocates in the whole process, so it is for a program, once, before its first
// text, and never for a library: a host may have functions of its own, or unload us.
void crGuardJson(void);

// json_loadb of Jansson. Guarded, where memory is short: NULL and json_error_out_of_memory. carom_show needs it, too.
CR_API json_t* crLoadJson(const char* text, size_t size, size_t flags, json_error_t* outError);

// Parses one text. On failure a report with line and column, and no root.
crStatus crParseJson(crReporter* reporter, const crJsonNoun* noun, const char* text, size_t size, json_t** outRoot);

// Strings stay where Jansson has them. false: out of memory.
bool crConvertJson(crArena* arena, const json_t* json, crValue* outValue);

// What it is, for messages: "an object", "a list", ...
const char* crDescribeJson(const json_t* json);

#endif
