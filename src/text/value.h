// A value as a model file gives it, before it has a meaning: what Lua and JSON have in common.
#ifndef CR_TEXT_VALUE_H
#define CR_TEXT_VALUE_H

#include "base/memory.h"

typedef enum crValueKind {
  cr_valueNull,
  cr_valueBool,
  cr_valueNumber,
  cr_valueString,
  cr_valueTable,
  cr_valueOther, // what no model value can be, e.g. a Lua function; string says what
} crValueKind;

typedef struct crValue crValue;

// A table has a list part and named fields; a JSON array has only the one, a JSON object only the other.
struct crValue {
  crValueKind kind;
  bool boolean;
  double number;
  const char* string;    // without zero bytes inside
  crElementKind element; // what the string is the name of, where the file gave the element itself; else none
  crValue* items;        // (itemCount) list part
  int itemCount;
  const char** keys; // (fieldCount) in the order of the file; sorted for Lua
  crValue* fields;   // (fieldCount)
  int fieldCount;
};

static inline crValue crMakeString(const char* text)
{
  crValue value = { .kind = cr_valueString, .string = text };
  return value;
}

// The field of a name, or NULL.
const crValue* crValue_Find(const crValue* table, const char* key);

// What it is, for messages: "a number", "a table", ...
const char* crValue_Describe(const crValue* value);

#endif
