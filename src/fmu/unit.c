#include "fmu/unit.h"

#include <stddef.h>
#include <string.h>

const char* const crBaseUnitNames[CR_BASE_UNITS] = { "kg", "m", "s", "A", "K", "mol", "cd", "rad" };

typedef struct Known {
  const char* name;
  int exponents[CR_BASE_UNITS]; // kg, m, s, A, K, mol, cd, rad
  double factor;
} Known;

static const Known known[] = {
  { "1", { 0 }, 1.0 },
  { "kg", { 1 }, 1.0 },
  { "g", { 1 }, 1e-3 },
  { "m", { 0, 1 }, 1.0 },
  { "mm", { 0, 1 }, 1e-3 },
  { "s", { 0, 0, 1 }, 1.0 },
  { "ms", { 0, 0, 1 }, 1e-3 },
  { "A", { 0, 0, 0, 1 }, 1.0 },
  { "K", { 0, 0, 0, 0, 1 }, 1.0 },
  { "mol", { 0, 0, 0, 0, 0, 1 }, 1.0 },
  { "cd", { 0, 0, 0, 0, 0, 0, 1 }, 1.0 },
  { "rad", { 0, 0, 0, 0, 0, 0, 0, 1 }, 1.0 },
  { "deg", { 0, 0, 0, 0, 0, 0, 0, 1 }, 0.017453292519943295 },
  { "N", { 1, 1, -2 }, 1.0 },
  { "J", { 1, 2, -2 }, 1.0 },
  { "W", { 1, 2, -3 }, 1.0 },
  { "Pa", { 1, -1, -2 }, 1.0 },
  { "Hz", { 0, 0, -1 }, 1.0 },
  { "V", { 1, 2, -3, -1 }, 1.0 },
  { "Ohm", { 1, 2, -3, -2 }, 1.0 },
  { "H", { 1, 2, -2, -2 }, 1.0 },
  { "F", { -1, -2, 4, 2 }, 1.0 },
  { "C", { 0, 0, 1, 1 }, 1.0 },
  { "T", { 1, 0, -2, -1 }, 1.0 },
  { "Wb", { 1, 2, -2, -1 }, 1.0 },
};

static const Known* find(const char* name, size_t length)
{
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
    if (strlen(known[i].name) == length && memcmp(known[i].name, name, length) == 0) {
      return &known[i];
    }
  }
  return NULL;
}

// A whole exponent of one digit behind '^', with a sign or without; 1 where there is none.
static bool readExponent(const char** text, int* outExponent)
{
  *outExponent = 1;
  if (**text != '^') {
    return true;
  }
  ++*text;
  int sign = **text == '-' ? -1 : 1;
  *text += **text == '-';
  bool isDigit = **text >= '1' && **text <= '9';
  *outExponent = isDigit ? sign * (**text - '0') : 0;
  *text += isDigit;
  return isDigit;
}

static void multiply(crBaseUnit* unit, const Known* by, int exponent)
{
  for (int i = 0; i < CR_BASE_UNITS; ++i) {
    unit->exponents[i] += exponent * by->exponents[i];
  }
  for (int i = 0; i < (exponent < 0 ? -exponent : exponent); ++i) {
    unit->factor = exponent > 0 ? unit->factor * by->factor : unit->factor / by->factor;
  }
}

bool crReadUnit(const char* text, crBaseUnit* outUnit)
{
  *outUnit = (crBaseUnit){ .factor = 1.0 };
  int sign = 1;
  while (*text != '\0') {
    size_t length = strcspn(text, " /^");
    const Known* by = find(text, length);
    int exponent;
    text += length;
    if (by == NULL || !readExponent(&text, &exponent)) {
      return false;
    }
    multiply(outUnit, by, sign * exponent);
    bool isLast = *text == '\0';
    if (!isLast && *text != ' ' && *text != '/') {
      return false;
    }
    sign = *text == '/' ? -1 : 1;
    text += !isLast;
    if (!isLast && *text == '\0') {
      return false;
    }
  }
  return true;
}
