// Patterns that choose variables by name.
//
// Going left to right, each star first stands for as little as possible. When the rest does not fit, the last '*' takes
// one character more; when it would have to take a '.', the last '**' does. Older stars need no second try: a star that
// stands for less leaves more to the next one.
#include "carom/record.h"

// The bytes of the character that starts at `text`, which is not its end.
static int characterSize(const char* text)
{
  int size = 1;
  while (((unsigned char)text[size] & 0xc0) == 0x80) {
    ++size;
  }
  return size;
}

// A star that was passed: where the pattern goes on, and where the name does if the star takes no more.
typedef struct Star {
  const char* pattern; // NULL: no star yet
  const char* name;
} Star;

bool crMatchesPattern(const char* name, const char* pattern)
{
  Star star = { NULL, NULL }, doubleStar = { NULL, NULL };
  if (name == NULL || pattern == NULL) {
    return false;
  }
  while (*name != '\0' || *pattern != '\0') {
    if (pattern[0] == '*' && pattern[1] == '*') {
      pattern += 2;
      doubleStar = (Star){ pattern, name };
      star.pattern = NULL;
    } else if (*pattern == '*') {
      ++pattern;
      star = (Star){ pattern, name };
    } else if (*pattern == '?' && *name != '\0' && *name != '.') {
      ++pattern;
      name += characterSize(name);
    } else if (*pattern == *name && *name != '\0') {
      ++pattern;
      ++name;
    } else if (star.pattern != NULL && *star.name != '\0' && *star.name != '.') {
      star.name += characterSize(star.name);
      pattern = star.pattern;
      name = star.name;
    } else if (doubleStar.pattern != NULL && *doubleStar.name != '\0') {
      doubleStar.name += characterSize(doubleStar.name);
      pattern = doubleStar.pattern;
      name = doubleStar.name;
      star.pattern = NULL;
    } else {
      return false;
    }
  }
  return true;
}
