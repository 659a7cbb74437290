// Finding the free names of Lua code.
#include "text/lua_names.h"

#include "text/lua_power.h"
#include "text/lua_sandbox.h"

#include <lauxlib.h>
#include <string.h>

#define CR_NAMES_AT_ONCE 100 // made locals around the code; Lua has 200 of them, and 255 upvalues

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
static const char digits[] = "0123456789";

static bool isLetter(char c)
{
  return c != '\0' && strchr(letters, c) != NULL;
}

static bool isPart(char c)
{
  return isLetter(c) || (c != '\0' && strchr(digits, c) != NULL);
}

bool crIsLuaName(const char* name)
{
  static const char* const reserved[] = { "and",      "break",  "do",   "else", "elseif", "end",  "false", "for",
                                          "function", "goto",   "if",   "in",   "local",  "nil",  "not",   "or",
                                          "repeat",   "return", "then", "true", "until",  "while" };
  for (size_t i = 0; i < sizeof reserved / sizeof *reserved; ++i) {
    if (strcmp(name, reserved[i]) == 0) {
      return false;
    }
  }
  size_t size = 0;
  while (isPart(name[size])) {
    ++size;
  }
  return isLetter(name[0]) && name[size] == '\0';
}

// --------------------------------------------------------------------------------------------- words

// A word of the code outside strings and comments.
typedef struct Word {
  const char* start;
  size_t size;
  int line;
  char before, behind; // what stands on either side, blanks left out; '\0': nothing
} Word;

typedef struct Words {
  const char *code, *next, *end;
  int line;
  char before;
} Words;

static Words makeWords(const char* code)
{
  return (Words){ code, code, code + strlen(code), 1, '\0' };
}

static const char* skipBlanks(const char* at, const char* end)
{
  while (at < end && strchr(" \t\r\n\f\v", *at) != NULL) {
    ++at;
  }
  return at;
}

static bool readWord(Words* words, Word* outWord)
{
  while (words->next < words->end) {
    const char* at = words->next;
    size_t size = 0;
    while (at + size < words->end && isPart(at[size])) {
      ++size;
    }
    const char* behind = size > 0 ? at + size : crLuaText_SkipPiece(at, words->end);
    const char* follower = skipBlanks(behind, words->end);
    *outWord = (Word){ at, size, words->line, words->before, follower < words->end ? *follower : '\0' };
    for (const char* c = at; c < behind; ++c) {
      words->line += *c == '\n';
    }
    words->before = skipBlanks(at, behind) < behind ? behind[-1] : words->before;
    words->next = behind;
    if (size > 0 && isLetter(*at)) {
      return true;
    }
  }
  return false;
}

// Whether the word is this name, and not a field or a method of that name.
static bool isName(const Word* word, const char* name)
{
  return word->size == strlen(name) && memcmp(word->start, name, word->size) == 0 && word->before != '.' &&
         word->before != ':';
}

static int findLine(const char* code, const char* name)
{
  Words words = makeWords(code);
  Word word;
  while (readWord(&words, &word)) {
    if (isName(&word, name)) {
      return word.line;
    }
  }
  return 1;
}

// Pushes a list of all words that could be names, none twice. false: _ENV is among them.
static bool pushWords(lua_State* L, const char* code)
{
  Words words = makeWords(code);
  Word word;
  bool isPlain = true;
  lua_newtable(L); // list
  lua_newtable(L); // word -> true
  while (readWord(&words, &word)) {
    const char* name = lua_pushlstring(L, word.start, word.size);
    isPlain = isPlain && strcmp(name, "_ENV") != 0;
    bool isNew = lua_getfield(L, -2, name) == LUA_TNIL;
    lua_pop(L, 1);
    if (isNew && crIsLuaName(name)) {
      lua_pushboolean(L, 1);
      lua_setfield(L, -3, name);
      lua_rawseti(L, -3, (lua_Integer)lua_rawlen(L, -3) + 1);
    } else {
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
  return isPlain;
}

// -------------------------------------------------------------------------------------------- scopes

// Pushes the code as a function with `count` words of the list on top of the stack, from `first` on, as locals around.
static void pushTrial(lua_State* L, const char* code, int first, int count)
{
  int list = lua_gettop(L);
  luaL_Buffer text;
  luaL_buffinit(L, &text);
  for (int i = 0; i < count; ++i) {
    luaL_addstring(&text, i == 0 ? "local " : ", ");
    lua_rawgeti(L, list, first + i);
    luaL_addvalue(&text);
  }
  luaL_addstring(&text, " return function() ");
  luaL_addstring(&text, code);
  luaL_addstring(&text, "\nend");
  luaL_pushresult(&text);
  size_t size;
  const char* whole = lua_tolstring(L, -1, &size);
  crLuaText given = crMakeLuaText(whole, size);
  if (lua_load(L, crLuaText_Read, &given, "=" CR_LUA_CHUNK, "t") != LUA_OK) {
    lua_error(L);
  }
  lua_remove(L, -2);
  lua_call(L, 0, 1); // makes the function, and does not call it
}

static void visitFree(lua_State* L, const char* code, crLuaNameVisitor* visit, void* context)
{
  int list = lua_gettop(L), count = (int)lua_rawlen(L, list);
  for (int first = 1; first <= count; first += CR_NAMES_AT_ONCE) {
    int left = count - first + 1;
    pushTrial(L, code, first, left < CR_NAMES_AT_ONCE ? left : CR_NAMES_AT_ONCE);
    const char* name;
    for (int i = 1; (name = lua_getupvalue(L, -1, i)) != NULL; ++i) {
      lua_pop(L, 1);
      if (strcmp(name, "_ENV") != 0) {
        visit(context, L, NULL, name, findLine(code, name));
      }
    }
    lua_pop(L, 1);
  }
}

// Where each `math` of the code has a field behind it, it can neither be declared anew nor get another name.
static bool isMathPlain(const char* code)
{
  Words words = makeWords(code);
  Word word;
  bool isPlain = true;
  while (readWord(&words, &word)) {
    isPlain = isPlain && (!isName(&word, "math") || word.behind == '.');
  }
  return isPlain;
}

static void visitFields(lua_State* L, const char* code, crLuaNameVisitor* visit, void* context)
{
  Words words = makeWords(code);
  Word word;
  bool isField = false;
  while (readWord(&words, &word)) {
    if (isField) {
      visit(context, L, "math", lua_pushlstring(L, word.start, word.size), word.line);
      lua_pop(L, 1);
    }
    isField = isName(&word, "math");
  }
}

void crLua_VisitNames(lua_State* L, const char* code, crLuaNameVisitor* visit, void* context)
{
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  if (pushWords(L, code)) {
    visitFree(L, code, visit, context);
    if (isMathPlain(code)) {
      visitFields(L, code, visit, context);
    }
  }
  lua_pop(L, 1);
}
