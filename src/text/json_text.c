// The emitter of JSON text (RFC 8259): what must be escaped is escaped, all other UTF-8 stands as it is.
#include "text/json_text.h"

#include "base/text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

void crJsonText_Init(crJsonText* text, crTextWriter writer)
{
  text->writer = writer;
  text->depth = 0;
  text->lines = 0;
  text->isFirst = true;
  text->isAfterKey = false;
  text->used = 0;
}

static void flush(crJsonText* text)
{
  if (text->used > 0 && text->writer.write != NULL) {
    text->writer.write(text->writer.context, text->buffer, text->used);
  }
  text->used = 0;
}

static void put(crJsonText* text, const char* bytes, size_t size)
{
  while (size > 0) {
    size_t room = CR_JSON_BUFFER - text->used;
    size_t part = size < room ? size : room;
    memcpy(text->buffer + text->used, bytes, part);
    text->used += part;
    bytes += part;
    size -= part;
    if (text->used == CR_JSON_BUFFER) {
      flush(text);
    }
  }
}

static void putText(crJsonText* text, const char* string)
{
  put(text, string, strlen(string));
}

void crJsonText_Finish(crJsonText* text)
{
  assert(text->depth == 0);
  putText(text, "\n");
  flush(text);
}

// ---------------------------------------------------------------------------------------- brackets

static void breakLine(crJsonText* text)
{
  putText(text, "\n");
  for (int i = 0; i < text->depth; ++i) {
    putText(text, "  ");
  }
}

// What stands before a member: the comma after the one before, and a new line where members have lines.
static void beginMember(crJsonText* text)
{
  if (text->isAfterKey) {
    text->isAfterKey = false;
    return;
  }
  bool hasLines = text->depth > 0 && (text->lines >> text->depth & 1) != 0;
  if (!text->isFirst) {
    putText(text, hasLines ? "," : ", ");
  }
  if (hasLines) {
    breakLine(text);
  }
  text->isFirst = false;
}

static void begin(crJsonText* text, const char* bracket, bool hasLines)
{
  assert(text->depth < CR_JSON_MAX_DEPTH);
  beginMember(text);
  putText(text, bracket);
  ++text->depth;
  text->lines &= ~((uint64_t)1 << text->depth);
  text->lines |= (uint64_t)hasLines << text->depth;
  text->isFirst = true;
}

static void end(crJsonText* text, const char* bracket)
{
  bool hasLines = (text->lines >> text->depth & 1) != 0;
  --text->depth;
  if (hasLines && !text->isFirst) {
    breakLine(text);
  }
  putText(text, bracket);
  text->isFirst = false;
}

void crJsonText_BeginObject(crJsonText* text)
{
  begin(text, "{", false);
}

void crJsonText_BeginArray(crJsonText* text)
{
  begin(text, "[", false);
}

void crJsonText_BeginObjectLines(crJsonText* text)
{
  begin(text, "{", true);
}

void crJsonText_BeginArrayLines(crJsonText* text)
{
  begin(text, "[", true);
}

void crJsonText_EndObject(crJsonText* text)
{
  end(text, "}");
}

void crJsonText_EndArray(crJsonText* text)
{
  end(text, "]");
}

// ------------------------------------------------------------------------------------------ values

static void putEscaped(crJsonText* text, unsigned char c)
{
  static const char letters[] = {
    ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r', ['"'] = '"', ['\\'] = '\\'
  };
  char escape[8];
  if (letters[c] != 0) {
    snprintf(escape, sizeof escape, "\\%c", letters[c]);
  } else {
    snprintf(escape, sizeof escape, "\\u%04x", c);
  }
  putText(text, escape);
}

// Texts of others may be no UTF-8, which JSON must be: each byte that is none becomes the character for that.
static void putBroken(crJsonText* text, const char* string)
{
  size_t size = strlen(string);
  for (size_t i = 0; i < size;) {
    size_t length = 1;
    while (length <= 4 && i + length <= size && !crIsUtf8(string + i, length)) {
      ++length;
    }
    bool isGood = length <= 4 && i + length <= size;
    unsigned char c = (unsigned char)string[i];
    if (!isGood) {
      putText(text, "\\ufffd");
    } else if (c < 0x20 || c == '"' || c == '\\') {
      putEscaped(text, c);
    } else {
      put(text, string + i, length);
    }
    i += isGood ? length : 1;
  }
}

static void putString(crJsonText* text, const char* string)
{
  putText(text, "\"");
  if (!crIsUtf8(string, strlen(string))) {
    putBroken(text, string);
    putText(text, "\"");
    return;
  }
  const char* start = string;
  for (; *string != '\0'; ++string) {
    unsigned char c = (unsigned char)*string;
    if (c < 0x20 || c == '"' || c == '\\') {
      put(text, start, (size_t)(string - start));
      putEscaped(text, c);
      start = string + 1;
    }
  }
  put(text, start, (size_t)(string - start));
  putText(text, "\"");
}

void crJsonText_Key(crJsonText* text, const char* key)
{
  beginMember(text);
  putString(text, key);
  putText(text, ": ");
  text->isAfterKey = true;
}

void crJsonText_String(crJsonText* text, const char* string)
{
  beginMember(text);
  putString(text, string);
}

void crJsonText_Number(crJsonText* text, double number)
{
  beginMember(text);
  if (text->writer.write != NULL) {
    char digits[CR_NUMBER_SIZE];
    int length = crFormatNumber(number, digits);
    put(text, digits, (size_t)length);
  }
}

void crJsonText_Bool(crJsonText* text, bool flag)
{
  beginMember(text);
  putText(text, flag ? "true" : "false");
}

void crJsonText_Null(crJsonText* text)
{
  beginMember(text);
  putText(text, "null");
}

void crJsonText_KeyString(crJsonText* text, const char* key, const char* string)
{
  crJsonText_Key(text, key);
  crJsonText_String(text, string);
}

void crJsonText_KeyNumber(crJsonText* text, const char* key, double number)
{
  crJsonText_Key(text, key);
  crJsonText_Number(text, number);
}

void crJsonText_KeyBool(crJsonText* text, const char* key, bool flag)
{
  crJsonText_Key(text, key);
  crJsonText_Bool(text, flag);
}
