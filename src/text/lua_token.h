// Lua text as tokens, for what looks at a text without running it.
#ifndef CR_TEXT_LUA_TOKEN_H
#define CR_TEXT_LUA_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

typedef enum crLuaTokenKind {
  cr_luaTokenEnd,
  cr_luaTokenName, // keywords are names
  cr_luaTokenNumber,
  cr_luaTokenString,
  cr_luaTokenComment, // up to the end of its line, or over several lines
  cr_luaTokenSymbol,  // operators and brackets
  cr_luaTokenWrong    // a string or long bracket without end, or a character that Lua does not know
} crLuaTokenKind;

typedef struct crLuaToken {
  crLuaTokenKind kind;
  const char* text;
  size_t size;
} crLuaToken;

// The token at or behind a place, with blanks and line ends skipped.
crLuaToken crReadLuaToken(const char* at, const char* end);

bool crLuaToken_Is(const crLuaToken* token, const char* text); // a name or symbol
// One of the words in the list, which has blanks between and at both ends.
bool crLuaToken_IsAny(const crLuaToken* token, const char* list);

#endif
