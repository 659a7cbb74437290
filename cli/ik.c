// carom ik: coordinates at which an object is where it is wanted.
#include "analysis.h"

#include <stdlib.h>

typedef struct Wish {
  const char* object;
  crReachTarget target;
  crReachOptions options;
  bool hasPosition, hasOrientation;
} Wish;

static bool applyObject(void* context, const char* value)
{
  ((Wish*)context)->object = value;
  return true;
}

static bool applyPosition(void* context, const char* value)
{
  Wish* wish = context;
  double p[3];
  wish->hasPosition = crParseNumbers(value, 3, p);
  wish->target.X_WO.p = wish->hasPosition ? crMakeVec3(p[0], p[1], p[2]) : wish->target.X_WO.p;
  return wish->hasPosition;
}

static bool applyQuaternion(void* context, const char* value)
{
  Wish* wish = context;
  double q[4];
  wish->hasOrientation = crParseNumbers(value, 4, q) && q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0.0;
  if (wish->hasOrientation) {
    wish->target.X_WO.R = crQuatToMat3((crQuat){ q[0], q[1], q[2], q[3] });
  }
  return wish->hasOrientation;
}

static bool applyPoint(void* context, const char* value)
{
  double p[3];
  bool isGood = crParseNumbers(value, 3, p);
  ((Wish*)context)->target.point = isGood ? crMakeVec3(p[0], p[1], p[2]) : crMakeVec3(0, 0, 0);
  return isGood;
}

static bool applyTolerance(void* context, const char* value)
{
  crReachOptions* options = &((Wish*)context)->options;
  return crParseNumbers(value, 1, &options->tolerance) && options->tolerance > 0.0;
}

static bool applyNoStops(void* context, const char* value)
{
  (void)value;
  ((Wish*)context)->options.ignoresStops = true;
  return true;
}

static const crAnalysisOption options[] = {
  { "object", true, applyObject }, { "position", true, applyPosition },   { "quaternion", true, applyQuaternion },
  { "point", true, applyPoint },   { "tolerance", true, applyTolerance }, { "no-stops", false, applyNoStops },
  { NULL, false, NULL },
};

static int reach(crAnalysis* a, Wish* wish)
{
  if (wish->object == NULL || !(wish->hasPosition || wish->hasOrientation)) {
    return crUsageError("ik", "--object and a --position or a --quaternion are needed");
  }
  wish->target.object = crModel_FindObject(a->loaded.model, wish->object);
  if (wish->target.object < 0) {
    return crUsageError("ik", "the model has no object '%s'", wish->object);
  }
  wish->target.ignoresPosition = !wish->hasPosition;
  wish->target.ignoresOrientation = !wish->hasOrientation;
  crReachFacts facts;
  crStatus status = crInstance_ComputeInverseKinematics(a->instance, a->all, a->t, &wish->target, 1, &wish->options,
                                                        a->y, &a->loaded.sink, &facts);
  if (status != cr_ok && status != cr_failNumerics) {
    return crEndAnalysis(a, status);
  }
  int code = crEndAnalysis(a, status);
  json_t* json = json_pack("{s:b, s:f, s:f, s:f, s:i, s:i, s:f, s:o}", "reached", status == cr_ok, "distance",
                           facts.distance, "angle", facts.angle, "gap", facts.gap, "attempts", facts.attemptCount,
                           "steps", facts.stepCount, "time", a->t, "state", crDescribeState(a));
  int printed = crPrintAnalysis(a, json);
  return code != CR_EXIT_OK ? code : printed;
}

static int run(int argc, char** argv)
{
  crAnalysis analysis;
  Wish wish = { .target = crDefaultReachTarget(0), .options = crDefaultReachOptions() };
  int code;
  if (crOpenAnalysis(&analysis, &crIkVerb, options, &wish, argc, argv, &code)) {
    code = reach(&analysis, &wish);
  }
  crCloseAnalysis(&analysis);
  return code;
}

const crVerb crIkVerb = {
  .name = "ik",
  .summary = "find coordinates at which an object is where it is wanted, as JSON",
  .help = "usage: carom ik MODEL --object PATH [--position X,Y,Z] [--quaternion W,X,Y,Z] [options]\n"
          "\n"
          "Inverse kinematics by damped least squares, within the stops of joints; loops stay closed.\n"
          "Prints what is left and the state, the nearest one where the target is out of reach. Where\n"
          "only one of position and quaternion is given, the other is free.\n"
          "\n"
          "  --object PATH           what is to be placed\n"
          "  --position X,Y,Z        [m] of its origin, in the world\n"
          "  --quaternion W,X,Y,Z    of its axes in the world\n"
          "  --point X,Y,Z           [m] of the object: this point is to be at the position\n"
          "  --tolerance TOL         [m], [rad] that may be left; 1e-9 unless given\n"
          "  --no-stops              stops of joints are no limits\n"
          "  --start FILE            where the search starts, as carom run --save-state writes it\n"
          "  --time T                [s] 0 unless given\n"
          "  --set NAME=VALUE        override a parameter of the model (repeatable)\n"
          "  --allow-path DIR        a folder outside its own that the model may read files from\n"
          "  --mesh-path DIR         of robots: where meshes are looked for as well, several with ':'\n"
          "  --ignore-missing        of robots: do without meshes that are not found\n"
          "  --save-state FILE       write the state, from which carom run --start goes on\n"
          "\n"
          "Exit codes: 0 ok, 1 the model or file has errors, 2 wrong usage, 3 out of reach.\n"
          "\n"
          "example: carom ik examples/double_pendulum.lua --object lowerTip --position 0.3,0,0.5\n",
  .run = run,
};
