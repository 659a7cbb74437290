// Mechanisms with loops in tests.
#include "support/loops.h"

#include "support/test_run.h"

#include <stdio.h>

static void start(crTestLoop* loop, double stopTime, double tolerance, crSolverKind solver)
{
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = stopTime;
  options.tolerance = tolerance;
  options.solver = solver;
  assert_int_equal(crCompile(loop->text.scene, NULL, NULL, &loop->text.sink, &loop->model), cr_ok);
  crCreateSimulation(loop->model, &options, NULL, &loop->text.sink, &loop->simulation);
  loop->instance = loop->simulation != NULL ? crTestInstance(loop->simulation) : NULL;
}

crTestLoop crStartLoop(const char* text, double stopTime, double tolerance, crSolverKind solver)
{
  crTestLoop loop = { .text = crTestModel_ReadGood(text) };
  start(&loop, stopTime, tolerance, solver);
  return loop;
}

crTestLoop crStartLoopExample(const char* name, const crSetting* settings, double stopTime, double tolerance,
                              crSolverKind solver)
{
  char path[1024];
  crReadOptions options = crDefaultReadOptions();
  crTestLoop loop = { .text = { .log = crCreateErrorLog(NULL) } };
  loop.text.sink = crErrorLog_GetSink(loop.text.log);
  options.settings = settings;
  while (settings != NULL && settings[options.settingCount].name != NULL) {
    ++options.settingCount;
  }
  snprintf(path, sizeof path, "%s/examples/%s", CAROM_ROOT, name);
  loop.text.status = crReadModel(path, &options, NULL, &loop.text.sink, &loop.text.scene);
  assert_int_equal(loop.text.status, cr_ok);
  start(&loop, stopTime, tolerance, solver);
  assert_non_null(loop.simulation);
  return loop;
}

void crTestLoop_Free(crTestLoop* loop)
{
  crDestroySimulation(loop->simulation);
  crDestroyModel(loop->model);
  crTestModel_Free(&loop->text);
}

void crTestLoop_Advance(crTestLoop* loop, double t)
{
  assert_non_null(loop->simulation);
  if (crSimulation_Advance(loop->simulation, t) != cr_ok) {
    crTestModel_Says(&loop->text, "nothing that is ever said"); // prints all messages
    fail();
  }
}

double crTestLoop_Get(const crTestLoop* loop, const char* variable)
{
  int index = crModel_FindVariable(loop->model, variable);
  if (index < 0) {
    print_error("there is no variable %s\n", variable);
    fail();
  }
  return crInstance_GetVariable(loop->instance, index);
}

crWrench crTestLoop_GetReaction(const crTestLoop* loop, const char* joint)
{
  int index = crModel_FindJoint(loop->model, joint);
  assert_true(index >= 0);
  return crInstance_GetReaction(loop->instance, index);
}

double crTestLoop_GetEnergy(const crTestLoop* loop)
{
  crEnergy energy = crInstance_ComputeEnergy(loop->instance, crModel_GetAllTrees(loop->model), -1);
  return energy.kinetic + energy.potential;
}

bool crTestLoop_IsCut(const crTestLoop* loop, const char* joint)
{
  int index = crModel_FindJoint(loop->model, joint);
  assert_true(index >= 0);
  return crModel_GetJoint(loop->model, index)->isCut;
}

double crTestLoop_FindGap(const crTestLoop* loop)
{
  double largest = 0.0;
  int count = crModel_GetSize(loop->model).jointCount;
  for (int i = 0; i < count; ++i) {
    const crModelJoint* joint = crModel_GetJoint(loop->model, i);
    bool keepsTogether =
        joint->kind == cr_jointRevolute || joint->kind == cr_jointSpherical || joint->kind == cr_jointUniversal;
    crVec3 a = crInstance_GetPose(loop->instance, joint->objectA).p;
    crVec3 b = crInstance_GetPose(loop->instance, joint->objectB).p;
    largest = keepsTogether ? fmax(largest, crLength(crSub(a, b))) : largest;
  }
  return largest;
}
