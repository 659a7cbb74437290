// run.json: versions, options, hashes, statistics, and how a run ended.
#include "show/run_about.h"
#include "text/json_text.h"

#include <math.h>
#include <stdio.h>

// JSON has no infinity, which energies can reach before a run fails.
static void putNumber(crJsonText* text, const char* key, double number)
{
  crJsonText_Key(text, key);
  if (isfinite(number)) {
    crJsonText_Number(text, number);
  } else {
    crJsonText_Null(text);
  }
}

static void putCount(crJsonText* text, const char* key, int64_t count)
{
  crJsonText_KeyNumber(text, key, (double)count);
}

// What is no UTF-8 is cleaned.
static void putText(crJsonText* text, const char* string)
{
  char clean[1024];
  snprintf(clean, sizeof clean, "%s", string);
  crCleanText(clean);
  crJsonText_String(text, clean);
}

// ------------------------------------------------------------------------------------------- options

static void putSettings(crJsonText* text, const crRunDef* def)
{
  crJsonText_Key(text, "set");
  crJsonText_BeginObject(text);
  for (int i = 0; i < def->settingCount; ++i) {
    char name[256];
    snprintf(name, sizeof name, "%s", def->settings[i].name);
    crCleanText(name);
    crJsonText_Key(text, name);
    putText(text, def->settings[i].value);
  }
  crJsonText_EndObject(text);
}

static void putPatterns(crJsonText* text, const crRunDef* def, const crModel* model)
{
  const crRunOptions* stated = crModel_GetRunOptions(model);
  const char* const* patterns = def->patternCount > 0 ? def->patterns : stated->record;
  int count = def->patternCount > 0 ? def->patternCount : stated->recordCount;
  crJsonText_Key(text, "record");
  crJsonText_BeginArray(text);
  for (int i = 0; i < count; ++i) {
    putText(text, patterns[i]);
  }
  crJsonText_EndArray(text);
}

// Values of the declared inputs, as they were at the end.
static void putInputs(crJsonText* text, crSimulation* simulation)
{
  const crInstance* instance = crSimulation_GetInstance(simulation);
  crPort port;
  crJsonText_Key(text, "inputs");
  crJsonText_BeginObject(text);
  for (int i = 0; crModel_GetInput(crInstance_GetModel(instance), i, &port); ++i) {
    putNumber(text, port.path, crInstance_GetInput(instance, i));
  }
  crJsonText_EndObject(text);
}

static void putOptions(crJsonText* text, const crRunDef* def, crSimulation* simulation, bool isWhole)
{
  crSimulationOptions o = crSimulation_GetOptions(simulation);
  crJsonText_Key(text, "options");
  crJsonText_BeginObjectLines(text);
  crJsonText_KeyNumber(text, "start", o.startTime);
  crJsonText_KeyNumber(text, "stop", o.stopTime);
  crJsonText_KeyNumber(text, "interval", o.interval);
  crJsonText_KeyNumber(text, "tolerance", o.tolerance);
  putNumber(text, "absoluteTolerance", o.absoluteTolerance > 0.0 ? o.absoluteTolerance : INFINITY);
  putNumber(text, "maxStep", o.maxStep);
  crJsonText_KeyString(text, "solver", crGetSolverInfo(o.solver)->name);
  crJsonText_KeyBool(text, "contact", !o.ignoresContacts);
  crJsonText_KeyBool(text, "islands", o.islands == cr_islandsOn);
  crJsonText_KeyBool(text, "eventRows", o.eventRows == cr_eventRowsOn);
  if (isWhole) {
    crJsonText_KeyNumber(text, "threads", o.threads > 0 ? o.threads : 1);
  }
  putSettings(text, def);
  putPatterns(text, def, crInstance_GetModel(crSimulation_GetInstance(simulation)));
  putInputs(text, simulation);
  crJsonText_EndObject(text);
}

// ---------------------------------------------------------------------------------------- statistics

static void putSolver(crJsonText* text, const crSimulationSummary* s)
{
  const crSolverStatistics* n = &s->solverStatistics;
  crJsonText_Key(text, "solver");
  crJsonText_BeginObjectLines(text);
  crJsonText_KeyString(text, "name", crGetSolverInfo(s->solver)->name);
  crJsonText_KeyString(text, "reason", s->solver != cr_solverAuto ? "as asked for" : "chosen step by step");
  putCount(text, "steps", n->steps);
  putCount(text, "rejectedSteps", n->rejectedSteps);
  putCount(text, "evaluations", n->evaluations);
  putCount(text, "jacobians", n->jacobians);
  putCount(text, "factorizations", n->factorizations);
  putCount(text, "restarts", n->restarts);
  crJsonText_Key(text, "methodSteps");
  crJsonText_BeginObject(text);
  putCount(text, "dopri5", s->methodSteps.dopri5);
  putCount(text, "dop853", s->methodSteps.dop853);
  putCount(text, "radau5", s->methodSteps.radau5);
  putCount(text, "rkc2", s->methodSteps.rkc2);
  crJsonText_EndObject(text);
  crJsonText_EndObject(text);
}

static double total(crEnergy energy)
{
  return energy.kinetic + energy.potential + energy.elastic;
}

// How many variables the result has, of how many.
static void putRecorded(crJsonText* text, const crRunAbout* about, const crModel* model)
{
  crJsonText_Key(text, "recorded");
  crJsonText_BeginObjectLines(text);
  putCount(text, "variables", about->columnCount);
  putCount(text, "of", crModel_GetSize(model).variableCount);
  crJsonText_EndObject(text);
}

static void putEnergy(crJsonText* text, const crSimulationSummary* s)
{
  crJsonText_Key(text, "energy");
  crJsonText_BeginObjectLines(text);
  putNumber(text, "startKinetic", s->startEnergy.kinetic);
  putNumber(text, "startPotential", s->startEnergy.potential);
  putNumber(text, "startElastic", s->startEnergy.elastic);
  putNumber(text, "endKinetic", s->endEnergy.kinetic);
  putNumber(text, "endPotential", s->endEnergy.potential);
  putNumber(text, "endElastic", s->endEnergy.elastic);
  putNumber(text, "work", s->work);
  putNumber(text, "dissipated", s->dissipated);
  if (s->removed != 0.0) {
    putNumber(text, "removed", s->removed);
  }
  putNumber(text, "unexplained", total(s->endEnergy) - total(s->startEnergy) - s->work + s->dissipated + s->removed);
  crJsonText_EndObject(text);
}

// Where something crept.
static void putCreep(crJsonText* text, const crSimulation* simulation, const crSimulationSummary* s)
{
  char words[CR_CREEP_TEXT];
  const crModel* model = crInstance_GetModel(crSimulation_GetInstance(simulation));
  if (crSimulation_DescribeCreep(simulation, words, sizeof words)) {
    crJsonText_Key(text, "creep");
    crJsonText_BeginObjectLines(text);
    crJsonText_KeyString(text, "objectA", crModel_GetObjectPath(model, s->creepA));
    crJsonText_KeyString(text, "objectB", crModel_GetObjectPath(model, s->creepB));
    putNumber(text, "path", s->creep.path);
    putNumber(text, "seconds", s->creep.time);
    putNumber(text, "coneShare", s->creep.share);
    putNumber(text, "vMin", s->creepSpeed);
    crJsonText_KeyString(text, "told", words);
    crJsonText_EndObject(text);
  }
}

static void putContacts(crJsonText* text, const crSimulation* simulation, const crSimulationSummary* s)
{
  crJsonText_Key(text, "contacts");
  crJsonText_BeginObjectLines(text);
  putCount(text, "began", s->contactCount);
  putCount(text, "events", s->eventCount);
  putCount(text, "searches", s->searchedSteps);
  crJsonText_EndObject(text);
  putCreep(text, simulation, s);
  crJsonText_Key(text, "islands");
  crJsonText_BeginObjectLines(text);
  crJsonText_KeyBool(text, "used", s->islandReason == NULL);
  if (s->islandReason != NULL) {
    crJsonText_KeyString(text, "reason", s->islandReason);
  } else {
    putCount(text, "count", s->islandCount);
    putCount(text, "merged", s->mergeCount);
    putCount(text, "parted", s->splitCount);
    putCount(text, "distances", s->distanceCount);
  }
  crJsonText_EndObject(text);
}

static void putShared(crJsonText* text, const crSharedWork* shared)
{
  crJsonText_Key(text, "sharedWork");
  crJsonText_BeginObjectLines(text);
  putCount(text, "works", shared->works);
  putCount(text, "helped", shared->helped);
  putCount(text, "alone", shared->alone);
  crJsonText_EndObject(text);
}

static void putHash(crJsonText* text, const char* key, const char* hash)
{
  crJsonText_Key(text, key);
  if (hash[0] != '\0') {
    crJsonText_String(text, hash);
  } else {
    crJsonText_Null(text);
  }
}

void crWriteRunJson(const crRunAbout* about, const crRunDef* def, crSimulation* simulation, crRunEnd end, bool isWhole,
                    crTextWriter writer)
{
  crSimulationSummary s = crSimulation_GetSummary(simulation);
  crJsonText text;
  crJsonText_Init(&text, writer);
  crJsonText_BeginObjectLines(&text);
  crJsonText_KeyString(&text, "carom", crGetVersion());
  crJsonText_Key(&text, "model");
  putText(&text, def->file != NULL ? def->file : about->name);
  crJsonText_KeyString(&text, "exit", crRunEnd_GetText(end));
  crJsonText_KeyNumber(&text, "time", s.time);
  crJsonText_KeyNumber(&text, "outputs", s.outputCount);
  if (isWhole) {
    crJsonText_KeyNumber(&text, "cpuSeconds", s.cpuSeconds);
    crJsonText_KeyNumber(&text, "wallSeconds", s.wallSeconds);
    crJsonText_KeyNumber(&text, "startSeconds", s.startSeconds);
    if (s.sharedWork.works > 0) {
      putShared(&text, &s.sharedWork);
    }
  }
  putRecorded(&text, about, crInstance_GetModel(crSimulation_GetInstance(simulation)));
  putOptions(&text, def, simulation, isWhole);
  putSolver(&text, &s);
  putEnergy(&text, &s);
  putContacts(&text, simulation, &s);
  crJsonText_Key(&text, "sha256");
  crJsonText_BeginObjectLines(&text);
  putHash(&text, "model", about->sourceHash);
  putHash(&text, "scene", about->sceneHash);
  crJsonText_EndObject(&text);
  crJsonText_EndObject(&text);
  crJsonText_Finish(&text);
}
