// A deep-groove bearing 6205 (examples/ball_bearing.lua): the frequencies of its cage and balls, and their loads.
//
// Loads are those of rigid rings without clearance, sum over loaded balls of Q_j cos a_j = F with Q_j = Q cos^1.5 a_j:
// a ball at the bottom, of nine, has Q = F / (1 + 2 cos^2.5 40 + 2 cos^2.5 80) = 4.385 F / Z, where very many balls
// would have Stribeck's 4.37 F / Z. At speed that is what they have in the mean: touches begin so slowly that
// restitution fades (vMin), and its damping loads balls that come more than those that go.
#include "contact/contact.h"
#include "support/test_run.h"

#include <math.h>

#define BALLS 9
#define LOAD 1000.0 // [N]
#define BALL 7.94e-3
#define PITCH 39.04e-3
#define BOTTOM_ANGLE 2.0 // [deg] within which a ball is at the bottom

static double degrees(double angle)
{
  return angle * 180.0 / CR_PI;
}

static double findStribeck(void)
{
  double sum = 1.0;
  for (int i = 1; i <= 2; ++i) {
    sum += 2.0 * pow(cos(2.0 * CR_PI * i / BALLS), 2.5);
  }
  return LOAD / sum;
}

static bool isOuter(const crContact* contact)
{
  return hypot(contact->now.point.x, contact->now.point.y) > 0.5 * (PITCH + 0.9 * BALL);
}

static bool isInner(const crContact* contact)
{
  return hypot(contact->now.point.x, contact->now.point.y) < 0.5 * (PITCH - 0.9 * BALL);
}

typedef struct Loads {
  double sum, most; // [N] of balls at the bottom
  int count;
  double carried, creep; // [N] of all, upwards; [m/s] of what is loaded, at both rings
  int samples;
} Loads;

static void sample(const crTestRun* run, Loads* loads)
{
  const crContacts* contacts = crSimulation_GetSet(run->simulation).contacts;
  double inner = 0.0, outer = 0.0;
  for (int i = 0; i < crContacts_Count(contacts); ++i) {
    const crContact* contact = &contacts->contacts.items[i];
    crVec3 p = contact->now.point;
    double force = contact->force.normalForce, slip = crLength(contact->motion.slip);
    if (isOuter(contact) && fabs(degrees(atan2(p.x, -p.y))) < BOTTOM_ANGLE) {
      loads->sum += force;
      loads->most = fmax(loads->most, force);
      ++loads->count;
    }
    loads->carried += isInner(contact) ? -force * p.y / hypot(p.x, p.y) : 0.0;
    inner = isInner(contact) && force > 0.1 * LOAD ? fmax(inner, slip) : inner;
    outer = isOuter(contact) && force > 0.1 * LOAD ? fmax(outer, slip) : outer;
  }
  loads->creep += inner + outer;
  ++loads->samples;
}

static crTestRun openBearing(const char* speed, double stop, double tolerance)
{
  return crOpenTestRun(&(crTestPlan){
      .example = "ball_bearing.lua", .stop = stop, .tolerance = tolerance, .settings = { { "speed", speed } } });
}

// At a tenth of the speed damping counts for little, and the law is met.
static void the_lowest_ball_has_the_load_of_stribeck(void** state)
{
  (void)state;
  crTestRun run = openBearing("180", 0.12, 1e-8);
  Loads loads = { .sum = 0.0 };
  for (int i = 1; i <= 400; ++i) {
    crTestRun_Advance(&run, 0.04 + 0.08 * i / 400.0);
    sample(&run, &loads);
  }
  crCloseTestRun(&run);
  double mean = loads.sum / loads.count;
  print_message("%d times %g N, at most %g N; the law says %g N, in all %g N\n", loads.count, mean, loads.most,
                findStribeck(), loads.carried / loads.samples);
  assert_true(loads.count > 10);
  assert_close(loads.carried / loads.samples, LOAD, 1e-3 * LOAD);
  assert_close(mean, findStribeck(), 5e-3 * LOAD / BALLS * 4.37);
  assert_close(mean, 4.37 * LOAD / BALLS, 0.02 * 4.37 * LOAD / BALLS);
}

// Cage and balls pass at their frequencies, to what creeps between rings and balls: with u the speed of the inner
// raceway, and s that of sliding at both rings, the cage is slower by at most s / u of itself.
static void balls_pass_at_their_frequencies(void** state)
{
  (void)state;
  crTestRun run = openBearing("1800", 0.12, 1e-6);
  double from = 0.03, to = 0.12;
  double shaft = -crTestRun_ValueAt(&run, from, "shaft.angle"), cage = -crTestRun_Value(&run, "cageBearing.angle");
  Loads loads = { .sum = 0.0 };
  for (int i = 1; i <= 450; ++i) {
    crTestRun_Advance(&run, from + (to - from) * i / 450.0);
    sample(&run, &loads);
  }
  shaft += crTestRun_Value(&run, "shaft.angle");
  cage += crTestRun_Value(&run, "cageBearing.angle");
  int64_t evaluations = crSimulation_GetSummary(run.simulation).solverStatistics.evaluations;
  crCloseTestRun(&run);
  double ratio = cage / shaft, truth = 0.5 * (1.0 - BALL / PITCH), u = shaft / (to - from) * 0.5 * (PITCH - BALL);
  double creep = loads.creep / loads.samples / u, mean = loads.sum / loads.count;
  print_message("cage %.5f, outer %.4f, inner %.4f of the shaft; off by %.1e, creep %.1e; %g N; %lld evaluations\n",
                ratio, BALLS * ratio, BALLS * (1.0 - ratio), ratio / truth - 1.0, creep, mean, (long long)evaluations);
  assert_true(creep < 2e-3);
  assert_true(fabs(ratio / truth - 1.0) <= creep);
  assert_close(ratio, 0.3983, 5e-5 + creep * truth);
  assert_close(BALLS * ratio, 3.5848, 5e-5 + BALLS * creep * truth);
  assert_close(BALLS * (1.0 - ratio), 5.4152, 5e-5 + BALLS * creep * truth);
  assert_close(mean, 4.37 * LOAD / BALLS, 0.02 * 4.37 * LOAD / BALLS);
  assert_true(evaluations < 100000); // 1 s in 2 s of CPU time
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_lowest_ball_has_the_load_of_stribeck),
    cmocka_unit_test(balls_pass_at_their_frequencies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
