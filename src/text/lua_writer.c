// Lua text from elements: one constructor call each, in the form that people write.
#include "text/lua_writer.h"

#include "base/report.h"
#include "base/text.h"
#include "scene/field.h"
#include "text/lua_names.h"
#include "text/lua_reader.h"
#include "text/mesh_grant.h"
#include "text/path.h"

#include <stdio.h>
#include <string.h>

typedef struct Writing {
  crTextWriter writer;
  const char *from, *to; // folders of mesh files; NULL: they stay
  crReporter reporter;
  bool hasToldOutside; // of mesh files
} Writing;

static void say(Writing* writing, const char* text)
{
  writing->writer.write(writing->writer.context, text, strlen(text));
}

static void writeNumber(Writing* writing, double number)
{
  char text[CR_NUMBER_SIZE];
  crFormatNumber(number, text);
  bool isFinite = number - number == 0.0;
  say(writing, isFinite ? text : number > 0.0 ? "math.huge" : number < 0.0 ? "-math.huge" : "0/0");
}

static void writeString(Writing* writing, const char* text)
{
  say(writing, "\"");
  for (; *text != '\0'; ++text) {
    char one[8] = { *text, '\0' };
    if (*text == '"' || *text == '\\') {
      snprintf(one, sizeof one, "\\%c", *text);
    } else if ((unsigned char)*text < ' ' || *text == 127) {
      snprintf(one, sizeof one, "\\%03d", *text);
    }
    say(writing, one);
  }
  say(writing, "\"");
}

static void writeFile(Writing* writing, const char* file)
{
  char moved[CR_FILE_PATH_SIZE];
  bool isMoved = writing->from != NULL && crMovePath(file, writing->from, writing->to, moved);
  if (writing->from != NULL && !isMoved) {
    crReportError(&writing->reporter, "'%.200s' is too long a path as seen from the new folder", file);
  }
  const char* name = isMoved ? moved : file;
  if (writing->from != NULL && !writing->hasToldOutside) {
    writing->hasToldOutside = crWarnOfMeshOutside(&writing->reporter, file, writing->from, writing->to);
  }
  writeString(writing, name);
}

static void writeKey(Writing* writing, const char* key)
{
  if (crIsLuaName(key)) {
    say(writing, key);
  } else {
    say(writing, "[");
    writeString(writing, key);
    say(writing, "]");
  }
  say(writing, " = ");
}

static void writeValue(Writing* writing, const crValue* value);

static const char* findType(const crValue* table)
{
  const crValue* type = crValue_Find(table, "type");
  return type != NULL && type->kind == cr_valueString ? type->string : NULL;
}

// Fields but those that stand elsewhere. Returns whether there were any.
static bool writeFields(Writing* writing, const crValue* table, const char* const* skipped, bool hasMore)
{
  for (int i = 0; i < table->fieldCount; ++i) {
    const char* key = table->keys[i];
    int k = 0;
    while (skipped[k] != NULL && strcmp(skipped[k], key) != 0) {
      ++k;
    }
    if (skipped[k] != NULL) {
      continue;
    }
    say(writing, hasMore ? ", " : " ");
    writeKey(writing, key);
    if (strcmp(key, "file") == 0 && table->fields[i].kind == cr_valueString) {
      writeFile(writing, table->fields[i].string);
    } else {
      writeValue(writing, &table->fields[i]);
    }
    hasMore = true;
  }
  return hasMore;
}

static void writeTable(Writing* writing, const crValue* table)
{
  static const char* const skipped[] = { "type", NULL };
  const char* type = findType(table);
  say(writing, type != NULL ? type : "");
  say(writing, "{");
  bool hasMore = false;
  for (int i = 0; i < table->itemCount; ++i) {
    say(writing, hasMore ? ", " : " ");
    writeValue(writing, &table->items[i]);
    hasMore = true;
  }
  hasMore = writeFields(writing, table, type != NULL ? skipped : skipped + 1, hasMore);
  say(writing, hasMore ? " }" : "}");
}

static void writeValue(Writing* writing, const crValue* value)
{
  switch (value->kind) {
    case cr_valueBool: say(writing, value->boolean ? "true" : "false"); break;
    case cr_valueNumber: writeNumber(writing, value->number); break;
    case cr_valueString: writeString(writing, value->string); break;
    case cr_valueTable: writeTable(writing, value); break;
    case cr_valueNull:
    case cr_valueOther: say(writing, "nil"); break;
  }
}

// ---------------------------------------------------------------------------------------- elements

static const char* getString(const crValue* table, const char* key)
{
  const crValue* value = crValue_Find(table, key);
  return value != NULL && value->kind == cr_valueString ? value->string : "";
}

static bool isMobility(const crListedElement* element, const char* mobility)
{
  return element->kind == cr_elementObject && strcmp(getString(&element->value, "mobility"), mobility) == 0;
}

static const char* findWord(const crListedElement* element)
{
  const char* type = crHasKinds(element->kind) ? findType(&element->value) : NULL;
  return isMobility(element, "world") ? "world" : type != NULL ? type : crGetElementRecord(element->kind)->type;
}

// What does not stand in the table of fields: what stands before it, and what the constructor's own word says.
typedef struct Elsewhere {
  const char* names[CR_MAX_POSITIONAL + 2]; // ended by NULL
  int positionalCount;
} Elsewhere;

static Elsewhere listElsewhere(const crListedElement* element)
{
  Elsewhere elsewhere = { 0 };
  const char* type = findType(&element->value);
  int count = crLua_FindPositional(element->kind, type != NULL ? type : "", elsewhere.names);
  elsewhere.positionalCount = count;
  if (crHasKinds(element->kind)) {
    elsewhere.names[count] = "type";
  } else if (isMobility(element, "world") || isMobility(element, "free")) {
    elsewhere.names[count] = "mobility";
  }
  return elsewhere;
}

static bool hasFields(const crValue* table, const char* const* skipped)
{
  for (int i = 0; i < table->fieldCount; ++i) {
    int k = 0;
    while (skipped[k] != NULL && strcmp(skipped[k], table->keys[i]) != 0) {
      ++k;
    }
    if (skipped[k] == NULL) {
      return true;
    }
  }
  return false;
}

// Features stand on lines of their own, behind the fields.
static void writeElement(Writing* writing, const crListedElement* element)
{
  Elsewhere elsewhere = listElsewhere(element);
  const char* const* positional = elsewhere.names;
  const crValue* table = &element->value;
  bool isFree = isMobility(element, "free");
  say(writing, findWord(element));
  say(writing, "(");
  for (int i = 0; i < elsewhere.positionalCount; ++i) {
    const crValue* value = crValue_Find(table, positional[i]);
    say(writing, i > 0 ? ", " : "");
    if (value != NULL) {
      writeValue(writing, value);
    } else {
      say(writing, "nil");
    }
  }
  if (table->itemCount > 0 || isFree || hasFields(table, positional)) {
    say(writing, ", {");
    bool hasMore = writeFields(writing, table, positional, false);
    if (isFree) {
      say(writing, hasMore ? ", free = true" : " free = true");
      hasMore = true;
    }
    for (int i = 0; i < table->itemCount; ++i) {
      say(writing, hasMore ? ",\n  " : "\n  ");
      writeValue(writing, &table->items[i]);
      hasMore = true;
    }
    say(writing, table->itemCount > 0 ? ",\n}" : " }");
  }
  say(writing, ")\n");
}

crStatus crWriteLua(const crElementList* list, const char* fromFolder, const char* toFolder, const crErrorSink* sink,
                    crTextWriter writer)
{
  Writing writing = { .writer = writer,
                      .from = fromFolder,
                      .to = toFolder,
                      .reporter = crMakeReporter(sink, (crSource){ NULL, 0, 0 }, NULL) };
  static const char* const nothing[] = { NULL };
  if (list->title != NULL) {
    say(&writing, "-- ");
    say(&writing, list->title);
    say(&writing, "\n\n");
  }
  if (list->options.kind == cr_valueTable) {
    say(&writing, "scene{");
    writeFields(&writing, &list->options, nothing, false);
    say(&writing, " }\n\n");
  }
  for (int i = 0; i < list->items.count; ++i) {
    const crListedElement* element = &list->items.items[i];
    if (i > 0 && element->kind != list->items.items[i - 1].kind && element->kind != cr_elementJoint &&
        list->items.items[i - 1].kind != cr_elementJoint) {
      say(&writing, "\n");
    }
    writeElement(&writing, element);
  }
  return writing.reporter.errorCount > 0 ? cr_errorModel : cr_ok;
}
