// Checkpoints: all of a running simulation as sections of an archive, and what is made from them. The layout of an
// archive is told in base/archive.h; the sections are, in this order,
//
//   facts      build, fingerprint of the model, time, output points
//   note       bytes of the caller
//   options    what the run was asked for
//   structure  of a model with actions: what they have changed, and what triggers remember
//   run        states, contacts, and statistics that the outside sees
//   instance   inputs, held values, what cut joints keep
//   islands    all else
//
// A copy is made through the same sections, but for the first two.
#include "base/report.h"
#include "model/loop/loop.h"
#include "sim/acting.h"

#include <stdio.h>
#include <string.h>

#define CR_CHECKPOINT_VERSION 10 // of all sections: one more whenever a field of any struct in them changes
#define CR_FACTS_TEXT 1024       // [bytes] of a text there, at most

static const char mark[CR_ARCHIVE_NAME] = "carom checkpoint";

crArchive_Covers(crSimulationOptions, 96);
crArchive_Covers(crRun, 640);
crArchive_Covers(crSimulation, 856);

// ------------------------------------------------------------------------------------------- sections

static void archiveOptions(crArchive* archive, crSimulationOptions* options)
{
  crArchive_BeginSection(archive, "options", CR_CHECKPOINT_VERSION);
  crArchive_Double(archive, &options->startTime);
  crArchive_Double(archive, &options->stopTime);
  crArchive_Double(archive, &options->interval);
  crArchive_Double(archive, &options->tolerance);
  crArchive_Double(archive, &options->absoluteTolerance);
  crArchive_Double(archive, &options->maxStep);
  crArchive_Enum(archive, &options->solver, cr_solverKindCount);
  crArchive_Enum(archive, &options->islands, cr_islandsOff + 1);
  crArchive_Enum(archive, &options->eventRows, cr_eventRowsOff + 1);
  crArchive_Bool(archive, &options->ignoresContacts);
  crArchive_Int(archive, &options->threads, 0, CR_MAX_THREADS);
  crArchive_EndSection(archive);
}

static void archiveContacts(crArchive* archive, crRun* run)
{
  if (archive->isReading && crCanTouch(run->model, &run->options)) {
    crArchive_Fail(archive, crCreateContacts(run->model, run->set, &run->allocator, &run->contacts));
    run->set.contacts = run->contacts;
  }
  if (run->contacts != NULL && crArchive_IsGood(archive)) {
    crContacts_Archive(archive, run->contacts);
  }
}

static void archiveWatch(crArchive* archive, crEnergyWatch* watch)
{
  crArchive_Double(archive, &watch->turnover);
  crArchive_Double(archive, &watch->largest);
  crArchive_Double(archive, &watch->worst);
  crArchive_Double(archive, &watch->last);
  crArchive_Double(archive, &watch->time);
  crArchive_Double(archive, &watch->growth);
  crArchive_Double(archive, &watch->from);
  crArchive_Double(archive, &watch->to);
  crArchive_Bool(archive, &watch->hasWarned);
}

static void archiveRun(crArchive* archive, crSimulation* simulation)
{
  crRun* run = &simulation->run;
  crArchive_BeginSection(archive, "run", CR_CHECKPOINT_VERSION);
  crArchive_Double(archive, &simulation->time);
  crArchive_Bool(archive, &simulation->needsRestart);
  crArchive_Int(archive, &simulation->eventCount, 0, INT32_MAX);
  crArchive_Bool(archive, &simulation->hasWarnedOfEvents);
  archiveWatch(archive, &simulation->energyWatch);
  crArchive_Double(archive, &simulation->startEnergy.kinetic);
  crArchive_Double(archive, &simulation->startEnergy.potential);
  crArchive_Double(archive, &simulation->startEnergy.elastic);
  crArchive_Int(archive, &simulation->outputCount, 0, INT32_MAX);
  crArchive_Double(archive, &simulation->watch.cpuSeconds);
  crArchive_Double(archive, &simulation->watch.wallSeconds);
  crArchive_Double(archive, &simulation->startSeconds);
  crArchive_Doubles(archive, run->state, (size_t)run->stateCount + CR_BALANCE_COUNT);
  crArchive_Double(archive, &run->phase);
  crArchive_Double(archive, &run->reached);
  crArchive_Int64(archive, &run->contactCount, 0);
  crArchive_Bool(archive, &run->hasCrept);
  if (run->hasCrept && crArchive_IsGood(archive)) {
    crContactRecord_Archive(archive, run->model, &run->crept);
  }
  crArchive_Bool(archive, &run->hasWarnedOfDepth);
  crArchive_Bool(archive, &run->hasWarnedOfThickness);
  crArchive_Bool(archive, &run->hasWarnedOfTolerance);
  archiveContacts(archive, run);
  crArchive_EndSection(archive);
  if (archive->isReading &&
      !(simulation->time >= run->options.startTime && simulation->time <= run->options.stopTime)) {
    crArchive_Refuse(archive, "its time is not one of the run");
  }
}

static size_t countCuts(const crSimulation* simulation)
{
  return (size_t)crCountCuts(simulation->run.model) + 1;
}

static void archiveInside(crArchive* archive, crSimulation* simulation, crCutMemory* cuts)
{
  crRun* run = &simulation->run;
  crArchive_BeginSection(archive, "instance", CR_CHECKPOINT_VERSION);
  crInstance_Archive(archive, run->instance, cuts);
  crArchive_EndSection(archive);
  crArchive_BeginSection(archive, "islands", CR_CHECKPOINT_VERSION);
  if (crArchive_IsGood(archive) && run->model->size.treeCount > 0) {
    crIslands_Archive(archive, run, &simulation->islands);
  }
  crArchive_EndSection(archive);
  crArchive_Finish(archive);
}

// Before anything of the run is read it gets the model that it had.
static crStatus takeStructure(crSimulation* simulation)
{
  crActing* acting = simulation->acting;
  crSimulation* next = NULL;
  if (acting->structure.changes.count == 0) {
    return cr_ok;
  }
  int generation = (int)acting->doneCount;
  crStatus status = crActing_Compile(acting, &acting->structure, generation > 0 ? generation : 1, &simulation->run.sink,
                                     &acting->own);
  status = status == cr_ok ? crMakeSimulation(acting->own, &simulation->run.options, &simulation->run.allocator,
                                              &simulation->run.sink, &next)
                           : status;
  if (status == cr_ok) { // its empty run
    crRun run = simulation->run;
    simulation->run = next->run;
    simulation->run.balanceCount = run.balanceCount;
    next->run = run;
    crDestroySimulation(next);
  }
  return status;
}

static void archiveStructure(crArchive* archive, crSimulation* simulation)
{
  crArchive_BeginSection(archive, "structure", CR_CHECKPOINT_VERSION);
  if (simulation->acting != NULL) {
    crActing_Archive(archive, simulation->acting);
  }
  crArchive_EndSection(archive);
  if (archive->isReading && simulation->acting != NULL && crArchive_IsGood(archive)) {
    crArchive_Fail(archive, takeStructure(simulation));
  }
}

// All but facts, note and options. The instance is at the time reached in the end, and cut joints keep what they did.
static void archiveSimulation(crArchive* archive, crSimulation* simulation)
{
  const crAllocator* allocator = &simulation->run.allocator;
  archiveStructure(archive, simulation);
  crCutMemory* cuts = crAllocateZero(allocator, countCuts(simulation), sizeof *cuts);
  crArchive_Fail(archive, cuts != NULL ? cr_ok : cr_errorMemory);
  archiveRun(archive, simulation);
  if (crArchive_IsGood(archive)) {
    archiveInside(archive, simulation, cuts);
  }
  if (archive->isReading && crArchive_IsGood(archive)) {
    if (crSimulation_Place(simulation, simulation->time) != cr_ok) {
      crArchive_Refuse(archive, "the model cannot be evaluated at its state");
    }
    crSimulation_TellEnergies(simulation);
    crInstance_RestoreAllCuts(simulation->run.instance, cuts);
  }
  crFree(allocator, cuts, countCuts(simulation) * sizeof *cuts);
}

// ----------------------------------------------------------------------------------------------- facts

// A text with its zero, where it is in the source of a reader.
static const char* archiveText(crArchive* archive, const char* text)
{
  int size = archive->isReading || text == NULL ? 0 : (int)strlen(text) + 1;
  crArchive_Count(archive, &size, CR_FACTS_TEXT, 1);
  if (!archive->isReading) {
    crArchive_Bytes(archive, (char*)text, (size_t)size);
    return text;
  }
  const char* found = crArchive_Borrow(archive, (size_t)size);
  if (found != NULL && (size == 0 || memchr(found, '\0', (size_t)size) != found + size - 1)) {
    crArchive_Refuse(archive, "a text has no end");
  }
  return crArchive_IsGood(archive) ? found : NULL;
}

static void archiveNote(crArchive* archive, const void** note, size_t* size)
{
  int64_t count = (int64_t)*size;
  crArchive_BeginSection(archive, "note", CR_CHECKPOINT_VERSION);
  crArchive_Int64(archive, &count, 0);
  if (archive->isReading) {
    *note = crArchive_Borrow(archive, (size_t)count);
    *size = crArchive_IsGood(archive) ? (size_t)count : 0;
  } else {
    crArchive_Bytes(archive, (void*)*note, *size);
  }
  crArchive_EndSection(archive);
}

static void archiveFacts(crArchive* archive, crCheckpointFacts* facts)
{
  crArchive_Mark(archive, mark);
  crArchive_BeginSection(archive, "facts", CR_CHECKPOINT_VERSION);
  facts->build = archiveText(archive, facts->build);
  facts->model = archiveText(archive, facts->model);
  crArchive_Double(archive, &facts->time);
  crArchive_Int(archive, &facts->outputCount, 0, INT32_MAX);
  crArchive_EndSection(archive);
  archiveNote(archive, &facts->note, &facts->noteSize);
}

// -------------------------------------------------------------------------------------------- writing

static bool canSave(const crSimulation* simulation)
{
  return simulation != NULL && !crSimulation_IsElsewhere(simulation) && !simulation->run.hasFailed &&
         !simulation->isStepping;
}

// Nothing is changed by what only writes.
static void write(crArchive* archive, const crSimulation* simulation)
{
  crSimulation* own = (crSimulation*)simulation;
  archiveOptions(archive, &own->run.options);
  archiveSimulation(archive, own);
}

crStatus crSimulation_Save(const crSimulation* simulation, const void* note, size_t noteSize, crByteWriter writer)
{
  if (!canSave(simulation) || writer.write == NULL || (note == NULL && noteSize > 0)) {
    return cr_errorMisuse;
  }
  char hash[CR_HASH_TEXT];
  crModel_GetHash(simulation->acting != NULL ? simulation->acting->first : simulation->run.model, hash);
  crCheckpointFacts facts = { .build = crGetBuild(),
                              .model = hash,
                              .time = simulation->time,
                              .outputCount = simulation->outputCount,
                              .note = note,
                              .noteSize = noteSize };
  crArchive archive;
  crArchive_InitWriter(&archive, &simulation->run.allocator);
  archiveFacts(&archive, &facts);
  write(&archive, simulation);
  crStatus status = archive.status;
  status = status == cr_ok ? writer.write(writer.context, archive.bytes, archive.size) : status;
  crArchive_Free(&archive);
  return status;
}

// -------------------------------------------------------------------------------------------- reading

static crStatus report(const crErrorSink* sink, crStatus status, const crComplaint* complaint)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, "checkpoint");
  crReport(&reporter, cr_severityError, status, complaint);
  return status;
}

// Why the bytes of a reader cannot be used.
static crStatus reportArchive(const crArchive* archive, const crErrorSink* sink)
{
  if (archive->status == cr_ok || archive->status == cr_errorMemory) {
    return archive->status;
  }
  char message[sizeof archive->complaint + 64];
  snprintf(message, sizeof message, "this is not a whole checkpoint: %s",
           archive->complaint[0] != '\0' ? archive->complaint : crStatus_GetText(archive->status));
  crComplaint complaint = { .message = message, .hint = "take the one that was written before, or run again" };
  return report(sink, cr_errorFile, &complaint);
}

crStatus crReadCheckpointFacts(const void* bytes, size_t size, const crErrorSink* sink, crCheckpointFacts* outFacts)
{
  if (bytes == NULL || outFacts == NULL) {
    return cr_errorMisuse;
  }
  *outFacts = (crCheckpointFacts){ .time = 0.0 };
  crArchive archive;
  crArchive_InitReader(&archive, bytes, size);
  archiveFacts(&archive, outFacts);
  static const char* const rest[] = { "options", "structure", "run", "instance", "islands" };
  for (size_t i = 0; i < sizeof rest / sizeof *rest; ++i) {
    crArchive_SkipSection(&archive, rest[i], CR_CHECKPOINT_VERSION);
  }
  crArchive_Finish(&archive);
  if (!crArchive_IsGood(&archive)) {
    *outFacts = (crCheckpointFacts){ .time = 0.0 };
  }
  return reportArchive(&archive, sink);
}

static crStatus checkOrigin(const crModel* model, const crCheckpointFacts* facts, const crErrorSink* sink)
{
  char hash[CR_HASH_TEXT];
  if (strcmp(facts->build, crGetBuild()) != 0) {
    crComplaint complaint = { .message = "the checkpoint was written by another build of Carom, whose bits may differ",
                              .found = facts->build,
                              .allowed = crGetBuild(),
                              .hint = "go on with that build, or start from a state" };
    return report(sink, cr_errorModel, &complaint);
  }
  crModel_GetHash(model, hash);
  if (strcmp(facts->model, hash) != 0) {
    crComplaint complaint = { .message = "the checkpoint belongs to another model",
                              .found = facts->model,
                              .allowed = hash,
                              .hint = "take the model that it was written with, or start from a state" };
    return report(sink, cr_errorModel, &complaint);
  }
  return cr_ok;
}

// What may differ takes the place of what was saved.
static crStatus chooseOptions(const crLoadOptions* load, const crModel* model, const crErrorSink* sink,
                              crSimulationOptions* ioOptions)
{
  if (load != NULL && load->stopTime != 0.0) {
    if (!(load->stopTime >= ioOptions->stopTime)) {
      crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, "checkpoint");
      char allowed[32];
      snprintf(allowed, sizeof allowed, ">= %.12g", ioOptions->stopTime);
      crReportNumber(&reporter, "the stop time is before that of the run that was saved", load->stopTime, allowed, "s",
                     "0 is for that of the run");
      return cr_errorModel;
    }
    ioOptions->stopTime = load->stopTime;
  }
  ioOptions->threads = load != NULL && load->threads != 0 ? load->threads : ioOptions->threads;
  return crCheckOptions(model, ioOptions, sink) ? cr_ok : cr_errorModel;
}

// From the options on.
static crStatus read(crArchive* archive, const crModel* model, const crLoadOptions* load, const crAllocator* allocator,
                     const crErrorSink* sink, crSimulation** outSimulation)
{
  crSimulationOptions options = { .size = sizeof options };
  archiveOptions(archive, &options);
  if (!crArchive_IsGood(archive)) {
    return reportArchive(archive, sink);
  }
  crStatus status = chooseOptions(load, model, sink, &options);
  crSimulation* simulation = NULL;
  status = status == cr_ok ? crMakeSimulation(model, &options, allocator, sink, &simulation) : status;
  if (status != cr_ok) {
    return status;
  }
  archiveSimulation(archive, simulation);
  status = reportArchive(archive, sink);
  status = status == cr_ok ? crStartCallers(simulation->run.instance, sink) : status;
  status = status == cr_retry ? cr_errorModel : status;
  if (status != cr_ok) {
    crDestroySimulation(simulation);
    return status;
  }
  *outSimulation = simulation;
  return cr_ok;
}

crLoadOptions crDefaultLoadOptions(void)
{
  return (crLoadOptions){ .size = sizeof(crLoadOptions) };
}

crStatus crLoadSimulation(const crModel* model, const void* bytes, size_t size, const crLoadOptions* options,
                          const crAllocator* allocator, const crErrorSink* sink, crSimulation** outSimulation)
{
  if (model == NULL || bytes == NULL || outSimulation == NULL) {
    return cr_errorMisuse;
  }
  *outSimulation = NULL;
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, "checkpoint");
  if (options != NULL && !crCheckSize(&reporter, "crLoadOptions", options->size, sizeof *options)) {
    return cr_errorMisuse;
  }
  crCheckpointFacts facts;
  crStatus status = crReadCheckpointFacts(bytes, size, sink, &facts);
  status = status == cr_ok ? checkOrigin(model, &facts, sink) : status;
  if (status != cr_ok) {
    return status;
  }
  crArchive archive;
  crArchive_InitReader(&archive, bytes, size);
  archiveFacts(&archive, &facts);
  return read(&archive, model, options, allocator, sink, outSimulation);
}

crStatus crSimulation_Copy(const crSimulation* simulation, const crAllocator* allocator, const crErrorSink* sink,
                           crSimulation** outSimulation)
{
  if (!canSave(simulation) || outSimulation == NULL) {
    return cr_errorMisuse;
  }
  *outSimulation = NULL;
  crArchive written, archive;
  crArchive_InitWriter(&written, &simulation->run.allocator);
  write(&written, simulation);
  crStatus status = written.status;
  if (status == cr_ok) {
    crArchive_InitReader(&archive, written.bytes, written.size);
    const crModel* model = simulation->acting != NULL ? simulation->acting->first : simulation->run.model;
    status = read(&archive, model, NULL, allocator, sink, outSimulation);
  }
  crArchive_Free(&written);
  return status;
}
