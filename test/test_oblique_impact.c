// Balls that hit a wall obliquely with friction that sticks, against the solution with partial slip of
// [MawBarberFawcett76]: the contact is made of annuli, of which the outer ones slip while the inner ones stick.
//
// The reference is computed by the method of dimensionality reduction [PopovHess15]: a ball that is pressed on a
// half-space is a parabola z = x^2 / R that is pressed on a row of independent springs, of E* dx across and G* dx along
// each, where the spring at x slips as soon as it pulls with mu times what it is pressed with. In one dimension that
// has the same forces as annuli have in three, for any history of both approaches (slip along one direction).
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>

#define SPRINGS 400
#define STEPS 4000
#define MOST_STRETCHED 1.05 // [-] of the largest half-width

// All in units of the impact: mass of the ball, speed of approach, and E* are 1, and so is R.
typedef struct Row {
  double mu, ratio;        // G* / E*
  double dx;               // springs are at (i + 1/2) dx, on both sides
  double stretch[SPRINGS]; // along
} Row;

static void pull(Row* row, double depth, double slipped, double* outAcross, double* outAlong)
{
  *outAcross = *outAlong = 0.0;
  for (int i = 0; i < SPRINGS; ++i) {
    double x = (i + 0.5) * row->dx, pressed = depth - x * x;
    if (!(pressed > 0.0)) {
      row->stretch[i] = 0.0;
      continue;
    }
    double most = row->mu * pressed / row->ratio, moved = row->stretch[i] + slipped;
    row->stretch[i] = fmin(fmax(moved, -most), most);
    *outAcross += 2.0 * row->dx * pressed;
    *outAlong += 2.0 * row->dx * row->ratio * row->stretch[i];
  }
}

// Slip speed behind the impact for one before it, both in speeds of approach; a force along it moves the surface by 7/2
// as much as it moves the ball.
static double findReference(double mu, double nu, double slip)
{
  // force 4/3 d^1.5: 1/2 = 8/15 d^2.5 at the turn
  double most = pow(15.0 / 16.0, 0.4), duration = 2.9432 * most, h = duration / STEPS;
  Row row = { .mu = mu, .ratio = 2.0 * (1.0 - nu) / (2.0 - nu), .dx = MOST_STRETCHED * sqrt(most) / SPRINGS };
  double depth = 0.0, v = 1.0, u = slip, across, along;
  pull(&row, 0.0, 0.0, &across, &along);
  while (depth >= 0.0) { // leapfrog
    v -= 0.5 * h * across;
    u -= 0.5 * h * 3.5 * along;
    depth += h * v;
    pull(&row, depth, h * u, &across, &along);
    v -= 0.5 * h * across;
    u -= 0.5 * h * 3.5 * along;
  }
  assert_close(v, -1.0, 5e-3);
  return u;
}

static double bounce(double mu, double nu, double slip)
{
  char text[1200];
  const double r = 0.03, approach = 0.5;
  snprintf(text, sizeof text,
           "scene{ gravity = { 0, 0, 0 }, friction = 'stick', kRed = 1e-3 }\n"
           "solidMaterial('Steel', { density = 7800, E = 2e11, nu = %g })\n"
           "contactPair('Steel', 'Steel', { cor = 1, muK = %g, muR = 0 })\n"
           "world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
           "object('ball', { parent = 'w', position = { 0, 0, %g }, free = true, velocity = { %.17g, 0, %g },\n"
           "  solid{ shape = sphere{ radius = %g }, material = 'Steel', contact = 'Steel' } })\n",
           nu, mu, r + 0.001, slip * approach, -approach, r);
  crTestRun run = crOpenTestText(text, 0.02, 1e-8, cr_solverDefault);
  crTestRun_Advance(&run, 0.02);
  crMotion motion = crTestRun_Motion(&run, "ball");
  assert_close(motion.v.z, approach, 1e-4);
  double after = (motion.v.x - r * motion.w.y) / approach;
  crCloseTestRun(&run);
  return after;
}

static void checkImpacts(double mu, double nu)
{
  static const double slips[] = { 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.5, 2.0, 2.5 };
  double worst = 0.0;
  for (size_t i = 0; i < sizeof slips / sizeof *slips; ++i) {
    double slip = slips[i] * mu / 0.3, reference = findReference(mu, nu, slip), found = bounce(mu, nu, slip);
    printf("mu %.1f, nu %.2f: slip %.3f, after it %7.4f, reference %7.4f\n", mu, nu, slip, found, reference);
    assert_close(found, reference, 0.15 * mu);
    worst = fmax(worst, fabs(found - reference) / mu);
  }
  printf("mu %.1f, nu %.2f: within %.3f mu v\n", mu, nu, worst);
}

static void oblique_impacts_bounce_along_the_wall(void** state)
{
  (void)state;
  checkImpacts(0.3, 0.3);
  checkImpacts(0.1, 0.1);
  checkImpacts(0.6, 0.45);
}

// What slides through the whole impact is Coulomb's: the impulse along is mu times that across.
static void the_reference_is_rigid_where_all_slips(void** state)
{
  (void)state;
  assert_close(findReference(0.3, 0.3, 4.0), 4.0 - 7.0 * 0.3, 5e-3);
  assert_close(findReference(0.3, 0.3, 0.0), 0.0, 1e-12);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_reference_is_rigid_where_all_slips),
    cmocka_unit_test(oblique_impacts_bounce_along_the_wall),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
