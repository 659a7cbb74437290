#include "foreign/fmu_slave.h"

#include "base/library.h"
#include "base/platform.h"

#include <ctype.h>
#include <fenv.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// -------------------------------------------------------------------------------------------- loading

// "file:///tmp/..." with everything but plain characters as %XX.
static void writeAddress(const char* folder, char* out, size_t size)
{
  size_t used = (size_t)snprintf(out, size, "file://");
  for (const char* c = folder; *c != '\0' && used + 4 < size; ++c) {
    bool isPlain = isalnum((unsigned char)*c) || strchr("/-._~", *c) != NULL;
    used += (size_t)snprintf(out + used, size - used, isPlain ? "%c" : "%%%02X", (unsigned char)*c);
  }
  snprintf(out + used, size - used, "/resources");
}

// Whether a file has all that its own list of segments (ELF, 64 bits) says. The loader maps what is missing, and the
// process ends when it is touched. What is no such file the loader refuses.
static bool isWhole(const char* path)
{
  uint64_t start = 0;
  uint16_t size = 0, count = 0;
  bool isCut = false;
  FILE* file = fopen(path, "rb");
  if (file == NULL) {
    return true;
  }
  unsigned char head[64];
  if (fread(head, 1, sizeof head, file) == sizeof head && memcmp(head, "\177ELF\2", 5) == 0) {
    memcpy(&start, head + 32, sizeof start);
    memcpy(&size, head + 54, sizeof size);
    memcpy(&count, head + 56, sizeof count);
  }
  (void)fseek(file, 0, SEEK_END);
  uint64_t end = (uint64_t)ftell(file);
  for (int i = 0; i < count && !isCut; ++i) {
    unsigned char segment[40];
    uint64_t place = start + (uint64_t)i * size, offset, length;
    isCut = place >= end || fseek(file, (long)place, SEEK_SET) != 0 ||
            fread(segment, 1, sizeof segment, file) < sizeof segment;
    memcpy(&offset, segment + 8, sizeof offset);
    memcpy(&length, segment + 32, sizeof length);
    isCut = isCut || offset > end || length > end - offset;
  }
  (void)fclose(file);
  return !isCut;
}

static crStatus findFunctions(crSlave* slave, crReporter* reporter)
{
  const char* missing = NULL;
  // the way POSIX gives from an object's address to that of a function
#define CR_FIND(name)                                                                                                  \
  *(void**)(&slave->name) = dlsym(slave->library, "fmi2" #name);                                                       \
  missing = slave->name == NULL ? "fmi2" #name : missing;
  CR_SLAVE_FUNCTIONS(CR_FIND)
#undef CR_FIND
  if (missing != NULL) {
    crReportError(reporter, "the binary of the FMU has no function %s", missing);
    return cr_errorModel;
  }
  const char *version = slave->GetVersion(), *platform = slave->GetTypesPlatform();
  if (version == NULL || strncmp(version, "2.", 2) != 0 || platform == NULL || strcmp(platform, "default") != 0) {
    crReportError(reporter, "the binary of the FMU is of FMI %.20s with types '%.20s', not of FMI 2.0 with 'default'",
                  version != NULL ? version : "?", platform != NULL ? platform : "?");
    return cr_errorModel;
  }
  return cr_ok;
}

crStatus crSlave_Open(crSlave* slave, const crFmuArchive* archive, const crSlaveDescription* description,
                      crReporter* reporter)
{
  *slave = (crSlave){ .mode = cr_slaveShut };
  crStatus status = crFmuArchive_Unpack(archive, reporter, slave->folder);
  if (status != cr_ok) {
    return status;
  }
  char path[2 * CR_FMU_FOLDER_SIZE];
  snprintf(path, sizeof path, "%s/binaries/linux64/%s.so", slave->folder, description->identifier);
  bool isCut = !isWhole(path);
  if (!isCut) {
    crEnterLibrary("an FMU");
    slave->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    crLeaveLibrary(false);
  }
  if (isCut) {
    crReportError(reporter, "the binary of the FMU is cut off, binaries/linux64/%s.so", description->identifier);
    status = cr_errorModel;
  } else if (slave->library == NULL) {
    const char* why = dlerror();
    crReportError(reporter, "the FMU has no binary that can be loaded here, binaries/linux64/%s.so: %.300s",
                  description->identifier, why != NULL ? why : "");
    status = cr_errorModel;
  } else {
    status = findFunctions(slave, reporter);
  }
  writeAddress(slave->folder, slave->resources, sizeof slave->resources);
  slave->mode = status == cr_ok ? cr_slaveOpen : cr_slaveShut;
  if (status != cr_ok) {
    crSlave_Close(slave);
  }
  return status;
}

// Between two calls of its functions, so that what an FMU does to the arithmetic of this process stays inside.
#define CR_OUTSIDE(call)                                                                                               \
  do {                                                                                                                 \
    fenv_t own_;                                                                                                       \
    fegetenv(&own_);                                                                                                   \
    crEnterLibrary("an FMU");                                                                                          \
    call;                                                                                                              \
    crLeaveLibrary(false);                                                                                             \
    fesetenv(&own_);                                                                                                   \
  } while (0)

static void endInstance(crSlave* slave)
{
  if (slave->mode == cr_slaveRunning) {
    CR_OUTSIDE(slave->Terminate(slave->component));
  }
  if (slave->component != NULL && slave->mode != cr_slaveLost) {
    CR_OUTSIDE(slave->FreeInstance(slave->component));
  }
  slave->component = NULL;
  slave->mode = slave->mode == cr_slaveShut || slave->mode == cr_slaveLost ? slave->mode : cr_slaveOpen;
}

void crSlave_Close(crSlave* slave)
{
  endInstance(slave);
  if (slave->library != NULL && slave->mode != cr_slaveLost) { // whose threads may still be at work
    dlclose(slave->library);
  }
  if (slave->folder[0] != '\0') {
    crRemoveUnpacked(slave->folder);
  }
  slave->library = NULL;
  slave->folder[0] = '\0';
  slave->mode = cr_slaveShut;
}

// -------------------------------------------------------------------------------------------- talking

static void writeLog(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status, fmi2String category,
                     fmi2String message, ...)
{
  (void)name;
  (void)category;
  crSlave* slave = environment;
  if (slave == NULL || message == NULL || status == fmi2OK || status == fmi2Pending) {
    return;
  }
  va_list rest;
  va_start(rest, message);
  vsnprintf(slave->logged, sizeof slave->logged, message, rest);
  va_end(rest);
  if (status == fmi2Warning && slave->warningCount++ == 0) {
    memcpy(slave->warning, slave->logged, sizeof slave->warning);
  }
}

static void* allocate(size_t count, size_t size)
{
  return calloc(count > 0 ? count : 1, size > 0 ? size : 1);
}

// Takes what a function of the FMU returned. false: the run cannot go on.
static bool judge(crSlave* slave, const char* function, fmi2Status status)
{
  static const char* const names[] = { "ok", "warning", "discard", "error", "fatal", "pending" };
  if (status == fmi2Warning && slave->warningCount == 0) { // it did not say why
    slave->warningCount = 1;
    snprintf(slave->warning, sizeof slave->warning, "fmi2%s returns 'warning'", function);
  }
  if (status == fmi2OK || status == fmi2Warning) {
    return true;
  }
  const char* name = (unsigned)status < sizeof names / sizeof *names ? names[status] : "nonsense";
  slave->mode = status == fmi2Fatal ? cr_slaveLost : cr_slaveFailed;
  snprintf(slave->explanation, sizeof slave->explanation, "fmi2%s of the FMU returns '%s'%s%s%s", function, name,
           slave->logged[0] != '\0' ? ": '" : "", slave->logged, slave->logged[0] != '\0' ? "'" : "");
  return false;
}

#define CR_ASK(slave, name, ...)                                                                                       \
  do {                                                                                                                 \
    fmi2Status status_ = fmi2Fatal;                                                                                    \
    CR_OUTSIDE(status_ = (slave)->name((slave)->component, __VA_ARGS__));                                              \
    if (!judge((slave), #name, status_)) {                                                                             \
      return false;                                                                                                    \
    }                                                                                                                  \
  } while (0)

static bool writeValues(crSlave* slave, crFmuValues values)
{
  for (int i = 0; i < values.count; ++i) {
    const crFmuPlace* place = values.places[i];
    double value = values.values[i];
    bool isWhole = value == rint(value) && fabs(value) <= INT32_MAX;
    if (place->type == cr_slaveReal) {
      CR_ASK(slave, SetReal, &place->reference, 1, &value);
    } else if (place->type == cr_slaveInteger && isWhole) {
      CR_ASK(slave, SetInteger, &place->reference, 1, &(fmi2Integer){ (fmi2Integer)value });
    } else if (place->type == cr_slaveBoolean && (value == 0.0 || value == 1.0)) {
      CR_ASK(slave, SetBoolean, &place->reference, 1, &(fmi2Boolean){ value != 0.0 });
    } else {
      snprintf(slave->explanation, sizeof slave->explanation, "'%s' of the FMU takes %s, and gets %.9g", place->name,
               place->type == cr_slaveBoolean ? "0 or 1" : "whole numbers", value);
      slave->mode = cr_slaveFailed;
      return false;
    }
  }
  return true;
}

bool crSlave_Read(crSlave* slave, const crFmuPlace* const* places, int count, double* outValues)
{
  for (int i = 0; i < count; ++i) {
    fmi2Integer whole = 0;
    if (places[i]->type == cr_slaveReal) {
      CR_ASK(slave, GetReal, &places[i]->reference, 1, &outValues[i]);
    } else if (places[i]->type == cr_slaveInteger) {
      CR_ASK(slave, GetInteger, &places[i]->reference, 1, &whole);
      outValues[i] = whole;
    } else {
      CR_ASK(slave, GetBoolean, &places[i]->reference, 1, &whole);
      outValues[i] = whole != 0;
    }
  }
  return true;
}

bool crSlave_Begin(crSlave* slave, const char* name, const char* guid, double t, crFmuValues parameters,
                   crFmuValues inputs)
{
  endInstance(slave);
  slave->logged[0] = '\0';
  if (slave->mode != cr_slaveOpen) {
    snprintf(slave->explanation, sizeof slave->explanation, "the FMU has failed for good");
    return false;
  }
  slave->callbacks = (fmi2CallbackFunctions){ writeLog, allocate, free, NULL, slave };
  CR_OUTSIDE(slave->component = slave->Instantiate(name, fmi2CoSimulation, guid, slave->resources, &slave->callbacks,
                                                   fmi2False, fmi2True));
  if (slave->component == NULL) {
    snprintf(slave->explanation, sizeof slave->explanation, "the FMU cannot be instantiated%s%s",
             slave->logged[0] != '\0' ? ": " : "", slave->logged);
    return false;
  }
  slave->mode = cr_slaveFailed; // until all of the following is done
  CR_ASK(slave, SetupExperiment, fmi2False, 0.0, t, fmi2False, 0.0);
  if (!writeValues(slave, parameters)) {
    return false;
  }
  fmi2Status status = fmi2Fatal;
  CR_OUTSIDE(status = slave->EnterInitializationMode(slave->component));
  if (!judge(slave, "EnterInitializationMode", status) || !writeValues(slave, inputs)) {
    return false;
  }
  CR_OUTSIDE(status = slave->ExitInitializationMode(slave->component));
  if (!judge(slave, "ExitInitializationMode", status)) {
    return false;
  }
  slave->mode = cr_slaveRunning;
  return true;
}

bool crSlave_Step(crSlave* slave, double t, double step, crFmuValues inputs)
{
  slave->logged[0] = '\0';
  if (!writeValues(slave, inputs)) {
    return false;
  }
  CR_ASK(slave, DoStep, t, step, fmi2True);
  return true;
}
