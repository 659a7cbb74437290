// Readable text for the dumps of passes: columns and numbers, the same in every locale.
#ifndef CR_MODEL_COMPILE_DUMP_H
#define CR_MODEL_COMPILE_DUMP_H

#include "carom/model.h"

typedef struct crDump {
  crTextWriter writer;
} crDump;

void crDump_Print(crDump* dump, const char* format, ...) __attribute__((format(printf, 2, 3)));

// A number with six digits and a decimal point.
#define CR_SHORT_NUMBER_SIZE 24
typedef struct crShortNumber {
  char text[CR_SHORT_NUMBER_SIZE];
} crShortNumber;
crShortNumber crShorten(double value);

void crDump_Vec3(crDump* dump, crVec3 v); // "(1, 2, 3)"

// Widens a column of names so that `name` fits, up to a limit that keeps lines readable.
void crWiden(int* width, const char* name);

#endif
