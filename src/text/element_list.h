// Elements as values, in the order in which they are to be added: what is made of files that are no models of ours,
// before it goes into a scene (crElementReader) or is written as Lua (lua_writer.c).
#ifndef CR_TEXT_ELEMENT_LIST_H
#define CR_TEXT_ELEMENT_LIST_H

#include "text/element_reader.h"

typedef struct crListedElement {
  crElementKind kind;
  crValue value; // a table; joints, forces and signals say their kind in "type"
  crSource source;
} crListedElement;

typedef struct crElementList {
  crArena arena; // of all values
  crArrayOf(crListedElement) items;
  crValue options;    // of the scene; null: none
  const char* title;  // a comment at the top; or NULL
  bool isOutOfMemory; // something could not be stored
} crElementList;

void crElementList_Init(crElementList* list, const crAllocator* allocator);
void crElementList_Free(crElementList* list);

void crElementList_Add(crElementList* list, crElementKind kind, crValue value, crSource source);

// Adds all elements to the reader's scene; each fault is reported, and the worst status returned.
crStatus crElementList_AddTo(const crElementList* list, crElementReader* reader);

// The elements of a robot's file, with the settings of the options (src/text/robot).
crStatus crReadRobotList(const char* text, size_t size, const char* name, const char* folder,
                         const crReadOptions* options, crElementReader* shapeReader, const crErrorSink* sink,
                         crElementList* list);

// ------------------------------------------------------------------------------------------- values

// Negative zero becomes zero, as it does in Lua.
static inline crValue crMakeNumber(double number)
{
  crValue value = { .kind = cr_valueNumber, .number = number + 0.0 };
  return value;
}

static inline crValue crMakeBool(bool boolean)
{
  crValue value = { .kind = cr_valueBool, .boolean = boolean };
  return value;
}

static inline crValue crMakeTable(void)
{
  crValue value = { .kind = cr_valueTable };
  return value;
}

// A copy of the text, which lives as long as the list; formatted.
const char* crElementList_Print(crElementList* list, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Adds a field or an item to a table of this list.
void crElementList_Put(crElementList* list, crValue* table, const char* key, crValue value);
void crElementList_Append(crElementList* list, crValue* table, crValue item);

crValue crElementList_Numbers(crElementList* list, const double* numbers, int count);
crValue crElementList_Vec3(crElementList* list, crVec3 v);

// A table with the field "type", as shapes and features are.
crValue crElementList_Typed(crElementList* list, const char* type);

#endif
