#include "support/test_run.h"

#include "sim/simulation.h"

#include <stdio.h>
#include <string.h>

crInstance* crTestInstance(crSimulation* simulation)
{
  return simulation->run.instance;
}

static crScene* readScene(const crTestPlan* plan, const crErrorSink* sink)
{
  crScene* scene = NULL;
  crReadOptions options = crDefaultReadOptions();
  options.settings = plan->settings;
  while (options.settingCount < CR_MAX_TEST_SETTINGS && plan->settings[options.settingCount].name != NULL) {
    ++options.settingCount;
  }
  if (plan->example != NULL) {
    char path[1024];
    snprintf(path, sizeof path, "%s/examples/%s", CAROM_ROOT, plan->example);
    crReadModel(path, &options, NULL, sink, &scene);
  } else {
    crReadLua(plan->text, strlen(plan->text), "model.lua", plan->folder, &options, NULL, sink, &scene);
  }
  return scene;
}

static crSimulationOptions chooseOptions(const crTestPlan* plan, const crScene* read)
{
  const crRunOptions* scene = &crScene_GetOptions(read)->run;
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = plan->stop > 0.0 ? plan->stop : scene->stopTime;
  options.interval = options.stopTime;
  options.tolerance = plan->tolerance;
  options.solver = plan->solver;
  return options;
}

void crTestRun_Start(crTestRun* run, const crSimulationOptions* options)
{
  if (run->scene != NULL && crCompile(run->scene, NULL, NULL, &run->sink, &run->model) == cr_ok) {
    crCreateSimulation(run->model, options, NULL, &run->sink, &run->simulation);
  }
  run->instance = run->simulation != NULL ? crTestInstance(run->simulation) : NULL;
}

crTestRun crOpenTestRun(const crTestPlan* plan)
{
  crTestRun run = { .log = crCreateErrorLog(NULL) };
  run.sink = crErrorLog_GetSink(run.log);
  run.scene = readScene(plan, &run.sink);
  assert_no_messages(run.log);
  crSimulationOptions options = plan->options != NULL ? *plan->options : chooseOptions(plan, run.scene);
  crTestRun_Start(&run, &options);
  assert_no_messages(run.log);
  assert_non_null(run.simulation);
  return run;
}

crTestRun crOpenTestText(const char* text, double stop, double tolerance, crSolverKind solver)
{
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = stop;
  options.interval = stop;
  options.tolerance = tolerance;
  options.solver = solver;
  return crOpenTestRun(&(crTestPlan){ .text = text, .options = &options });
}

void crCloseTestRun(crTestRun* run)
{
  crDestroySimulation(run->simulation);
  crDestroyModel(run->model);
  crDestroyScene(run->scene);
  crDestroyErrorLog(run->log);
}

void crAssertStartIsRefused(const char* text, const char* message)
{
  crTestRun run = { .log = crCreateErrorLog(NULL) };
  run.sink = crErrorLog_GetSink(run.log);
  assert_int_equal(crReadLua(text, strlen(text), "model.lua", NULL, NULL, NULL, &run.sink, &run.scene), cr_ok);
  assert_int_equal(crCompile(run.scene, NULL, NULL, &run.sink, &run.model), cr_ok);
  assert_int_equal(crCreateSimulation(run.model, NULL, NULL, &run.sink, &run.simulation), cr_errorModel);
  assert_message(run.log, cr_severityError, message);
  crCloseTestRun(&run);
}

void crTestRun_Advance(crTestRun* run, double t)
{
  assert_int_equal(crSimulation_Advance(run->simulation, t), cr_ok);
  run->instance = crTestInstance(run->simulation); // actions make another one
}

double crTestRun_Value(const crTestRun* run, const char* variable)
{
  int index = crModel_FindVariable(crInstance_GetModel(run->instance), variable);
  assert_true(index >= 0);
  return crInstance_GetVariable(run->instance, index);
}

double crTestRun_ValueAt(crTestRun* run, double t, const char* variable)
{
  crTestRun_Advance(run, t);
  return crTestRun_Value(run, variable);
}

double crTestRun_FindPassage(crTestRun* run, const char* body, double step, int n)
{
  char place[64], speed[64];
  snprintf(place, sizeof place, "%s.position.x", body);
  snprintf(speed, sizeof speed, "%s.velocity.x", body);
  double t = 0.0, x = crTestRun_ValueAt(run, 0.0, place);
  for (int count = 0;;) {
    double next = crTestRun_ValueAt(run, t + step, place);
    if ((x < 0.0) != (next < 0.0) && t > 0.0 && ++count == n) {
      return t + step - next / crTestRun_Value(run, speed);
    }
    x = next;
    t += step;
  }
}

static int findObject(const crTestRun* run, const char* object)
{
  int index = crModel_FindObject(crInstance_GetModel(run->instance), object);
  assert_true(index >= 0);
  return index;
}

crPose crTestRun_Pose(const crTestRun* run, const char* object)
{
  return crInstance_GetPose(run->instance, findObject(run, object));
}

crMotion crTestRun_Motion(const crTestRun* run, const char* object)
{
  return crInstance_GetMotion(run->instance, findObject(run, object));
}

static double sumEnergy(crEnergy energy)
{
  return energy.kinetic + energy.potential + energy.elastic;
}

double crTestRun_Energy(const crTestRun* run)
{
  return sumEnergy(crInstance_ComputeEnergy(run->instance, crSimulation_GetSet(run->simulation), -1));
}

double crTestRun_Unexplained(const crTestRun* run)
{
  crSimulationSummary s = crSimulation_GetSummary(run->simulation);
  return sumEnergy(s.endEnergy) - sumEnergy(s.startEnergy) - s.work + s.dissipated + s.removed;
}

crVec3 crTestRun_Axis(const crTestRun* run, const char* object)
{
  return crTestRun_Pose(run, object).R.cz;
}
