#include "text/lua_token.h"

#include <string.h>

static bool isDigit(char c)
{
  return c >= '0' && c <= '9';
}

static bool isLetter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool isBlank(char c)
{
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

// The number of equals signs of "[==[" at a place; -1: there is no such bracket.
static int findLevel(const char* at, const char* end)
{
  int level = 0;
  if (at >= end || *at != '[') {
    return -1;
  }
  for (++at; at < end && *at == '='; ++at) {
    ++level;
  }
  return at < end && *at == '[' ? level : -1;
}

// Behind a long bracket; NULL: it has no end.
static const char* skipLong(const char* at, const char* end, int level)
{
  for (at += level + 2; at < end; ++at) {
    if (*at == ']') {
      int found = 0;
      while (at + 1 + found < end && at[1 + found] == '=') {
        ++found;
      }
      if (found == level && at + 1 + found < end && at[1 + found] == ']') {
        return at + found + 2;
      }
    }
  }
  return NULL;
}

// Behind a string in quotes; NULL: it has no end on its line.
static const char* skipQuoted(const char* at, const char* end)
{
  char quote = *at;
  for (++at; at < end && *at != quote; ++at) {
    if (*at == '\n' || *at == '\r') {
      return NULL;
    }
    if (*at == '\\' && at + 1 < end) {
      ++at;
      if (*at == 'z') { // blanks and line ends behind \z are no part of the string
        while (at + 1 < end && isBlank(at[1])) {
          ++at;
        }
      } else if (*at == '\r' && at + 1 < end && at[1] == '\n') {
        ++at;
      }
    }
  }
  return at < end ? at + 1 : NULL;
}

static const char* skipNumber(const char* at, const char* end)
{
  bool isHex = at[0] == '0' && at + 1 < end && (at[1] == 'x' || at[1] == 'X');
  const char* exponents = isHex ? "pP" : "eE";
  while (at < end && (isDigit(*at) || isLetter(*at) || *at == '.')) {
    bool isExponent = strchr(exponents, *at) != NULL;
    ++at;
    at += isExponent && at < end && (*at == '+' || *at == '-');
  }
  return at;
}

static const char* skipSymbol(const char* at, const char* end)
{
  static const char* const symbols[] = { "...", "..", "==", "~=", "<=", ">=", "//", "::", "<<", ">>" };
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; ++i) {
    size_t size = strlen(symbols[i]);
    if ((size_t)(end - at) >= size && memcmp(at, symbols[i], size) == 0) {
      return at + size;
    }
  }
  return *at != '\0' && strchr("+-*/%^#&~|<>=(){}[];:,.", *at) != NULL ? at + 1 : NULL;
}

static crLuaToken makeToken(crLuaTokenKind kind, const char* text, const char* end)
{
  // what is wrong is given as its first character
  crLuaToken token = { end != NULL ? kind : cr_luaTokenWrong, text, end != NULL ? (size_t)(end - text) : 1 };
  return token;
}

static crLuaToken readComment(const char* at, const char* end)
{
  int level = findLevel(at + 2, end);
  if (level >= 0) {
    return makeToken(cr_luaTokenComment, at, skipLong(at + 2, end, level));
  }
  const char* line = at;
  while (line < end && *line != '\n' && *line != '\r') {
    ++line;
  }
  return makeToken(cr_luaTokenComment, at, line);
}

crLuaToken crReadLuaToken(const char* at, const char* end)
{
  while (at < end && isBlank(*at)) {
    ++at;
  }
  if (at >= end) {
    return (crLuaToken){ cr_luaTokenEnd, end, 0 };
  }
  if (end - at >= 2 && at[0] == '-' && at[1] == '-') {
    return readComment(at, end);
  }
  if (isLetter(*at)) {
    const char* name = at;
    while (name < end && (isLetter(*name) || isDigit(*name))) {
      ++name;
    }
    return makeToken(cr_luaTokenName, at, name);
  }
  if (isDigit(*at) || (*at == '.' && at + 1 < end && isDigit(at[1]))) {
    return makeToken(cr_luaTokenNumber, at, skipNumber(at, end));
  }
  if (*at == '"' || *at == '\'') {
    return makeToken(cr_luaTokenString, at, skipQuoted(at, end));
  }
  int level = findLevel(at, end);
  if (level >= 0) {
    return makeToken(cr_luaTokenString, at, skipLong(at, end, level));
  }
  return makeToken(cr_luaTokenSymbol, at, skipSymbol(at, end));
}

bool crLuaToken_Is(const crLuaToken* token, const char* text)
{
  return (token->kind == cr_luaTokenName || token->kind == cr_luaTokenSymbol) && token->size == strlen(text) &&
         memcmp(token->text, text, token->size) == 0;
}

bool crLuaToken_IsAny(const crLuaToken* token, const char* list)
{
  if (token->kind != cr_luaTokenName && token->kind != cr_luaTokenSymbol) {
    return false;
  }
  for (const char* word = list + 1; *word != '\0'; word += strcspn(word, " ") + 1) {
    if (strcspn(word, " ") == token->size && memcmp(word, token->text, token->size) == 0) {
      return true;
    }
  }
  return false;
}
