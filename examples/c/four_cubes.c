// Four cubes fly freely and collide: Carom as the collision function of another simulator, as a Modelica tool would
// call it (examples/modelica/Carom.mo). The simulator is this program: it integrates, Carom says what pushes.
//
//   cc four_cubes.c $(pkg-config --static --cflags --libs carom) -lm && ./a.out
#include <carom/carom.h>

#include <stdio.h>
#include <string.h>

#define CUBES 4
#define STATES 13 // position, quaternion, velocity, angular velocity in body axes

static const double mass = 1.0, inertia = 1.0 / 6.0; // [kg], [kg m^2] of a cube of 1 m

// Mbs: the equations of one body, and the row of 27 numbers that describes it.
static void fillRow(int cube, const double* x, double* row)
{
  crQuat q = { x[3], x[4], x[5], x[6] };
  crMat3 R = crQuatToMat3(q);
  const double numbers[CR_BODY_INPUTS] = {
    cube + 1, cr_externalBox,
    0,        0,
    0,        0, // id, shape, form, extra, stl index, noCollision
    1.0,      1.0,
    1.0, // size
    R.cx.x,   R.cx.y,
    R.cx.z,   R.cy.x,
    R.cy.y,   R.cy.z, // axes of the shape
    x[0],     x[1],
    x[2], // where it is
    R.cx.x,   R.cy.x,
    R.cz.x, // axes of the body, row by row
    R.cx.y,   R.cy.y,
    R.cz.y, //
    R.cx.z,   R.cy.z,
    R.cz.z,
  };
  memcpy(row, numbers, sizeof numbers);
}

static void fillDerivative(const double* x, const double* force, double* dx)
{
  crQuat q = { x[3], x[4], x[5], x[6] }, turn = { 0.0, x[10], x[11], x[12] }, dq = crMulQuat(q, turn);
  crVec3 f = crMulMV(crQuatToMat3(q), crMakeVec3(force[0], force[1], force[2]));
  const double numbers[STATES] = {
    x[7],
    x[8],
    x[9], // velocity
    0.5 * dq.w,
    0.5 * dq.x,
    0.5 * dq.y,
    0.5 * dq.z, //
    f.x / mass,
    f.y / mass,
    f.z / mass, // Newton
    force[3] / inertia,
    force[4] / inertia,
    force[5] / inertia, // Euler: a cube has no gyroscopic torque
  };
  memcpy(dx, numbers, sizeof numbers);
}

static crStatus computeDerivatives(crCollider* collider, const double* x, double* dx)
{
  double rows[CUBES * CR_BODY_INPUTS], forces[CUBES * CR_BODY_OUTPUTS];
  for (int i = 0; i < CUBES; ++i) {
    fillRow(i, x + i * STATES, rows + i * CR_BODY_INPUTS);
  }
  crStatus status = crCollider_ComputeForces(collider, CUBES, rows, forces);
  for (int i = 0; status == cr_ok && i < CUBES; ++i) {
    fillDerivative(x + i * STATES, forces + i * CR_BODY_OUTPUTS, dx + i * STATES);
  }
  return status;
}

// The classical Runge-Kutta method.
static crStatus step(crCollider* collider, double* x, double h)
{
  static const double reach[] = { 0.0, 0.5, 0.5, 1.0 }, weight[] = { 1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6 };
  double k[CUBES * STATES] = { 0 }, trial[CUBES * STATES], end[CUBES * STATES];
  crStatus status = cr_ok;
  memcpy(end, x, sizeof end);
  for (int stage = 0; stage < 4 && status == cr_ok; ++stage) {
    for (int i = 0; i < CUBES * STATES; ++i) {
      trial[i] = x[i] + reach[stage] * h * k[i];
    }
    status = computeDerivatives(collider, trial, k);
    for (int i = 0; i < CUBES * STATES; ++i) {
      end[i] += weight[stage] * h * k[i];
    }
  }
  memcpy(x, end, sizeof end);
  return status;
}

static double computeEnergy(const double* x)
{
  double sum = 0.0;
  for (int i = 0; i < CUBES; ++i, x += STATES) {
    sum += 0.5 * mass * (x[7] * x[7] + x[8] * x[8] + x[9] * x[9]);
    sum += 0.5 * inertia * (x[10] * x[10] + x[11] * x[11] + x[12] * x[12]);
  }
  return sum;
}

static void print(double t, const double* x)
{
  crVec3 p = crMakeVec3(0.0, 0.0, 0.0);
  for (int i = 0; i < CUBES; ++i) {
    const double* v = x + i * STATES + 7;
    p = crAdd(p, crScale(mass, crMakeVec3(v[0], v[1], v[2])));
  }
  printf("%3.1f s: energy %.3f J, momentum (%.6f, %.6f, %.6f) N s\n", t, computeEnergy(x), p.x, p.y, p.z);
}

int main(void)
{
  double x[CUBES * STATES] = {
    // position         quaternion          velocity         angular velocity
    -2.0, 0.1,  0.2, 0.9, 0.1, 0.2,  0.3, 1.5,  0.0, 0.0, 0.0, 0.0,  0.0, // two fly towards the middle
    2.2,  -0.1, 0.0, 1.0, 0.0, 0.0,  0.0, -1.5, 0.1, 0.0, 0.5, -0.3, 0.8,
    0.0,  0.72, 0.0, 0.9, 0.4, -0.1, 0.1, 0.0,  0.0, 0.0, 0.0, 0.0,  0.0, // where two others rest
    0.1,  -0.6, 0.1, 1.0, 0.0, 0.0,  0.0, 0.0,  0.0, 0.0, 0.0, 0.0,  0.0,
  };
  const double h = 1e-4; // [s] a collision takes some 10 ms
  crColliderDef def = crDefaultColliderDef();
  def.stiffness = 1e5; // [N/m]
  crCollider* collider = NULL;
  crStatus status = crCreateCollider(&def, NULL, NULL, &collider);
  for (int i = 0; i < 30000 && status == cr_ok; ++i) {
    if (i % 10000 == 0) {
      print(i * h, x);
    }
    status = step(collider, x, h);
  }
  if (status != cr_ok) {
    fprintf(stderr, "%s: %s\n", crStatusText(status), crCollider_GetMessage(collider));
    return 1;
  }
  print(3.0, x);
  for (int i = 0; i < CUBES; ++i) {
    const double* v = x + i * STATES + 7;
    printf("cube %d leaves with (%.2f, %.2f, %.2f) m/s\n", i + 1, v[0], v[1], v[2]);
  }
  crDestroyCollider(collider);
  return 0;
}
