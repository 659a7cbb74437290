#include "sweep/gauge.h"

#include <math.h>
#include <string.h>

bool crGauge_Init(crGauge* gauge, const crOutputs* outputs, crArena* arena)
{
  size_t count = (size_t)outputs->variableCount;
  *gauge = (crGauge){ .outputs = outputs };
  gauge->places = crArena_AllocateZero(arena, count, sizeof *gauge->places);
  gauge->before = crArena_AllocateZero(arena, count, sizeof *gauge->before);
  gauge->now = crArena_AllocateZero(arena, count, sizeof *gauge->now);
  gauge->filled = crArena_AllocateZero(arena, (size_t)outputs->count, sizeof *gauge->filled);
  return gauge->places != NULL && gauge->before != NULL && gauge->now != NULL && gauge->filled != NULL;
}

void crGauge_Begin(crGauge* gauge, double start, double stop, double* values)
{
  gauge->start = start;
  gauge->stop = stop;
  gauge->values = values;
  gauge->timeBefore = gauge->timeFirst = NAN;
  memset(gauge->filled, 0, (size_t)gauge->outputs->count * sizeof *gauge->filled);
  for (int i = 0; i < gauge->outputs->count; ++i) {
    const crOutput* output = &gauge->outputs->items[i];
    bool isZero = output->kind == cr_outputMean || output->kind == cr_outputCount;
    for (int k = 0; k < crOutput_CountColumns(output); ++k) {
      values[output->firstColumn + k] = isZero ? 0.0 : NAN;
    }
  }
}

// ------------------------------------------------------------------------------------------ columns

// Columns come in the order of the model.
static crStatus beginRun(void* context, const crResultDef* def)
{
  crGauge* gauge = context;
  gauge->objects = def->objects;
  gauge->objectCount = def->objectCount;
  for (int i = 0; i < gauge->outputs->variableCount; ++i) {
    int place = 0;
    while (place < def->columnCount && strcmp(def->columns[place].name, gauge->outputs->variables[i]) != 0) {
      ++place;
    }
    if (place == def->columnCount) {
      return cr_errorModel; // the recorder has refused a name that the model has not
    }
    gauge->places[i] = place;
  }
  return cr_ok;
}

// --------------------------------------------------------------------------------------------- rows

static double sampleTime(const crGauge* gauge, const crOutput* output, int sample)
{
  double share = (double)sample / (double)(output->samples - 1);
  return sample == output->samples - 1 ? gauge->stop : gauge->start + (gauge->stop - gauge->start) * share;
}

// The samples up to this row, on the straight line from the last one.
static void fillSeries(crGauge* gauge, const crOutput* output, int* filled, double time)
{
  for (; *filled < output->samples && sampleTime(gauge, output, *filled) <= time; ++*filled) {
    double wanted = sampleTime(gauge, output, *filled);
    bool isExact = wanted == time || !(gauge->timeBefore < wanted);
    double share = isExact ? 1.0 : (wanted - gauge->timeBefore) / (time - gauge->timeBefore);
    for (int k = 0; k < output->variableCount; ++k) {
      int v = output->firstVariable + k;
      double value = isExact ? gauge->now[v] : gauge->before[v] + share * (gauge->now[v] - gauge->before[v]);
      gauge->values[output->firstColumn + k * output->samples + *filled] = value;
    }
  }
}

static void addToColumn(const crGauge* gauge, const crOutput* output, int k, double time)
{
  double* value = &gauge->values[output->firstColumn + k];
  int v = output->firstVariable + k;
  double now = gauge->now[v];
  bool isFirst = isnan(gauge->timeBefore);
  switch (output->kind) {
    case cr_outputMax: *value = isFirst || now > *value ? now : *value; break;
    case cr_outputMin: *value = isFirst || now < *value ? now : *value; break;
    case cr_outputMean: // the integral until the end
      *value += isFirst ? 0.0 : 0.5 * (time - gauge->timeBefore) * (gauge->before[v] + now);
      break;
    default: *value = now; break;
  }
}

static crStatus addRow(void* context, const crRow* row)
{
  crGauge* gauge = context;
  const crOutputs* outputs = gauge->outputs;
  for (int i = 0; i < outputs->variableCount; ++i) {
    gauge->now[i] = row->values[gauge->places[i]];
  }
  for (int i = 0; i < outputs->count; ++i) {
    const crOutput* output = &outputs->items[i];
    if (output->kind == cr_outputSeries) {
      fillSeries(gauge, output, &gauge->filled[i], row->time);
    }
    for (int k = 0; output->kind < cr_outputSeries && k < output->variableCount; ++k) {
      addToColumn(gauge, output, k, row->time);
    }
  }
  gauge->timeFirst = isnan(gauge->timeBefore) ? row->time : gauge->timeFirst;
  gauge->timeBefore = row->time;
  double* swap = gauge->before;
  gauge->before = gauge->now;
  gauge->now = swap;
  return cr_ok;
}

// ----------------------------------------------------------------------------------------- contacts

static bool isOf(const crGauge* gauge, const char* object, int32_t number)
{
  return number >= 0 && number < gauge->objectCount && crIsPartOf(gauge->objects[number], object);
}

static bool isBetween(const crGauge* gauge, const crOutput* output, const crContactRecord* contact)
{
  const char *a = output->objectA, *b = output->objectB;
  return a == NULL || (isOf(gauge, a, contact->objectA) && isOf(gauge, b, contact->objectB)) ||
         (isOf(gauge, a, contact->objectB) && isOf(gauge, b, contact->objectA));
}

// Whether a contact has pushed is known when it has ended.
static crStatus addContact(void* context, const crContactRecord* contact)
{
  crGauge* gauge = context;
  if (contact->phase == cr_contactBegin || !crContactRecord_HasPushed(contact)) {
    return cr_ok;
  }
  for (int i = 0; i < gauge->outputs->count; ++i) {
    const crOutput* output = &gauge->outputs->items[i];
    bool isFirst = output->subject == cr_subjectFirstContact, isLast = output->subject == cr_subjectLastContact;
    bool isCount = output->subject == cr_subjectContacts;
    if ((!isFirst && !isLast && !isCount) || !isBetween(gauge, output, contact)) {
      continue;
    }
    double* value = &gauge->values[output->firstColumn];
    if (isCount) {
      *value += 1.0;
    } else if (isnan(*value) || (isFirst ? contact->begin < *value : contact->begin > *value)) {
      *value = contact->begin;
    }
  }
  return cr_ok;
}

crRecordSink crGauge_GetSink(crGauge* gauge)
{
  return (crRecordSink){ .context = gauge, .begin = beginRun, .addRow = addRow, .addContact = addContact };
}

void crGauge_Finish(crGauge* gauge, const crSimulationSummary* summary)
{
  double duration = gauge->timeBefore - gauge->timeFirst;
  for (int i = 0; i < gauge->outputs->count; ++i) {
    const crOutput* output = &gauge->outputs->items[i];
    double* value = &gauge->values[output->firstColumn];
    switch (output->subject) {
      case cr_subjectEvents: *value = (double)summary->eventCount; break;
      case cr_subjectSteps: *value = (double)summary->solverStatistics.steps; break;
      case cr_subjectEnd: *value = summary->time; break;
      default: break;
    }
    for (int k = 0; output->kind == cr_outputMean && k < output->variableCount; ++k) {
      value[k] = duration > 0.0 ? value[k] / duration : gauge->before[output->firstVariable + k];
    }
  }
}
