// carom linearize: the matrices of a model around a state.
#include "analysis.h"

#include <stdlib.h>

typedef struct Choice {
  bool isEquilibrium;
} Choice;

static bool applyEquilibrium(void* context, const char* value)
{
  (void)value;
  ((Choice*)context)->isEquilibrium = true;
  return true;
}

static const crAnalysisOption options[] = { { "equilibrium", false, applyEquilibrium }, { NULL, false, NULL } };

static int linearize(crAnalysis* a)
{
  const crModel* model = a->loaded.model;
  size_t n = (size_t)a->stateCount, inputs = (size_t)crModel_CountInputs(model);
  size_t outputs = (size_t)crModel_CountOutputs(model);
  double* A = calloc(n * n + n * inputs + outputs * n + outputs * inputs + 1, sizeof *A);
  if (A == NULL) {
    return crEndAnalysis(a, cr_errorMemory);
  }
  double *B = A + n * n, *C = B + n * inputs, *D = C + outputs * n;
  crStatus status = crInstance_Linearize(a->instance, a->all, a->t, a->y, A);
  status = status == cr_ok ? crInstance_LinearizePorts(a->instance, a->all, a->t, a->y, B, C, D) : status;
  int code = status != cr_ok ? crEndAnalysis(a, status) : CR_EXIT_OK;
  if (status == cr_ok) {
    json_t* json =
        json_pack("{s:f, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "time", a->t, "state", crDescribeState(a), "states",
                  crDescribeStates(a), "inputs", crDescribePorts(model, true), "outputs", crDescribePorts(model, false),
                  "A", crDescribeMatrix(A, (int)n, (int)n), "B", crDescribeMatrix(B, (int)n, (int)inputs), "C",
                  crDescribeMatrix(C, (int)outputs, (int)n), "D", crDescribeMatrix(D, (int)outputs, (int)inputs));
    code = crPrintAnalysis(a, json);
  }
  free(A);
  return code;
}

static int run(int argc, char** argv)
{
  crAnalysis analysis;
  Choice choice = { false };
  int code;
  if (crOpenAnalysis(&analysis, &crLinearizeVerb, options, &choice, argc, argv, &code)) {
    crStatus status = cr_ok;
    if (choice.isEquilibrium) {
      status = crInstance_ComputeEquilibrium(analysis.instance, analysis.all, analysis.t, analysis.y, NULL,
                                             &analysis.loaded.sink);
    }
    code = status == cr_ok ? linearize(&analysis) : crEndAnalysis(&analysis, status);
  }
  crCloseAnalysis(&analysis);
  return code;
}

const crVerb crLinearizeVerb = {
  .name = "linearize",
  .summary = "print A, B, C, D of a model around a state, as JSON",
  .help = "usage: carom linearize MODEL [options]\n"
          "\n"
          "Prints the matrices of y' = A y + B u, z = C y + D u around a state, with y all states, u\n"
          "the declared inputs and z the declared outputs, by differences of fourth order. Contacts\n"
          "are no part of it. A matrix is a list of its rows.\n"
          "\n"
          "  --equilibrium        around the static equilibrium that is found from the state\n"
          "  --start FILE         the state, as carom run --save-state writes it; else the model's start\n"
          "  --time T             [s] 0 unless given\n"
          "  --input NAME=VALUE   of a declared input (repeatable)\n"
          "  --set NAME=VALUE     override a parameter of the model (repeatable)\n"
          "  --allow-path DIR     a folder outside its own that the model may read files from\n"
          "  --allow-fmu          let FMUs that the model names run: code of others, with your rights\n"
          "  --mesh-path DIR      of robots: where meshes are looked for as well, several with ':'\n"
          "  --ignore-missing     of robots: do without meshes that are not found\n"
          "  --save-state FILE    write the state, from which carom run --start goes on\n"
          "\n"
          "example: carom linearize examples/inverted_pendulum.lua\n",
  .run = run,
};
