// Values of model files.
#include "io/value.h"

#include <string.h>

const crValue* crValue_Find(const crValue* table, const char* key)
{
  for (int i = 0; i < table->fieldCount; ++i) {
    if (strcmp(table->keys[i], key) == 0) {
      return &table->fields[i];
    }
  }
  return NULL;
}

const char* crValue_Describe(const crValue* value)
{
  switch (value->kind) {
    case cr_valueNull: return "nothing";
    case cr_valueBool: return value->boolean ? "true" : "false";
    case cr_valueNumber: return "a number";
    case cr_valueString: return "a string";
    case cr_valueTable: return value->fieldCount == 0 ? "a list" : "a table";
    case cr_valueOther: return value->string;
  }
  return "something else";
}
