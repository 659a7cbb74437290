// Balls in bowls, grooves and rooms: closed forms, energies of impacts, slopes, a bearing.
#include "contact/contact.h"
#include "model/eval/instance.h"
#include "support/log.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WORLD "world('w', {})\n"
#define BALL(name, radius, place, more)                                                                                \
  "object('" name "', { parent = 'w', position = { " place " }, free = true, " more "\n"                               \
  "  solid{ shape = sphere{ radius = " radius " }, material = 'Hard', contact = 'Hard' } })\n"
// So stiff that depths do not count.
#define HARD                                                                                                           \
  "solidMaterial('Hard', { density = 7850, E = 2e14, nu = 0.3 })\n"                                                    \
  "contactPair('Hard', 'Hard', { cor = 0.5, muK = 0.5, muR = 0 })\n"

static double read(crTestRun* run, const char* name)
{
  double value = NAN;
  int variable = crModel_FindVariable(run->model, name);
  assert_true(variable >= 0);
  assert_int_equal(crSimulation_ReadVariables(run->simulation, &variable, 1, &value), cr_ok);
  return value;
}
