#include "fmu/fmu_variables.h"

#include "base/map.h"
#include "model/model.h"

#include <stdio.h>
#include <string.h>

typedef struct Maker {
  crFmuVariables* variables;
  const crFmuContent* content;
  crTreeSet set;
  const double* nominals; // (stateCount)
  char name[CR_VARIABLE_NAME + 8];
} Maker;

static const char* copyText(Maker* maker, const char* text)
{
  return crArena_CopyString(&maker->variables->arena, text != NULL ? text : "");
}

// Names and texts are copied; false: out of memory.
static bool add(Maker* maker, const crFmuVariable* variable)
{
  crFmuVariables* variables = maker->variables;
  crFmuVariable copy = *variable;
  copy.name = copyText(maker, variable->name);
  copy.unit = copyText(maker, variable->unit);
  copy.description = copyText(maker, variable->description);
  copy.text = copyText(maker, variable->text);
  bool isCopied = copy.name != NULL && copy.unit != NULL && copy.description != NULL && copy.text != NULL;
  crFmuVariable* place = isCopied ? crArray_Push(&variables->list, &variables->arena.allocator) : NULL;
  if (place != NULL) {
    *place = copy;
  }
  return place != NULL;
}

static bool addParameters(Maker* maker)
{
  static const crFmuType types[] = {
    [cr_parameterNumber] = cr_fmuReal, [cr_parameterBool] = cr_fmuBoolean, [cr_parameterString] = cr_fmuString
  };
  const crScene* scene = maker->content->scene;
  int count = maker->content->hasParameters ? crScene_CountParameters(scene) : 0;
  bool isGood = true;
  for (int i = 0; isGood && i < count; ++i) {
    const crParameter* parameter = crScene_GetParameter(scene, i);
    crScene_GetParameterName(scene, i, maker->name, sizeof maker->name);
    crFmuVariable variable = { .role = cr_fmuParameter,
                               .type = types[parameter->kind],
                               .name = maker->name,
                               .unit = parameter->unit != NULL ? parameter->unit : "1",
                               .description = parameter->label,
                               .index = maker->variables->parameterCount++,
                               .state = -1,
                               .start = parameter->number,
                               .min = parameter->min,
                               .max = parameter->max,
                               .text = parameter->string };
    isGood = add(maker, &variable);
  }
  return isGood;
}

static bool addPorts(Maker* maker)
{
  const crModel* model = maker->content->model;
  bool isGood = true;
  crPort port;
  for (int i = 0; isGood && crModel_GetInput(model, i, &port); ++i) {
    crFmuVariable variable = { .role = cr_fmuInput,
                               .name = port.path,
                               .unit = port.unit,
                               .index = i,
                               .state = -1,
                               .start = port.start,
                               .nominal = port.nominal };
    isGood = add(maker, &variable);
  }
  for (int i = 0; isGood && crModel_GetOutput(model, i, &port); ++i) {
    crFmuVariable variable = {
      .role = cr_fmuOutput, .name = port.path, .unit = port.unit, .index = i, .state = -1, .nominal = 1.0
    };
    isGood = add(maker, &variable);
  }
  return isGood;
}

// Energies that are integrated along with a run.
static bool isOfRun(const char* name)
{
  return strcmp(name, "energy.dissipated") == 0 || strcmp(name, "energy.work") == 0 ||
         strcmp(name, "energy.unexplained") == 0;
}

static bool addLocals(Maker* maker)
{
  crFmuVariables* variables = maker->variables;
  bool isGood = true;
  crVariable found;
  for (int i = 0; isGood && crModel_GetVariable(maker->content->model, i, &found); ++i) {
    crModel_GetVariableName(maker->content->model, i, maker->name, sizeof maker->name);
    if (maker->content->isExchange && isOfRun(maker->name)) {
      continue;
    }
    bool isState = found.state >= 0 && found.state < variables->treeStates && variables->states[found.state] < 0;
    crFmuVariable variable = { .role = cr_fmuLocal,
                               .name = maker->name,
                               .unit = found.unit,
                               .description = found.description,
                               .index = i,
                               .state = isState ? found.state : -1,
                               .nominal = isState ? maker->nominals[found.state] : 1.0 };
    if (isState) {
      variables->states[found.state] = variables->list.count;
    }
    isGood = add(maker, &variable);
  }
  return isGood;
}

static bool addSlots(Maker* maker)
{
  crFmuVariables* variables = maker->variables;
  const crModel* model = maker->content->model;
  bool isGood = true;
  for (int i = 0; isGood && i < variables->slots.count; ++i) {
    const crStickSlot* slot = &variables->slots.items[i];
    const char* a = crModel_GetObjectPath(model, model->contactShapes[slot->shapeA].object);
    const char* b = crModel_GetObjectPath(model, model->contactShapes[slot->shapeB].object);
    char description[2 * CR_MAX_PATH + 80];
    snprintf(description, sizeof description, "how far friction of %s and %s is bent; 0 while they are apart", a, b);
    for (int k = 0; isGood && k < slot->count; ++k) {
      int state = variables->treeStates + slot->first + k;
      snprintf(maker->name, sizeof maker->name, "sticking.pair%d.x%d", i + 1, k + 1);
      crFmuVariable variable = { .role = cr_fmuState,
                                 .name = maker->name,
                                 .unit = k < slot->lengthCount ? "m" : "rad",
                                 .description = description,
                                 .index = state,
                                 .state = state,
                                 .nominal = 1.0 };
      variables->states[state] = variables->list.count;
      isGood = add(maker, &variable);
    }
  }
  return isGood;
}

// States that are no variables of the model.
static bool addStates(Maker* maker)
{
  crFmuVariables* variables = maker->variables;
  bool isGood = true;
  for (int i = 0; isGood && i < variables->treeStates; ++i) {
    if (variables->states[i] < 0) {
      crModel_GetStateName(maker->content->model, maker->set, i, maker->name, sizeof maker->name);
      crFmuVariable variable = {
        .role = cr_fmuState, .name = maker->name, .unit = "1", .index = i, .state = i, .nominal = maker->nominals[i]
      };
      variables->states[i] = variables->list.count;
      isGood = add(maker, &variable);
    }
  }
  return isGood;
}

// The unit of a rate: "m" is "m/s", "m/s" is "m/s^2".
static void formatRateUnit(const char* unit, char* buffer, size_t size)
{
  size_t length = strlen(unit);
  if (length > 2 && strcmp(unit + length - 2, "/s") == 0) {
    snprintf(buffer, size, "%s^2", unit);
  } else {
    snprintf(buffer, size, "%s/s", unit);
  }
}

static bool addDerivatives(Maker* maker)
{
  crFmuVariables* variables = maker->variables;
  bool isGood = true;
  for (int i = 0; isGood && i < variables->stateCount; ++i) {
    const crFmuVariable* state = &variables->list.items[variables->states[i]];
    char unit[128];
    snprintf(maker->name, sizeof maker->name, "der(%s)", state->name);
    formatRateUnit(state->unit, unit, sizeof unit);
    crFmuVariable variable = {
      .role = cr_fmuDerivative, .name = maker->name, .unit = unit, .index = i, .state = i, .nominal = 1.0
    };
    variables->derivatives[i] = variables->list.count;
    isGood = add(maker, &variable);
  }
  return isGood;
}

static bool addIndicators(Maker* maker)
{
  static const char* const names[CR_INDICATORS] = { "contactIndicators.end", "contactIndicators.begin" };
  static const char* const descriptions[CR_INDICATORS] = { "largest distance of what touches",
                                                           "least distance of what does not, a little more" };
  bool isGood = true, canTouch = crModel_GetSize(maker->content->model).pairCount > 0;
  for (int i = 0; i < CR_INDICATORS && isGood && canTouch && maker->content->isExchange; ++i) {
    crFmuVariable variable = { .role = cr_fmuIndicator,
                               .name = names[i],
                               .unit = "m",
                               .description = descriptions[i],
                               .index = i,
                               .state = -1,
                               .nominal = 1.0 };
    isGood = add(maker, &variable);
  }
  return isGood;
}

static bool makeStates(Maker* maker)
{
  crFmuVariables* variables = maker->variables;
  size_t count = (size_t)variables->stateCount;
  variables->states = crArena_AllocateZero(&variables->arena, count + 1, sizeof *variables->states);
  variables->derivatives = crArena_AllocateZero(&variables->arena, count + 1, sizeof *variables->derivatives);
  double* nominals = crArena_AllocateZero(&variables->arena, count + 1, sizeof *nominals);
  if (variables->states == NULL || variables->derivatives == NULL || nominals == NULL) {
    return false;
  }
  for (size_t i = 0; i < count; ++i) {
    variables->states[i] = -1;
  }
  if (variables->treeStates > 0) {
    crModel_GetNominal(maker->content->model, maker->set, nominals);
  }
  maker->nominals = nominals;
  return true;
}

// ---------------------------------------------------------------------------------------------- vectors

// The name without its last part ".x", in place: "der(a.position.x)" is "der(a.position)". false: it has another one.
static bool cutPart(char* name, const char* part)
{
  size_t length = strlen(name), tail = length > 0 && name[length - 1] == ')' ? 1 : 0, end = strlen(part);
  bool isPart = length > tail + end && strncmp(name + length - tail - end, part, end) == 0;
  if (isPart) {
    memmove(name + length - tail - end, name + length - tail, tail + 1);
  }
  return isPart;
}

// Whether the variables from `first` on are the parts of one vector, whose name is then in the buffer: they mean the
// same and follow each other, as states too.
static bool isVector(const crFmuVariables* variables, int first, const char* const* parts, int count, char* outName,
                     size_t size)
{
  char name[CR_VARIABLE_NAME + 8];
  const crFmuVariable* a = &variables->list.items[first];
  if (first + count > variables->list.count || a->type != cr_fmuReal ||
      (a->role != cr_fmuLocal && a->role != cr_fmuDerivative)) {
    return false;
  }
  for (int i = 0; i < count; ++i) {
    const crFmuVariable* b = a + i;
    snprintf(i == 0 ? outName : name, i == 0 ? size : sizeof name, "%s", b->name);
    bool isNext = a->state < 0 ? b->state < 0 : b->state == a->state + i;
    if (!cutPart(i == 0 ? outName : name, parts[i]) || (i > 0 && strcmp(name, outName) != 0) || b->role != a->role ||
        !isNext || b->nominal != a->nominal || strcmp(b->unit, a->unit) != 0) {
      return false;
    }
  }
  return a->role != cr_fmuDerivative || variables->list.items[variables->states[a->state]].length == count;
}

// A derivative stands behind its state in the list, so it is known by then whether that is a vector.
static bool findVectors(crFmuVariables* variables)
{
  static const char* const parts[] = { ".w", ".x", ".y",
                                       ".z" }; // of orientations; those of positions and others are three
  char name[CR_VARIABLE_NAME + 8];
  crMap names;
  crMap_Init(&names, &variables->arena.allocator);
  bool isGood = true;
  for (int i = 0; i < variables->list.count && isGood; ++i) {
    isGood = crMap_SetString(&names, variables->list.items[i].name, i);
  }
  for (int i = 0, length = 1; i < variables->list.count && isGood; i += length) {
    crFmuVariable* variable = &variables->list.items[i];
    length = isVector(variables, i, parts, 4, name, sizeof name)       ? 4
             : isVector(variables, i, parts + 1, 3, name, sizeof name) ? 3
                                                                       : 1;
    length = length > 1 && crMap_FindString(&names, name) >= 0 ? 1 : length; // another one has the name
    for (int k = 1; k < length; ++k) {
      variable[k].length = 0;
    }
    variable->length = length;
    variable->vector = length > 1 ? crArena_CopyString(&variables->arena, name) : NULL;
    isGood = length == 1 || variable->vector != NULL;
  }
  crMap_Free(&names);
  return isGood;
}

crStatus crFmuVariables_Init(crFmuVariables* variables, const crFmuContent* content, const crAllocator* allocator)
{
  Maker maker = { .variables = variables, .content = content, .set = crModel_GetAllTrees(content->model) };
  bool isActing = crModel_CountActions(content->model) > 0; // states come and go: none can be named
  *variables = (crFmuVariables){ .treeStates = isActing ? 0 : crModel_CountStates(content->model, maker.set) };
  crArena_Init(&variables->arena, allocator);
  crStatus status = content->isExchange ? crFindStickSlots(content->model, allocator, &variables->slots) : cr_ok;
  if (status != cr_ok) {
    return status;
  }
  variables->stateCount = variables->treeStates + variables->slots.stateCount;
  crFmuVariable time = { .role = cr_fmuTime, .name = "time", .unit = "s", .state = -1 };
  bool isGood = makeStates(&maker) && add(&maker, &time) && addParameters(&maker) && addPorts(&maker) &&
                addLocals(&maker) && addStates(&maker) && addSlots(&maker) && addDerivatives(&maker) &&
                addIndicators(&maker) && findVectors(variables);
  return isGood ? cr_ok : cr_errorMemory;
}

void crFmuVariables_Free(crFmuVariables* variables)
{
  crArray_Free(&variables->list, &variables->arena.allocator);
  crArena_Free(&variables->arena);
}

crStatus crFmuVariables_FindTwin(const crFmuVariables* variables, const char** outName)
{
  crMap names;
  crMap_Init(&names, &variables->arena.allocator);
  *outName = NULL;
  bool isGood = true;
  for (int i = 0; i < variables->list.count && isGood && *outName == NULL; ++i) {
    const char* name = variables->list.items[i].name;
    if (crMap_FindString(&names, name) >= 0) {
      *outName = name;
    } else {
      isGood = crMap_SetString(&names, name, i);
    }
  }
  crMap_Free(&names);
  return isGood ? cr_ok : cr_errorMemory;
}

int crFmuVariables_Compare(const crFmuVariables* a, const crFmuVariables* b)
{
  int count = a->list.count < b->list.count ? a->list.count : b->list.count;
  for (int i = 0; i < count; ++i) {
    const crFmuVariable *x = &a->list.items[i], *y = &b->list.items[i];
    if (x->role != y->role || x->type != y->type || x->state != y->state || strcmp(x->name, y->name) != 0) {
      return i;
    }
  }
  return a->list.count == b->list.count ? -1 : count;
}
