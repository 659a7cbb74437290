// Values of model files.
#include "text/value.h"

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

static const char* describeElement(crElementKind kind)
{
  switch (kind) {
    case cr_elementNone: return "a string";
    case cr_elementAssembly: return "an assembly";
    case cr_elementObject: return "an object";
    case cr_elementJoint: return "a joint";
    case cr_elementForce: return "a force";
    case cr_elementSignal: return "a signal";
    case cr_elementSolidMaterial: return "a solid material";
    case cr_elementContactPair: return "a contact pair";
    case cr_elementVisualMaterial: return "a visual material";
    case cr_elementExclusion: return "an exclusion";
    case cr_elementCoupling: return "a coupling";
    case cr_elementAction: return "an action";
  }
  return "an element";
}

const char* crValue_Describe(const crValue* value)
{
  switch (value->kind) {
    case cr_valueNull: return "nothing";
    case cr_valueBool: return value->boolean ? "true" : "false";
    case cr_valueNumber: return "a number";
    case cr_valueString: return describeElement(value->element);
    case cr_valueTable: return value->fieldCount == 0 ? "a list" : "a table";
    case cr_valueOther: return value->string;
  }
  return "something else";
}
