#include "support/fmu_host.h"

#include "support/folder.h"
#include "support/log.h"

#include <dlfcn.h>
#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zip.h>

// ------------------------------------------------------------------------------------------ unpacking

static void makeFolders(char* path)
{
  for (char* slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    mkdir(path, 0700);
    *slash = '/';
  }
}

static void unpackEntry(zip_t* archive, zip_uint64_t index, const char* folder)
{
  zip_stat_t facts;
  assert_int_equal(zip_stat_index(archive, index, 0, &facts), 0);
  assert_null(strstr(facts.name, ".."));
  char path[2048];
  snprintf(path, sizeof path, "%s/%s", folder, facts.name);
  makeFolders(path);
  char* bytes = malloc(facts.size + 1);
  zip_file_t* file = zip_fopen_index(archive, index, 0);
  assert_non_null(file);
  assert_int_equal(zip_fread(file, bytes, facts.size), facts.size);
  zip_fclose(file);
  crWriteTestFile(path, bytes, facts.size);
  free(bytes);
}

void crUnpackFmu(const char* path, const char* folder)
{
  int error;
  zip_t* archive = zip_open(path, ZIP_RDONLY | ZIP_CHECKCONS, &error);
  assert_non_null(archive);
  mkdir(folder, 0700);
  for (zip_uint64_t i = 0; i < (zip_uint64_t)zip_get_num_entries(archive, 0); ++i) {
    unpackEntry(archive, i, folder);
  }
  zip_close(archive);
}

// ----------------------------------------------------------------------------------------- description

typedef struct Reader {
  crFmuHost* host;
  int* list; // of ModelStructure that is open
  int* listCount;
  int section; // of the root element, in the order of the schema
} Reader;

// The elements of the schema that we use, with their attributes, each between blanks.
static const struct {
  const char *name, *attributes;
} schema[] = {
  { "fmiModelDescription", " fmiVersion modelName guid description author version copyright license generationTool "
                           "generationDateAndTime variableNamingConvention numberOfEventIndicators " },
  { "ModelExchange", " modelIdentifier needsExecutionTool completedIntegratorStepNotNeeded "
                     "canBeInstantiatedOnlyOncePerProcess canNotUseMemoryManagementFunctions canGetAndSetFMUstate "
                     "canSerializeFMUstate providesDirectionalDerivative " },
  { "CoSimulation", " modelIdentifier needsExecutionTool canHandleVariableCommunicationStepSize canInterpolateInputs "
                    "maxOutputDerivativeOrder canRunAsynchronuously canBeInstantiatedOnlyOncePerProcess "
                    "canNotUseMemoryManagementFunctions canGetAndSetFMUstate canSerializeFMUstate "
                    "providesDirectionalDerivative " },
  { "UnitDefinitions", " " },
  { "Unit", " name " },
  { "BaseUnit", " kg m s A K mol cd rad factor offset " },
  { "LogCategories", " " },
  { "Category", " name description " },
  { "DefaultExperiment", " startTime stopTime tolerance stepSize " },
  { "ModelVariables", " " },
  { "ScalarVariable",
    " name valueReference description causality variability initial canHandleMultipleSetPerTimeInstant "
    "previous clocked " },
  { "Real",
    " declaredType quantity unit displayUnit relativeQuantity min max nominal unbounded start derivative reinit " },
  { "Boolean", " declaredType start " },
  { "String", " declaredType start " },
  { "ModelStructure", " " },
  { "Outputs", " " },
  { "Derivatives", " " },
  { "InitialUnknowns", " " },
  { "Unknown", " index dependencies dependenciesKind " },
};

static const char* const sections[] = { "ModelExchange",     "CoSimulation",   "UnitDefinitions", "LogCategories",
                                        "DefaultExperiment", "ModelVariables", "ModelStructure" };

static const char* attribute(const char** attributes, const char* name)
{
  for (int i = 0; attributes[i] != NULL; i += 2) {
    if (strcmp(attributes[i], name) == 0) {
      return attributes[i + 1];
    }
  }
  return NULL;
}

static double number(const char** attributes, const char* name)
{
  const char* text = attribute(attributes, name);
  assert_non_null(text);
  return strtod(text, NULL);
}

static void checkSchema(const char* element, const char** attributes)
{
  const char* allowed = NULL;
  for (size_t i = 0; i < sizeof schema / sizeof *schema; ++i) {
    allowed = strcmp(schema[i].name, element) == 0 ? schema[i].attributes : allowed;
  }
  if (allowed == NULL) {
    fail_msg("the schema has no element %s", element);
    return;
  }
  for (int i = 0; attributes[i] != NULL; i += 2) {
    char word[80];
    snprintf(word, sizeof word, " %s ", attributes[i]);
    if (strstr(allowed, word) == NULL) {
      fail_msg("%s has no attribute %s", element, attributes[i]);
    }
  }
}

static void copy(char* buffer, size_t size, const char* text)
{
  snprintf(buffer, size, "%s", text != NULL ? text : "");
}

static void readVariable(crFmuHost* host, const char** attributes)
{
  host->variables = realloc(host->variables, (size_t)(host->variableCount + 1) * sizeof *host->variables);
  crHostVariable* variable = &host->variables[host->variableCount++];
  *variable = (crHostVariable){ .reference = (unsigned)number(attributes, "valueReference") };
  copy(variable->name, sizeof variable->name, attribute(attributes, "name"));
  copy(variable->description, sizeof variable->description, attribute(attributes, "description"));
  copy(variable->causality, sizeof variable->causality, attribute(attributes, "causality"));
  copy(variable->variability, sizeof variable->variability, attribute(attributes, "variability"));
}

static void readType(crHostVariable* variable, const char* element, const char** attributes)
{
  copy(variable->type, sizeof variable->type, element);
  copy(variable->unit, sizeof variable->unit, attribute(attributes, "unit"));
  variable->hasStart = attribute(attributes, "start") != NULL;
  copy(variable->start, sizeof variable->start, attribute(attributes, "start"));
  copy(variable->min, sizeof variable->min, attribute(attributes, "min"));
  copy(variable->max, sizeof variable->max, attribute(attributes, "max"));
  const char* derivative = attribute(attributes, "derivative");
  variable->derivative = derivative != NULL ? atoi(derivative) : 0;
}

static void readRoot(crFmuHost* host, const char** attributes)
{
  assert_string_equal(attribute(attributes, "fmiVersion"), "2.0");
  assert_non_null(attribute(attributes, "modelName"));
  copy(host->guid, sizeof host->guid, attribute(attributes, "guid"));
  host->indicatorCount = (int)number(attributes, "numberOfEventIndicators");
}

static void readExperiment(crFmuHost* host, const char** attributes)
{
  host->startTime = number(attributes, "startTime");
  host->stopTime = number(attributes, "stopTime");
  host->tolerance = number(attributes, "tolerance");
  host->stepSize = number(attributes, "stepSize");
}

static void openList(Reader* reader, const char* element)
{
  crFmuHost* host = reader->host;
  bool isOutputs = strcmp(element, "Outputs") == 0, isDerivatives = strcmp(element, "Derivatives") == 0;
  int** list = isOutputs ? &host->outputs : isDerivatives ? &host->derivatives : &host->initial;
  *list = calloc((size_t)host->variableCount + 1, sizeof **list);
  if (isDerivatives) {
    host->dependencies = calloc((size_t)host->variableCount + 1, sizeof *host->dependencies);
  }
  reader->list = *list;
  reader->listCount = isOutputs ? &host->outputCount : isDerivatives ? &host->derivativeCount : &host->initialCount;
}

static void startElement(void* context, const char* element, const char** attributes)
{
  Reader* reader = context;
  crFmuHost* host = reader->host;
  checkSchema(element, attributes);
  for (int i = 0; i < (int)(sizeof sections / sizeof *sections); ++i) {
    if (strcmp(sections[i], element) == 0) {
      assert_true(i >= reader->section); // the schema is a sequence
      reader->section = i + 1;
    }
  }
  bool isExchange = strcmp(element, "ModelExchange") == 0, isCoSimulation = strcmp(element, "CoSimulation") == 0;
  if (isExchange || isCoSimulation) {
    host->isExchange = host->isExchange || isExchange;
    host->isCoSimulation = host->isCoSimulation || isCoSimulation;
    copy(host->identifier, sizeof host->identifier, attribute(attributes, "modelIdentifier"));
  } else if (strcmp(element, "fmiModelDescription") == 0) {
    readRoot(host, attributes);
  } else if (strcmp(element, "Unit") == 0) {
    assert_true(host->unitCount < 64);
    copy(host->units[host->unitCount++], sizeof host->units[0], attribute(attributes, "name"));
  } else if (strcmp(element, "DefaultExperiment") == 0) {
    readExperiment(host, attributes);
  } else if (strcmp(element, "ScalarVariable") == 0) {
    readVariable(host, attributes);
  } else if (strcmp(element, "Real") == 0 || strcmp(element, "Boolean") == 0 || strcmp(element, "String") == 0) {
    readType(&host->variables[host->variableCount - 1], element, attributes);
  } else if (strcmp(element, "Outputs") == 0 || strcmp(element, "Derivatives") == 0 ||
             strcmp(element, "InitialUnknowns") == 0) {
    openList(reader, element);
  } else if (strcmp(element, "Unknown") == 0) {
    const char* dependencies = attribute(attributes, "dependencies");
    if (reader->list == host->derivatives && host->derivatives != NULL) {
      host->dependencies[host->derivativeCount] = dependencies != NULL ? strdup(dependencies) : NULL;
    }
    reader->list[(*reader->listCount)++] = (int)number(attributes, "index");
  }
}

static void readDescription(crFmuHost* host)
{
  char path[1100];
  size_t size;
  snprintf(path, sizeof path, "%s/modelDescription.xml", host->folder);
  char* text = crReadTestFile(path, &size);
  Reader reader = { .host = host };
  XML_Parser parser = XML_ParserCreate(NULL);
  XML_SetUserData(parser, &reader);
  XML_SetElementHandler(parser, startElement, NULL);
  assert_int_equal(XML_Parse(parser, text, (int)size, 1), XML_STATUS_OK);
  XML_ParserFree(parser);
  free(text);
}

// ----------------------------------------------------------------------------------------------- rules

static int compareNames(const void* a, const void* b)
{
  return strcmp(*(const char* const*)a, *(const char* const*)b);
}

static void checkNames(const crFmuHost* host)
{
  const char** names = malloc((size_t)host->variableCount * sizeof *names);
  for (int i = 0; i < host->variableCount; ++i) {
    names[i] = host->variables[i].name;
  }
  qsort(names, (size_t)host->variableCount, sizeof *names, compareNames);
  for (int i = 1; i < host->variableCount; ++i) {
    assert_string_not_equal(names[i - 1], names[i]);
  }
  free(names);
}

// Causality, variability and start go together; all initial values but those that are given are calculated.
static void checkVariable(const crFmuHost* host, const crHostVariable* variable)
{
  bool isParameter = strcmp(variable->causality, "parameter") == 0, isInput = strcmp(variable->causality, "input") == 0;
  bool isLocal = strcmp(variable->causality, "local") == 0, isOutput = strcmp(variable->causality, "output") == 0;
  bool isTime = strcmp(variable->causality, "independent") == 0;
  assert_true(isParameter || isInput || isOutput || isLocal || isTime);
  assert_string_equal(variable->variability, isParameter ? "fixed" : "continuous");
  assert_int_equal(variable->hasStart, isParameter || isInput);
  assert_true(isParameter || strcmp(variable->type, "Real") == 0);
  bool hasUnit = variable->unit[0] == '\0';
  for (int i = 0; i < host->unitCount; ++i) {
    hasUnit = hasUnit || strcmp(variable->unit, host->units[i]) == 0;
  }
  assert_true(hasUnit);
  assert_true(variable->derivative >= 0 && variable->derivative <= host->variableCount);
}

static void checkStructure(const crFmuHost* host)
{
  int outputs = 0, derivatives = 0, initial = 0;
  bool* isInitial = calloc((size_t)host->variableCount + 1, sizeof *isInitial);
  for (int i = 1; i <= host->variableCount; ++i) {
    const crHostVariable* variable = &host->variables[i - 1];
    if (strcmp(variable->causality, "output") == 0) {
      assert_int_equal(host->outputs[outputs++], i);
      isInitial[i] = true;
    }
    if (variable->derivative > 0) {
      assert_int_equal(host->derivatives[derivatives++], i);
      isInitial[i] = isInitial[variable->derivative] = true;
      const crHostVariable* state = &host->variables[variable->derivative - 1];
      assert_true(strcmp(state->causality, "local") == 0 && state->derivative == 0);
    }
  }
  assert_int_equal(outputs, host->outputCount);
  assert_int_equal(derivatives, host->derivativeCount);
  for (int i = 1; i <= host->variableCount; ++i) {
    if (isInitial[i]) {
      assert_int_equal(host->initial[initial++], i);
    }
  }
  assert_int_equal(initial, host->initialCount);
  free(isInitial);
}

// Derivatives depend on time, inputs and states.
static void checkDependencies(const crFmuHost* host)
{
  for (int i = 0; i < host->derivativeCount; ++i) {
    char* end = host->dependencies[i];
    while (end != NULL && *end != '\0') {
      long index = strtol(end, &end, 10);
      assert_true(index >= 1 && index <= host->variableCount);
      const crHostVariable* known = &host->variables[index - 1];
      bool isState = false;
      for (int k = 0; k < host->derivativeCount; ++k) {
        isState = isState || host->variables[host->derivatives[k] - 1].derivative == index;
      }
      assert_true(isState || strcmp(known->causality, "input") == 0 || strcmp(known->causality, "independent") == 0);
    }
  }
}

static void checkDescription(const crFmuHost* host)
{
  assert_true(host->isExchange || host->isCoSimulation);
  assert_true(host->guid[0] != '\0' && host->identifier[0] != '\0');
  checkNames(host);
  int times = 0;
  for (int i = 0; i < host->variableCount; ++i) {
    checkVariable(host, &host->variables[i]);
    assert_int_equal(host->variables[i].reference, i); // unique, of all types
    times += strcmp(host->variables[i].causality, "independent") == 0;
  }
  assert_int_equal(times, 1);
  checkStructure(host);
  checkDependencies(host);
}

// ------------------------------------------------------------------------------------------------ host

void crExportFmu(const char* model, const crFmuOptions* options, const char* path)
{
  crFmuOptions chosen = options != NULL ? *options : crDefaultFmuOptions();
  char* binary = crReadTestFile(CAROM_FMU_BINARY, &chosen.binarySize);
  chosen.binary = binary;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crStatus status = crWriteFmu(model, &chosen, path, NULL, &sink, NULL);
  free(binary);
  if (status != cr_ok) {
    assert_no_messages(log);
  }
  crDestroyErrorLog(log);
  assert_int_equal(status, cr_ok);
}

static void loadFunctions(crFmuHost* host)
{
  char path[1400];
  snprintf(path, sizeof path, "%s/binaries/linux64/%s.so", host->folder, host->identifier);
  host->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (host->library == NULL) {
    fail_msg("%s", dlerror());
  }
#define FMI2_LOAD(name, type, arguments)                                                                               \
  *(void**)&host->call.name = dlsym(host->library, "fmi2" #name);                                                      \
  assert_non_null(host->call.name);
  FMI2_FUNCTIONS(FMI2_LOAD)
#undef FMI2_LOAD
}

void crFmuHost_Open(crFmuHost* host, const char* path)
{
  *host = (crFmuHost){ 0 };
  snprintf(host->folder, sizeof host->folder, "%s.d", path);
  snprintf(host->resources, sizeof host->resources, "file://%s/resources", host->folder);
  crUnpackFmu(path, host->folder);
  readDescription(host);
  checkDescription(host);
  loadFunctions(host);
  assert_string_equal(host->call.GetVersion(), "2.0");
  assert_string_equal(host->call.GetTypesPlatform(), "default");
}

void crFmuHost_Close(crFmuHost* host)
{
  dlclose(host->library);
  free(host->variables);
  free(host->outputs);
  free(host->derivatives);
  free(host->initial);
  for (int i = 0; i < host->derivativeCount; ++i) {
    free(host->dependencies[i]);
  }
  free(host->dependencies);
}

static void keepLog(fmi2ComponentEnvironment environment, fmi2String instanceName, fmi2Status status,
                    fmi2String category, fmi2String message, ...)
{
  crFmuHost* host = environment;
  char text[2048];
  va_list arguments;
  va_start(arguments, message);
  vsnprintf(text, sizeof text, message, arguments);
  va_end(arguments);
  assert_string_equal(instanceName, "tested");
  host->warningCount += status == fmi2Warning;
  host->errorCount += status == fmi2Error;
  host->eventCount += strcmp(category, "logEvents") == 0;
  if (status != fmi2OK) {
    size_t used = strlen(host->log);
    snprintf(host->log + used, sizeof host->log - used, "%s\n", text);
  }
}

fmi2Component crFmuHost_Instantiate(crFmuHost* host, fmi2Type type)
{
  fmi2CallbackFunctions functions = {
    .logger = keepLog, .allocateMemory = calloc, .freeMemory = free, .componentEnvironment = host
  };
  host->log[0] = '\0';
  return host->call.Instantiate("tested", type, host->guid, host->resources, &functions, fmi2False, fmi2True);
}

fmi2Component crFmuHost_Start(crFmuHost* host, fmi2Type type)
{
  fmi2Component component = crFmuHost_Instantiate(host, type);
  if (component == NULL) {
    fail_msg("%s", host->log);
  }
  fmi2Status status =
      host->call.SetupExperiment(component, fmi2True, host->tolerance, host->startTime, fmi2True, host->stopTime);
  assert_int_equal(status, fmi2OK);
  assert_int_equal(host->call.EnterInitializationMode(component), fmi2OK);
  if (host->call.ExitInitializationMode(component) != fmi2OK) {
    fail_msg("%s", host->log);
  }
  return component;
}

int crFmuHost_Find(const crFmuHost* host, const char* name)
{
  for (int i = 0; i < host->variableCount; ++i) {
    if (strcmp(host->variables[i].name, name) == 0) {
      return i;
    }
  }
  fail_msg("there is no variable %s", name);
  return -1;
}

double crFmuHost_Get(const crFmuHost* host, fmi2Component component, const char* name)
{
  fmi2ValueReference reference = host->variables[crFmuHost_Find(host, name)].reference;
  double value = 0.0;
  assert_int_equal(host->call.GetReal(component, &reference, 1, &value), fmi2OK);
  return value;
}
