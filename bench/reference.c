// The file of references: lines "reference NAME", below each of them lines "OBJECT x y z" [m]; # is a comment.
#include "reference.h"

#include <stdio.h>
#include <string.h>

// Reads up to the block of this name.
static FILE* openReference(const char* name)
{
  char line[256], found[64];
  FILE* file = fopen(BENCH_FOLDER "/references.txt", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    if (sscanf(line, "reference %63s", found) == 1 && strcmp(found, name) == 0) {
      return file;
    }
  }
  if (file != NULL) {
    fclose(file);
  }
  return NULL;
}

double findReferenceError(const char* name, const Outcome* outcome)
{
  char line[256], object[NAME_SIZE];
  double p[3], error = 0;
  int count = 0;
  FILE* file = openReference(name);
  while (file != NULL && fgets(line, sizeof line, file) != NULL && strncmp(line, "reference", 9) != 0) {
    if (line[0] == '#' || sscanf(line, "%95s %lf %lf %lf", object, &p[0], &p[1], &p[2]) != 4) {
      continue;
    }
    const double* x = findPosition(outcome, object);
    count++;
    for (int i = 0; i < 3; i++) {
      double d = x != NULL ? fabs(x[i] - p[i]) : (double)NAN;
      error = d <= error ? error : d; // keeps NaN
    }
  }
  if (file != NULL) {
    fclose(file);
  }
  return count > 0 ? error : (double)NAN;
}

bool readReferenceBalls(const char* name, int count, double (*positions)[3])
{
  char line[256];
  double p[3];
  int ball, found = 0;
  FILE* file = openReference(name);
  while (file != NULL && fgets(line, sizeof line, file) != NULL && strncmp(line, "reference", 9) != 0) {
    if (sscanf(line, "ball%d %lf %lf %lf", &ball, &p[0], &p[1], &p[2]) == 4 && ball >= 0 && ball < count) {
      memcpy(positions[ball], p, sizeof p);
      found++;
    }
  }
  if (file != NULL) {
    fclose(file);
  }
  return found == count;
}

void printReference(const char* name, const char* how, const Outcome* outcome)
{
  printf("reference %s\n# %s\n", name, how);
  for (int i = 0; i < outcome->measurement->objectCount; i++) {
    const double* p = outcome->positions[i];
    printf("%s %.15g %.15g %.15g\n", outcome->names[i], p[0], p[1], p[2]);
  }
}
