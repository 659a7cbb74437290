#include "support/stick.h"

#include "contact/contact.h"

#include <math.h>
#include <stdio.h>

crTestRun crOpenStick(const char* file, const crSetting* settings, double tolerance, double stop, crSolverKind solver)
{
  char path[1024];
  crTestRun run = { .log = crCreateErrorLog(NULL) };
  run.sink = crErrorLog_GetSink(run.log);
  crReadOptions readOptions = crDefaultReadOptions();
  readOptions.settings = settings;
  while (settings != NULL && settings[readOptions.settingCount].name != NULL) {
    ++readOptions.settingCount;
  }
  snprintf(path, sizeof path, "%s/bench/scenes/%s", CAROM_ROOT, file);
  assert_int_equal(crReadModel(path, &readOptions, NULL, &run.sink, &run.scene), cr_ok);
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = stop > 0.0 ? stop : crScene_GetOptions(run.scene)->run.stopTime;
  options.interval = options.stopTime;
  options.tolerance = tolerance;
  options.solver = solver;
  crTestRun_Start(&run, &options);
  assert_non_null(run.simulation);
  return run;
}

void crAssertFrictionIsBounded(const crTestRun* run)
{
  const crContacts* contacts = crSimulation_GetSet(run->simulation).contacts;
  for (int k = 0; k < contacts->contacts.count; ++k) {
    const crContactForce* f = &contacts->contacts.items[k].force;
    crVec3 n = contacts->contacts.items[k].motion.normal;
    double across = crLength(crMulAdd(f->force, -crDot(f->force, n), n));
    assert_true(across <= contacts->pairs.items[k].law->muS * f->normalForce * (1.0 + 1e-12));
  }
}

double crStickTurnover(const crTestRun* run)
{
  crSimulationSummary s = crSimulation_GetSummary(run->simulation);
  return fabs(s.work) + s.dissipated + fabs(s.endEnergy.potential - s.startEnergy.potential);
}

double crStickTurn(crPose a, crPose b)
{
  return fmax(crLength(crSub(b.R.cx, a.R.cx)), crLength(crSub(b.R.cy, a.R.cy)));
}
