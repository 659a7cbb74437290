// Lists of elements: tables that grow in an arena.
#include "text/element_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void crElementList_Init(crElementList* list, const crAllocator* allocator)
{
  memset(list, 0, sizeof *list);
  crAllocator chosen = crChooseAllocator(allocator);
  crArena_Init(&list->arena, &chosen);
}

void crElementList_Free(crElementList* list)
{
  crArray_Free(&list->items, &list->arena.allocator);
  crArena_Free(&list->arena);
}

void crElementList_Add(crElementList* list, crElementKind kind, crValue value, crSource source)
{
  crListedElement* place = crArray_Push(&list->items, &list->arena.allocator);
  if (place == NULL) {
    list->isOutOfMemory = true;
    return;
  }
  *place = (crListedElement){ .kind = kind, .value = value, .source = source };
}

crStatus crElementList_AddTo(const crElementList* list, crElementReader* reader)
{
  crStatus worst = cr_ok;
  for (int i = 0; i < list->items.count && worst != cr_errorMemory; ++i) {
    const crListedElement* element = &list->items.items[i];
    crStatus status = crElementReader_Add(reader, element->kind, &element->value, element->source);
    worst = status != cr_ok ? status : worst;
  }
  return worst;
}

// ------------------------------------------------------------------------------------------- values

const char* crElementList_Print(crElementList* list, const char* format, ...)
{
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int size = vsnprintf(NULL, 0, format, arguments);
  char* text = size >= 0 ? crArena_Allocate(&list->arena, (size_t)size + 1) : NULL;
  if (text != NULL) {
    vsnprintf(text, (size_t)size + 1, format, again);
  } else {
    list->isOutOfMemory = true;
  }
  va_end(again);
  va_end(arguments);
  return text != NULL ? text : "";
}

// Whether an array of so many items, which grows by doubling, is full.
static bool isFull(int count)
{
  return (count & (count - 1)) == 0;
}

// Room for one more behind `count` items; what was there is copied. NULL: out of memory.
static void* grow(crElementList* list, const void* items, int count, size_t itemSize)
{
  size_t room = count == 0 ? 1 : 2 * (size_t)count;
  void* more = crArena_AllocateZero(&list->arena, room, itemSize);
  if (more == NULL) {
    list->isOutOfMemory = true;
  } else if (count > 0) {
    memcpy(more, items, (size_t)count * itemSize);
  }
  return more;
}

void crElementList_Put(crElementList* list, crValue* table, const char* key, crValue value)
{
  int count = table->fieldCount;
  if (isFull(count)) {
    const char** keys = grow(list, table->keys, count, sizeof *keys);
    crValue* fields = grow(list, table->fields, count, sizeof *fields);
    if (keys == NULL || fields == NULL) {
      return;
    }
    table->keys = keys;
    table->fields = fields;
  }
  table->keys[count] = key;
  table->fields[count] = value;
  ++table->fieldCount;
}

void crElementList_Append(crElementList* list, crValue* table, crValue item)
{
  int count = table->itemCount;
  if (isFull(count)) {
    crValue* items = grow(list, table->items, count, sizeof *items);
    if (items == NULL) {
      return;
    }
    table->items = items;
  }
  table->items[count] = item;
  ++table->itemCount;
}

crValue crElementList_Numbers(crElementList* list, const double* numbers, int count)
{
  crValue table = crMakeTable();
  for (int i = 0; i < count; ++i) {
    crElementList_Append(list, &table, crMakeNumber(numbers[i]));
  }
  return table;
}

crValue crElementList_Vec3(crElementList* list, crVec3 v)
{
  const double numbers[] = { v.x, v.y, v.z };
  return crElementList_Numbers(list, numbers, 3);
}

crValue crElementList_Typed(crElementList* list, const char* type)
{
  crValue table = crMakeTable();
  crElementList_Put(list, &table, "type", crMakeString(type));
  return table;
}
