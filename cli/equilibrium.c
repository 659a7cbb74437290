// carom equilibrium: where a model rests.
#include "analysis.h"

static const crAnalysisOption options[] = { { NULL, false, NULL } };

static int run(int argc, char** argv)
{
  crAnalysis a;
  int code;
  if (crOpenAnalysis(&a, &crEquilibriumVerb, options, NULL, argc, argv, &code)) {
    crStatus status = crInstance_ComputeEquilibrium(a.instance, a.all, a.t, a.y, NULL, &a.loaded.sink);
    code = status == cr_ok ? crPrintAnalysis(&a, json_pack("{s:f, s:o}", "time", a.t, "state", crDescribeState(&a)))
                           : crEndAnalysis(&a, status);
  }
  crCloseAnalysis(&a);
  return code;
}

const crVerb crEquilibriumVerb = {
  .name = "equilibrium",
  .summary = "find where a model rests, as JSON",
  .help = "usage: carom equilibrium MODEL [options]\n"
          "\n"
          "Prints a state in which nothing moves and nothing is accelerated. The search starts at the\n"
          "model's start and goes where forces do work. Contacts are no part of it (start = \"rest\" of\n"
          "objects puts them on what they lie on); models with loops are refused.\n"
          "\n"
          "  --start FILE         where the search starts, as carom run --save-state writes it\n"
          "  --time T             [s] 0 unless given\n"
          "  --input NAME=VALUE   of a declared input (repeatable)\n"
          "  --set NAME=VALUE     override a parameter of the model (repeatable)\n"
          "  --allow-path DIR     a folder outside its own that the model may read files from\n"
          "  --allow-fmu          let FMUs that the model names run: code of others, with your rights\n"
          "  --mesh-path DIR      of robots: where meshes are looked for as well, several with ':'\n"
          "  --ignore-missing     of robots: do without meshes that are not found\n"
          "  --save-state FILE    write the state, from which carom run --start goes on\n"
          "\n"
          "Exit codes: 0 ok, 1 the model or file has errors, 2 wrong usage, 3 none was found.\n"
          "\n"
          "example: carom equilibrium examples/two_mass_oscillator.lua --save-state rest.json\n",
  .run = run,
};
