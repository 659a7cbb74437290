// A tree from expat's events.
#include "xml/xml.h"

#include <expat.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CR_MAX_XML_DEPTH 400     // elements in elements: robots are chains, and MJCF nests their bodies
#define CR_MAX_XML_NODES 2000000 // elements of one file
#define CR_PARSE_CHUNK (1 << 20) // [bytes] handed to expat at once, whose lengths are ints

typedef struct Parsing {
  XML_Parser parser;
  crArena* arena;
  const char* file;
  crReporter reporter;
  crXmlNode *root, *current;
  crArrayOf(char) text; // since the last tag
  int depth, nodeCount, lineShift;
  crStatus status;
} Parsing;

// The first fault ends the parsing.
static void stop(Parsing* parsing, crStatus status, const char* message, const char* allowed)
{
  if (parsing->status == cr_ok) {
    parsing->status = status;
    parsing->reporter.source =
        (crSource){ parsing->file, (int)XML_GetCurrentLineNumber(parsing->parser) + parsing->lineShift, 0 };
    crComplaint complaint = { .message = message, .allowed = allowed };
    crReport(&parsing->reporter, cr_severityError, status, &complaint);
    XML_StopParser(parsing->parser, XML_FALSE);
  }
}

static void stopMemory(Parsing* parsing)
{
  stop(parsing, cr_errorMemory, "out of memory", NULL);
}

static bool copyAttributes(Parsing* parsing, crXmlNode* node, const XML_Char** attributes)
{
  size_t count = 0;
  while (attributes[2 * count] != NULL) {
    ++count;
  }
  node->attributes = crArena_AllocateZero(parsing->arena, count + 1, sizeof *node->attributes);
  node->attributeCount = (int)count;
  for (size_t i = 0; i < count && node->attributes != NULL; ++i) {
    node->attributes[i].name = crArena_CopyString(parsing->arena, attributes[2 * i]);
    node->attributes[i].value = crArena_CopyString(parsing->arena, attributes[2 * i + 1]);
    if (node->attributes[i].name == NULL || node->attributes[i].value == NULL) {
      return false;
    }
  }
  return node->attributes != NULL;
}

static void XMLCALL startElement(void* context, const XML_Char* name, const XML_Char** attributes)
{
  Parsing* parsing = context;
  if (parsing->status != cr_ok) {
    return;
  }
  if (++parsing->depth > CR_MAX_XML_DEPTH) {
    stop(parsing, cr_errorLimit, "elements are nested too deep", "at most 400 levels");
    return;
  }
  if (++parsing->nodeCount > CR_MAX_XML_NODES) {
    stop(parsing, cr_errorLimit, "the file has too many elements", "at most 2000000");
    return;
  }
  crXmlNode* node = crArena_AllocateZero(parsing->arena, 1, sizeof *node);
  const char* ownName = crArena_CopyString(parsing->arena, name);
  if (node == NULL || ownName == NULL || !copyAttributes(parsing, node, attributes)) {
    stopMemory(parsing);
    return;
  }
  node->name = ownName;
  node->text = "";
  node->file = parsing->file;
  node->line = (int)XML_GetCurrentLineNumber(parsing->parser) + parsing->lineShift;
  parsing->text.count = 0;
  if (parsing->current != NULL) {
    crXml_Append(parsing->current, node);
  } else {
    parsing->root = node;
  }
  parsing->current = node;
}

static bool isBlank(char c)
{
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static void XMLCALL endElement(void* context, const XML_Char* name)
{
  (void)name;
  Parsing* parsing = context;
  if (parsing->status != cr_ok) {
    return;
  }
  crXmlNode* node = parsing->current;
  int start = 0, end = parsing->text.count;
  while (start < end && isBlank(parsing->text.items[start])) {
    ++start;
  }
  while (end > start && isBlank(parsing->text.items[end - 1])) {
    --end;
  }
  if (node->first == NULL && end > start) {
    char* text = crArena_Allocate(parsing->arena, (size_t)(end - start) + 1);
    if (text == NULL) {
      stopMemory(parsing);
      return;
    }
    memcpy(text, parsing->text.items + start, (size_t)(end - start));
    text[end - start] = '\0';
    node->text = text;
  }
  parsing->text.count = 0;
  parsing->current = node->parent;
  --parsing->depth;
}

static void XMLCALL addText(void* context, const XML_Char* text, int length)
{
  Parsing* parsing = context;
  if (parsing->status != cr_ok || length <= 0) {
    return;
  }
  if (parsing->text.count > INT_MAX / 2 - length) {
    stop(parsing, cr_errorLimit, "the text of an element is too long", "at most 1 GiB");
    return;
  }
  int needed = parsing->text.count + length;
  int room = parsing->text.capacity < needed ? 2 * needed : needed; // ahead, so that long texts grow in few steps
  if (!crReserve(&parsing->arena->allocator, &parsing->text.items, &parsing->text.capacity, room, 1)) {
    stopMemory(parsing);
    return;
  }
  memcpy(parsing->text.items + parsing->text.count, text, (size_t)length);
  parsing->text.count += length;
}

static void XMLCALL refuseEntity(void* context, const XML_Char* name, int isParameter, const XML_Char* value,
                                 int length, const XML_Char* base, const XML_Char* systemId, const XML_Char* publicId,
                                 const XML_Char* notation)
{
  (void)name, (void)isParameter, (void)value, (void)length, (void)base, (void)systemId, (void)publicId, (void)notation;
  stop(context, cr_errorSyntax, "this file declares entities of its own, which are not read", "plain XML");
}

// Encodings that expat does not know are read byte by byte: names of elements and numbers are the same in all of them.
static int XMLCALL readBytes(void* context, const XML_Char* name, XML_Encoding* encoding)
{
  (void)context, (void)name;
  for (int i = 0; i < 256; ++i) {
    encoding->map[i] = i;
  }
  encoding->data = NULL;
  encoding->convert = NULL;
  encoding->release = NULL;
  return XML_STATUS_OK;
}

// ------------------------------------------------------------------------------------------ parsing

static void reportFault(Parsing* parsing)
{
  parsing->status = XML_GetErrorCode(parsing->parser) == XML_ERROR_NO_MEMORY ? cr_errorMemory : cr_errorSyntax;
  parsing->reporter.source =
      (crSource){ parsing->file, (int)XML_GetCurrentLineNumber(parsing->parser) + parsing->lineShift,
                  (int)XML_GetCurrentColumnNumber(parsing->parser) + 1 };
  char message[160];
  snprintf(message, sizeof message, "this is not XML: %s", XML_ErrorString(XML_GetErrorCode(parsing->parser)));
  crComplaint complaint = { .message = message };
  crReport(&parsing->reporter, cr_severityError, parsing->status, &complaint);
}

static void parse(Parsing* parsing, const char* text, size_t size)
{
  for (size_t done = 0; parsing->status == cr_ok;) {
    size_t part = size - done < CR_PARSE_CHUNK ? size - done : CR_PARSE_CHUNK;
    bool isLast = done + part == size;
    if (XML_Parse(parsing->parser, text + done, (int)part, isLast) != XML_STATUS_OK && parsing->status == cr_ok) {
      reportFault(parsing);
    }
    done += part;
    if (isLast) {
      return;
    }
  }
}

crStatus crReadXml(const char* text, size_t size, const char* file, crArena* arena, const crErrorSink* sink,
                   crXmlNode** outRoot)
{
  *outRoot = NULL;
  Parsing parsing = { .arena = arena, .reporter = crMakeReporter(sink, (crSource){ file, 0, 0 }, NULL) };
  for (; size > 0 && isBlank(*text); ++text, --size) {
    parsing.lineShift += *text == '\n';
  }
  parsing.file = crArena_CopyString(arena, file != NULL ? file : "model");
  parsing.parser = XML_ParserCreate(NULL);
  if (parsing.parser == NULL || parsing.file == NULL) {
    crComplaint complaint = { .message = "out of memory" };
    crReport(&parsing.reporter, cr_severityError, cr_errorMemory, &complaint);
    XML_ParserFree(parsing.parser);
    return cr_errorMemory;
  }
  XML_SetUserData(parsing.parser, &parsing);
  XML_SetElementHandler(parsing.parser, startElement, endElement);
  XML_SetCharacterDataHandler(parsing.parser, addText);
  XML_SetUnknownEncodingHandler(parsing.parser, readBytes, NULL);
  XML_SetEntityDeclHandler(parsing.parser, refuseEntity);
  XML_SetParamEntityParsing(parsing.parser, XML_PARAM_ENTITY_PARSING_NEVER);
  parse(&parsing, text, size);
  XML_ParserFree(parsing.parser);
  crArray_Free(&parsing.text, &arena->allocator);
  *outRoot = parsing.status == cr_ok ? parsing.root : NULL;
  return parsing.status;
}

// ------------------------------------------------------------------------------------------- access

const char* crXml_Get(const crXmlNode* node, const char* name)
{
  for (int i = 0; node != NULL && i < node->attributeCount; ++i) {
    if (strcmp(node->attributes[i].name, name) == 0) {
      return node->attributes[i].value;
    }
  }
  return NULL;
}

bool crXml_Set(crXmlNode* node, crArena* arena, const char* name, const char* value)
{
  for (int i = 0; i < node->attributeCount; ++i) {
    if (strcmp(node->attributes[i].name, name) == 0) {
      node->attributes[i].value = value;
      return true;
    }
  }
  crXmlAttribute* more = crArena_AllocateZero(arena, (size_t)node->attributeCount + 1, sizeof *more);
  if (more == NULL) {
    return false;
  }
  if (node->attributeCount > 0) {
    memcpy(more, node->attributes, (size_t)node->attributeCount * sizeof *more);
  }
  more[node->attributeCount] = (crXmlAttribute){ name, value };
  node->attributes = more;
  ++node->attributeCount;
  return true;
}

crXmlNode* crXml_Copy(const crXmlNode* node, crArena* arena)
{
  crXmlNode* copy = crArena_Copy(arena, node, sizeof *node);
  crXmlAttribute* attributes =
      crArena_Copy(arena, node->attributes, (size_t)(node->attributeCount + 1) * sizeof *attributes);
  if (copy == NULL || attributes == NULL) {
    return NULL;
  }
  copy->attributes = attributes;
  copy->parent = copy->first = copy->last = copy->next = NULL;
  for (const crXmlNode* child = node->first; child != NULL; child = child->next) {
    crXmlNode* own = crXml_Copy(child, arena);
    if (own == NULL) {
      return NULL;
    }
    crXml_Append(copy, own);
  }
  return copy;
}

void crXml_Append(crXmlNode* parent, crXmlNode* child)
{
  child->parent = parent;
  child->next = NULL;
  if (parent->last != NULL) {
    parent->last->next = child;
  } else {
    parent->first = child;
  }
  parent->last = child;
}

bool crXml_Is(const crXmlNode* node, const char* name)
{
  return strcmp(node->name, name) == 0;
}

crXmlNode* crXml_Find(const crXmlNode* node, const char* name)
{
  crXmlNode* child = node != NULL ? node->first : NULL;
  while (child != NULL && !crXml_Is(child, name)) {
    child = child->next;
  }
  return child;
}

crXmlNode* crXml_FindNext(const crXmlNode* node)
{
  crXmlNode* sibling = node->next;
  while (sibling != NULL && !crXml_Is(sibling, node->name)) {
    sibling = sibling->next;
  }
  return sibling;
}

int crSplitNumbers(const char* text, int most, double* outNumbers)
{
  int count = 0;
  for (;;) {
    while (isBlank(*text)) {
      ++text;
    }
    if (*text == '\0') {
      return count;
    }
    char* end;
    double number = strtod(text, &end);
    if (end == text || (*end != '\0' && !isBlank(*end))) {
      return -1;
    }
    if (count < most) {
      outNumbers[count] = number;
    }
    count += count < INT_MAX;
    text = end;
  }
}
