// Lays a Lua text out anew: indentation of two blanks a level, blanks where brackets, commas and comparisons want them,
// none at the ends of lines, no more than one empty line. Line breaks stay, and so do blanks that line things up;
// tokens and comments are the same before and behind, which is looked at before anything is given away.
//
// Indentation: what is open at the start of a line is one level deeper than the line that opened it, however many
// brackets and blocks that line has opened. Lines in brackets may stand below the first thing in them instead, where
// they stood there before. Lines that go on with an expression are one level deeper than where it began.
#include "base/memory.h"
#include "base/report.h"
#include "carom/io.h"
#include "text/lua_token.h"

#include <string.h>

#define CR_INDENT 2                     // [blanks] a level
#define CR_MAX_FORMAT ((size_t)1 << 30) // [bytes]

static const char openers[] = " ( [ { do then repeat function else ";
static const char closers[] = " ) ] } end until else elseif ";
static const char brackets[] = " ( [ { ";
static const char comparisons[] = " = == ~= <= >= ";
static const char operators[] = " = == ~= <= >= < > + - * / // % ^ .. and or not & | << >> ";

// A bracket or block that is open.
typedef struct Opener {
  bool isBracket;
  int indent;    // [levels] that its end gets
  int column;    // of the first thing behind it on its line, before; -1: there is none
  int newColumn; // and now
} Opener;

typedef struct Format {
  crAllocator allocator;
  const char *start, *end; // of the text
  crArrayOf(char) out;
  crArrayOf(Opener) open;
  crLuaToken last;       // before the one that comes next, comments aside
  crLuaToken near;       // before the one that comes next
  int statement;         // [blanks] of the line without what goes on from the line before
  int line;              // [blanks] in front of the line
  const char* lineStart; // of the line of the text that has been read so far
  int newLineStart;      // of the line that is written, in `out`
  bool isShort;          // of memory
} Format;

// ---------------------------------------------------------------------------------------------- text

static void put(Format* format, const char* text, size_t size)
{
  for (size_t i = 0; i < size && !format->isShort; ++i) {
    char* place = crArray_Push(&format->out, &format->allocator);
    format->isShort = place == NULL;
    if (place != NULL) {
      *place = text[i];
      format->newLineStart = text[i] == '\n' ? format->out.count : format->newLineStart;
    }
  }
}

static void putBlanks(Format* format, int count)
{
  for (int i = 0; i < count; ++i) {
    put(format, " ", 1);
  }
}

// Columns are counted from starts of lines that are kept on the way: looking back for them would take a time that grows
// with the square of a long line.
static int findColumn(const Format* format, const crLuaToken* token)
{
  return (int)(token->text - format->lineStart);
}

static int findNewColumn(const Format* format)
{
  return format->out.count - format->newLineStart;
}

static int countLines(const char* from, const char* to)
{
  int count = 0;
  for (; from < to; ++from) {
    count += *from == '\n';
  }
  return count;
}

// Goes on in the text; returns the number of line ends on the way.
static int passOver(Format* format, const char* from, const char* to)
{
  int count = 0;
  for (; from < to; ++from) {
    if (*from == '\n') {
      format->lineStart = from + 1;
      ++count;
    }
  }
  return count;
}

// -------------------------------------------------------------------------------------------- layout

static bool isInBlock(const Format* format)
{
  return format->open.count == 0 || !format->open.items[format->open.count - 1].isBracket;
}

// Whether a line that begins with this token goes on with an expression.
static bool goesOn(const Format* format, const crLuaToken* token)
{
  bool isAfter = crLuaToken_IsAny(&format->last, operators);
  bool isList = crLuaToken_Is(&format->last, ",") && isInBlock(format);
  bool isBefore = crLuaToken_IsAny(token, operators) && !crLuaToken_Is(token, "not");
  bool isStart = format->last.kind == cr_luaTokenEnd;
  bool isSign = crLuaToken_IsAny(token, " - ") && !isInBlock(format) && crLuaToken_IsAny(&format->last, " , { ( ; ");
  return !isStart && (isAfter || isList || (isBefore && !isSign) || crLuaToken_IsAny(token, " . : "));
}

// How far the line is indented that begins with this token.
static int findIndent(const Format* format, const crLuaToken* token, const char* afterToken, bool* outGoesOn)
{
  int depth = format->open.count, indent = -1;
  *outGoesOn = false;
  crLuaToken one = *token;
  while (crLuaToken_IsAny(&one, closers) && depth > 0) { // all that close in front
    indent = format->open.items[--depth].indent;
    if (crLuaToken_IsAny(&one, " else elseif until ")) {
      break;
    }
    one = crReadLuaToken(afterToken, format->end);
    if (countLines(afterToken, one.text) > 0) {
      break;
    }
    afterToken = one.text + one.size;
  }
  if (indent >= 0 || depth == 0) {
    *outGoesOn = indent < 0 && goesOn(format, token);
    return (indent >= 0 ? indent : 0) + (*outGoesOn ? CR_INDENT : 0);
  }
  const Opener* opener = &format->open.items[depth - 1];
  if (opener->isBracket && opener->column >= 0 && findColumn(format, token) == opener->column) {
    return opener->newColumn;
  }
  *outGoesOn = goesOn(format, token);
  return opener->indent + CR_INDENT + (*outGoesOn ? CR_INDENT : 0);
}

static void breakLine(Format* format, const crLuaToken* token, int lines)
{
  bool isMore;
  int indent = findIndent(format, token, token->text + token->size, &isMore);
  put(format, "\n\n", lines > 1 && format->out.count > 0 ? 2 : format->out.count > 0 ? 1 : 0);
  putBlanks(format, indent);
  format->line = indent;
  format->statement = indent - (isMore ? CR_INDENT : 0);
}

// Blanks between two tokens on one line: as they are, one where one is missing, none where they do not belong.
static int chooseBlanks(const Format* format, const crLuaToken* token, int blanks)
{
  const crLuaToken* before = &format->near;
  bool isEmpty = crLuaToken_Is(before, "{") && crLuaToken_Is(token, "}");
  if (crLuaToken_IsAny(token, " , ; ) ] ") || crLuaToken_IsAny(before, " ( [ ") || isEmpty) {
    return token->kind == cr_luaTokenComment ? blanks : 0;
  }
  bool wants = crLuaToken_IsAny(before, " , ; { ") || crLuaToken_Is(token, "}") ||
               crLuaToken_IsAny(before, comparisons) || crLuaToken_IsAny(token, comparisons) ||
               token->kind == cr_luaTokenComment;
  return blanks > 0 ? blanks : wants ? 1 : 0;
}

// Opens and closes what a token opens and closes.
static crStatus follow(Format* format, const crLuaToken* token)
{
  if (crLuaToken_IsAny(token, closers) && format->open.count > 0) {
    --format->open.count;
  }
  if (crLuaToken_IsAny(token, openers)) {
    Opener* opener = crArray_Push(&format->open, &format->allocator);
    if (opener == NULL) {
      return cr_errorMemory;
    }
    bool isBracket = crLuaToken_IsAny(token, brackets);
    *opener = (Opener){ isBracket, isBracket ? format->line : format->statement, -1, -1 };
  }
  return cr_ok;
}

// Remembers where the first thing behind a bracket stands.
static void noteColumn(Format* format, const crLuaToken* token)
{
  if (crLuaToken_IsAny(&format->near, brackets) && format->open.count > 0 && token->kind != cr_luaTokenComment) {
    Opener* opener = &format->open.items[format->open.count - 1];
    opener->column = findColumn(format, token);
    opener->newColumn = findNewColumn(format);
  }
}

static void putToken(Format* format, const crLuaToken* token)
{
  size_t size = token->size;
  bool isLine = token->kind == cr_luaTokenComment && memchr(token->text, '\n', size) == NULL;
  while (isLine && size > 2 && (token->text[size - 1] == ' ' || token->text[size - 1] == '\t')) {
    --size;
  }
  put(format, token->text, size);
}

static crStatus layOut(Format* format)
{
  const char* at = format->start;
  for (;;) {
    crLuaToken token = crReadLuaToken(at, format->end);
    if (token.kind == cr_luaTokenEnd) {
      put(format, "\n", format->out.count > 0 ? 1 : 0);
      return format->isShort ? cr_errorMemory : cr_ok;
    }
    int lines = passOver(format, at, token.text);
    if (lines > 0 || at == format->start) {
      breakLine(format, &token, lines);
    } else {
      putBlanks(format, chooseBlanks(format, &token, (int)(token.text - at)));
      noteColumn(format, &token);
    }
    putToken(format, &token);
    crStatus status = follow(format, &token);
    if (status != cr_ok || format->isShort) {
      return cr_errorMemory;
    }
    format->last = token.kind != cr_luaTokenComment ? token : format->last;
    format->near = token;
    at = token.text + token.size;
    (void)passOver(format, token.text, at); // long strings and comments have line ends
  }
}

// ------------------------------------------------------------------------------------------- checking

static int countLine(const char* start, const char* at)
{
  return 1 + countLines(start, at);
}

static size_t trimmedSize(const crLuaToken* token)
{
  size_t size = token->size;
  while (token->kind == cr_luaTokenComment && size > 0 &&
         (token->text[size - 1] == ' ' || token->text[size - 1] == '\t')) {
    --size;
  }
  return size;
}

// Whether both texts are the same tokens and comments.
static bool isSame(const char* a, size_t aSize, const char* b, size_t bSize)
{
  const char *aEnd = a + aSize, *bEnd = b + bSize;
  for (;;) {
    crLuaToken one = crReadLuaToken(a, aEnd), other = crReadLuaToken(b, bEnd);
    size_t size = trimmedSize(&one);
    if (one.kind != other.kind || size != trimmedSize(&other) || memcmp(one.text, other.text, size) != 0) {
      return false;
    }
    if (one.kind == cr_luaTokenEnd) {
      return true;
    }
    a = one.text + one.size;
    b = other.text + other.size;
  }
}

static crStatus complain(const crErrorSink* sink, const char* name, int line, crStatus status, const char* message)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ name, line, 0 }, NULL);
  crComplaint complaint = { .message = message };
  crReport(&reporter, cr_severityError, status, &complaint);
  return status;
}

// Reports the first token that is none, and brackets and blocks that do not match.
static crStatus checkTokens(const char* text, size_t size, const char* name, const crErrorSink* sink)
{
  int depth = 0;
  const char *at = text, *end = text + size;
  for (;;) {
    crLuaToken token = crReadLuaToken(at, end);
    depth += crLuaToken_IsAny(&token, openers) - crLuaToken_IsAny(&token, closers);
    if (token.kind == cr_luaTokenWrong) {
      return complain(sink, name, countLine(text, token.text), cr_errorSyntax,
                      "this is no Lua: a string or comment without end, or a wrong character");
    }
    if (depth < 0 || (token.kind == cr_luaTokenEnd && depth > 0)) {
      return complain(sink, name, countLine(text, token.text), cr_errorSyntax, "brackets or blocks do not match");
    }
    if (token.kind == cr_luaTokenEnd) {
      return cr_ok;
    }
    at = token.text + token.size;
  }
}

crStatus crFormatLua(const char* text, size_t size, const char* name, const crAllocator* allocator,
                     const crErrorSink* sink, crTextWriter writer)
{
  if ((text == NULL && size > 0) || writer.write == NULL || size > CR_MAX_FORMAT) {
    return cr_errorMisuse;
  }
  const char* head = text;
  size_t headSize = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  if (headSize < size && text[headSize] == '#') { // for the shell, not for Lua
    const char* end = memchr(text, '\n', size);
    headSize = end != NULL ? (size_t)(end - text) + 1 : size;
  }
  const char* body = text != NULL ? text + headSize : "";
  crStatus status = checkTokens(body, size - headSize, name, sink);
  if (status != cr_ok) {
    return status;
  }
  Format format = {
    .allocator = crChooseAllocator(allocator), .start = body, .lineStart = body, .end = body + (size - headSize)
  };
  status = layOut(&format);
  if (status == cr_ok &&
      !isSame(body, size - headSize, format.out.items != NULL ? format.out.items : "", (size_t)format.out.count)) {
    status = complain(sink, name, 0, cr_errorSyntax, "this text cannot be laid out without changing it");
  }
  if (status == cr_ok) {
    writer.write(writer.context, headSize > 0 ? head : "", headSize);
    writer.write(writer.context, format.out.count > 0 ? format.out.items : "", (size_t)format.out.count);
  } else if (status == cr_errorMemory) {
    complain(sink, name, 0, status, "out of memory");
  }
  crArray_Free(&format.out, &format.allocator);
  crArray_Free(&format.open, &format.allocator);
  return status;
}
