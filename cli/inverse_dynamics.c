// carom inverse-dynamics: the forces that accelerations need.
#include "analysis.h"

#include <stdlib.h>
#include <string.h>

typedef struct Wishes {
  const char* texts[256]; // "joint.rate=value"
  int count;
} Wishes;

static bool addWish(void* context, const char* value)
{
  Wishes* wishes = context;
  if (strchr(value, '=') == NULL || wishes->count >= 256) {
    return false;
  }
  wishes->texts[wishes->count++] = value;
  return true;
}

static const crAnalysisOption options[] = { { "acceleration", true, addWish }, { NULL, false, NULL } };

static int applyWishes(const crAnalysis* a, const Wishes* wishes, double* accelerations)
{
  for (int i = 0; i < wishes->count; ++i) {
    const char* equals = strchr(wishes->texts[i], '=');
    size_t size = (size_t)(equals - wishes->texts[i]);
    char name[CR_VARIABLE_NAME];
    int found = -1;
    for (int k = 0; k < a->rateCount && found < 0; ++k) {
      crGetRateName(a, k, name, sizeof name);
      found = strlen(name) == size && memcmp(name, wishes->texts[i], size) == 0 ? k : -1;
    }
    if (found < 0) {
      return crUsageError("inverse-dynamics", "the model has no rate '%.*s'", (int)size, wishes->texts[i]);
    }
    if (!crParseNumbers(equals + 1, 1, &accelerations[found])) {
      return crUsageError("inverse-dynamics", "'%s' is no number", equals + 1);
    }
  }
  return CR_EXIT_OK;
}

static json_t* describe(const crAnalysis* a, const double* accelerations, const double* forces)
{
  json_t* list = json_array();
  char name[CR_VARIABLE_NAME];
  for (int i = 0; i < a->rateCount; ++i) {
    json_array_append_new(list, json_pack("{s:s, s:f, s:f}", "rate", crGetRateName(a, i, name, sizeof name),
                                          "acceleration", accelerations[i], "force", forces[i]));
  }
  return json_pack("{s:f, s:o, s:o}", "time", a->t, "state", crDescribeState(a), "forces", list);
}

static int compute(crAnalysis* a, const Wishes* wishes)
{
  double* numbers = calloc(2 * (size_t)a->rateCount + 1, sizeof *numbers);
  if (numbers == NULL) {
    return crEndAnalysis(a, cr_errorMemory);
  }
  double* forces = numbers + a->rateCount;
  int code = applyWishes(a, wishes, numbers);
  if (code == CR_EXIT_OK) {
    crStatus status = crInstance_ComputeInverseDynamics(a->instance, a->all, a->t, a->y, numbers, forces);
    code = status == cr_ok ? crPrintAnalysis(a, describe(a, numbers, forces)) : crEndAnalysis(a, status);
  }
  free(numbers);
  return code;
}

static int run(int argc, char** argv)
{
  crAnalysis analysis;
  Wishes wishes = { .count = 0 };
  int code;
  if (crOpenAnalysis(&analysis, &crInverseDynamicsVerb, options, &wishes, argc, argv, &code)) {
    code = compute(&analysis, &wishes);
  }
  crCloseAnalysis(&analysis);
  return code;
}

const crVerb crInverseDynamicsVerb = {
  .name = "inverse-dynamics",
  .summary = "compute the forces that accelerations need, as JSON",
  .help = "usage: carom inverse-dynamics MODEL [options]\n"
          "\n"
          "Prints the generalized forces that have to be added in the joints so that the model moves\n"
          "with the accelerations given, 0 unless given: what holds it in place. What acts already,\n"
          "gravity, springs and drives, is counted. Contacts are no part of it.\n"
          "\n"
          "  --acceleration RATE=VALUE   derivative of a rate, by its name: shoulder.rate=1.5 (repeatable)\n"
          "  --start FILE                the state, as carom run --save-state writes it; else the start\n"
          "  --time T                    [s] 0 unless given\n"
          "  --input NAME=VALUE          of a declared input (repeatable)\n"
          "  --set NAME=VALUE            override a parameter of the model (repeatable)\n"
          "  --allow-path DIR            a folder outside its own that the model may read files from\n"
          "  --mesh-path DIR             of robots: where meshes are looked for as well, several with ':'\n"
          "  --ignore-missing            of robots: do without meshes that are not found\n"
          "  --save-state FILE           write the state\n"
          "\n"
          "example: carom inverse-dynamics examples/double_pendulum.lua\n",
  .run = run,
};
