// Texts of the form word(argument, argument, ...), as plans have them.
#ifndef CR_SWEEP_CALL_H
#define CR_SWEEP_CALL_H

#include "base/memory.h"

typedef struct crCall {
  const char* word;       // in front of the bracket; "" for a plain list: argument, argument
  const char** arguments; // (count) without blanks and quotes around them
  int count;
} crCall;

// Strings lie in the arena. false: out of memory, or the text has no such form (isMalformed).
bool crParseCall(crArena* arena, const char* text, crCall* outCall, bool* outIsMalformed);

// A finite number, all of the text.
bool crParseNumber(const char* text, double* outNumber);

#endif
