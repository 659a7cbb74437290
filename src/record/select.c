// Choosing columns of a result by patterns.
#include "base/memory.h"
#include "base/report.h"
#include "carom/record.h"

#include <stdio.h>
#include <string.h>

#define CR_OFFERED 3     // nearest names
#define CR_PART_SIZE 128 // [bytes] longer names are not looked at

// The end of the part up to the next '.'.
static const char* endOfPart(const char* text)
{
  return text + strcspn(text, ".");
}

static bool partMatches(const char* name, const char* pattern)
{
  char nameText[CR_PART_SIZE], patternText[CR_PART_SIZE];
  int nameSize = (int)(endOfPart(name) - name), patternSize = (int)(endOfPart(pattern) - pattern);
  if (nameSize >= CR_PART_SIZE || patternSize >= CR_PART_SIZE) {
    return false;
  }
  snprintf(nameText, sizeof nameText, "%.*s", nameSize, name);
  snprintf(patternText, sizeof patternText, "%.*s", patternSize, pattern);
  return crMatchesPattern(nameText, patternText);
}

// The name as the pattern spells it, where its parts match: what is left are the differences. "arm.joint1.angle"
// becomes "arm.*.angle" for "arm.*.angel".
static void respell(const char* name, const char* pattern, char* outText, size_t size)
{
  size_t used = 0;
  while (used + 1 < size) {
    const char* from = partMatches(name, pattern) ? pattern : name;
    int length = snprintf(outText + used, size - used, "%.*s", (int)(endOfPart(from) - from), from);
    used += (size_t)length;
    name = endOfPart(name);
    pattern = endOfPart(pattern);
    pattern += *pattern == '.';
    if (*name == '\0' || used + 1 >= size) {
      break;
    }
    outText[used++] = *name++;
    outText[used] = '\0';
  }
}

// The name nearest to a pattern among those that are not in `taken`; -1: none is near.
static int findNearest(const crResult* result, const char* pattern, const int* taken, int takenCount)
{
  crNearest nearest = crMakeNearest(pattern);
  int best = -1;
  for (int c = 0; c < crResult_CountColumns(result); ++c) {
    bool isTaken = false;
    for (int i = 0; i < takenCount; ++i) {
      isTaken = isTaken || taken[i] == c;
    }
    char text[CR_PART_SIZE];
    int distance = nearest.bestDistance;
    if (!isTaken) {
      respell(crResult_GetColumn(result, c)->name, pattern, text, sizeof text);
      crNearest_Try(&nearest, text);
      best = nearest.bestDistance < distance ? c : best;
    }
  }
  return best;
}

static void reportUnmatched(const crResult* result, const char* pattern, crReporter* reporter)
{
  char hint[512] = "";
  int nearest[CR_OFFERED], count = 0;
  while (count < CR_OFFERED && (nearest[count] = findNearest(result, pattern, nearest, count)) >= 0) {
    const char* name = crResult_GetColumn(result, nearest[count])->name;
    size_t used = strlen(hint);
    snprintf(hint + used, sizeof hint - used, "%s%s", count == 0 ? "did you mean " : ", ", name);
    ++count;
  }
  if (count == 0 && crResult_CountColumns(result) > 0) {
    snprintf(hint, sizeof hint, "'*' stands for any characters but '.', '**' for any; a variable is %.200s",
             crResult_GetColumn(result, 0)->name);
  }
  crComplaint complaint = { .message = "no variable matches", .found = pattern, .hint = hint[0] != '\0' ? hint : NULL };
  crReport(reporter, cr_severityError, cr_errorModel, &complaint);
}

crStatus crResult_SelectColumns(const crResult* result, const char* const* patterns, int patternCount,
                                const crAllocator* allocator, const crErrorSink* sink, int* outColumns, int* outCount)
{
  if (result == NULL || outColumns == NULL || outCount == NULL || patternCount < 0 ||
      (patterns == NULL && patternCount > 0)) {
    return cr_errorMisuse;
  }
  crAllocator chosen = crChooseAllocator(allocator);
  crReporter reporter = crMakeReporter(sink, (crSource){ NULL, 0, 0 }, NULL);
  int columnCount = crResult_CountColumns(result);
  size_t flagCount = (size_t)columnCount + 1;
  bool* isSelected = crAllocateZero(&chosen, flagCount, sizeof(bool));
  *outCount = 0;
  if (isSelected == NULL) {
    return cr_errorMemory;
  }
  for (int p = 0; p < patternCount; ++p) {
    bool matches = false;
    for (int c = 0; c < columnCount; ++c) {
      if (crMatchesPattern(crResult_GetColumn(result, c)->name, patterns[p])) {
        matches = true;
        if (!isSelected[c]) {
          outColumns[(*outCount)++] = c;
        }
        isSelected[c] = true;
      }
    }
    if (!matches) {
      reportUnmatched(result, patterns[p], &reporter);
    }
  }
  crFree(&chosen, isSelected, flagCount * sizeof(bool));
  return reporter.errorCount == 0 ? cr_ok : cr_errorModel;
}
