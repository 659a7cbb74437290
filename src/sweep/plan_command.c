// The command that runs one point of a sweep alone.
#include "sweep/plan.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct Line {
  char* buffer;
  size_t size, used; // used: of the whole text, whether there is room or not
} Line;

static void add(Line* line, const char* text)
{
  for (; *text != '\0'; ++text, ++line->used) {
    if (line->used + 1 < line->size) {
      line->buffer[line->used] = *text;
    }
  }
}

// As a shell takes it for one word.
static void addWord(Line* line, const char* before, const char* name, const char* value)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+,:";
  bool isPlain = name[strspn(name, plain)] == '\0' && value[strspn(value, plain)] == '\0';
  add(line, before);
  add(line, isPlain ? "" : "'");
  for (int part = 0; part < 2; ++part) {
    for (const char* c = part == 0 ? name : value; *c != '\0'; ++c) {
      char text[2] = { *c, '\0' };
      add(line, *c == '\'' ? "'\\''" : text);
    }
    add(line, part == 0 && value[0] != '\0' ? "=" : "");
  }
  add(line, isPlain ? "" : "'");
}

static void addNumber(Line* line, const char* option, double value)
{
  if (value != 0.0) {
    char text[CR_NUMBER_SIZE];
    crFormatNumber(value, text);
    add(line, option);
    add(line, text);
  }
}

static int finish(const Line* line)
{
  if (line->size > 0) {
    line->buffer[line->used < line->size ? line->used : line->size - 1] = '\0';
  }
  return (int)line->used;
}

static void addHead(Line* line, const char* model, const crSetting* settings, int settingCount)
{
  addWord(line, "carom run ", model, "");
  for (int i = 0; i < settingCount; ++i) {
    addWord(line, " --set ", settings[i].name, settings[i].value);
  }
}

static void addOptions(Line* line, const crSimulationOptions* o)
{
  addNumber(line, " --stop ", o->stopTime);
  addNumber(line, " --interval ", o->interval);
  addNumber(line, " --tol ", o->tolerance);
  addNumber(line, " --atol ", o->absoluteTolerance);
  addNumber(line, " --max-step ", o->maxStep);
  if (crGetSolverInfo(o->solver) != NULL) {
    add(line, " --solver ");
    add(line, crGetSolverInfo(o->solver)->name);
  }
  add(line, o->ignoresContacts ? " --no-contact" : "");
}

int crFormatRunHead(const crSweepDef* def, char* buffer, size_t size)
{
  Line line = { buffer, size, 0 };
  addHead(&line, def->model, def->settings, def->settingCount);
  return finish(&line);
}

int crFormatRunOptions(const crSweepDef* def, char* buffer, size_t size)
{
  Line line = { buffer, size, 0 };
  addOptions(&line, &def->options);
  return finish(&line);
}

int crSweepPlan_FormatCommand(const crSweepPlan* plan, int64_t run, char* buffer, size_t size)
{
  if (plan == NULL || run < 0 || run >= plan->runs || (buffer == NULL && size > 0)) {
    return 0;
  }
  Line line = { buffer, size, 0 };
  char value[CR_SWEEP_VALUE_SIZE];
  addHead(&line, plan->source.path, plan->settings, plan->settingCount);
  for (int i = 0; i < plan->inputCount; ++i) {
    (void)crSweepPlan_FormatInput(plan, run, i, value);
    addWord(&line, " --set ", plan->inputs[i].name, value);
  }
  addOptions(&line, &plan->options);
  snprintf(value, sizeof value, " --out run%" PRId64, run);
  add(&line, value);
  return finish(&line);
}
