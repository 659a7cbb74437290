// Four cubes fly freely and collide: Carom as the collision function of another simulator, called as a Modelica tool
// would (examples/modelica/Carom.mo). The simulator is this program: it integrates, Carom says what pushes.
//
// First without losses, forces following from poses alone; then with damping and friction, where contacts begin and
// end at events.
//
//   cc four_cubes.c $(pkg-config --static --cflags --libs carom) && ./a.out
#include <carom/carom.h>

#include <stdio.h>
#include <string.h>

#define CUBES 4
#define STATES 13 // position, quaternion, velocity, angular velocity in body axes

static const double mass = 1.0, inertia = 1.0 / 6.0; // [kg], [kg m^2] of a cube of 1 m

typedef struct Simulator {
  crCollider* collider;
  crColliderMemory* memory; // NULL: forces from poses alone
  double bodies[CUBES * CR_BODY_INPUTS], motions[CUBES * CR_BODY_MOTIONS];
  int eventCount;
} Simulator;

// The row of 27 numbers that describes a cube, and its motion.
static void describeCube(int cube, const double* x, double* body, double* motion)
{
  crQuat q = { x[3], x[4], x[5], x[6] };
  crMat3 R = crQuatToMat3(q);
  crVec3 v = crMulTV(R, crMakeVec3(x[7], x[8], x[9]));
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
    R.cz.y,   R.cx.z,
    R.cy.z,   R.cz.z,
  };
  const double rates[CR_BODY_MOTIONS] = { v.x, v.y, v.z, x[10], x[11], x[12], mass };
  memcpy(body, numbers, sizeof numbers);
  memcpy(motion, rates, sizeof rates);
}

static void describe(Simulator* s, const double* x)
{
  for (int i = 0; i < CUBES; ++i) {
    describeCube(i, x + i * STATES, s->bodies + i * CR_BODY_INPUTS, s->motions + i * CR_BODY_MOTIONS);
  }
}

// Newton's and Euler's equations; a cube has no gyroscopic torque.
static void computeDerivative(const double* x, const double* force, double* dx)
{
  crQuat q = { x[3], x[4], x[5], x[6] }, turn = { 0.0, x[10], x[11], x[12] }, dq = crMulQuat(q, turn);
  crVec3 f = crMulMV(crQuatToMat3(q), crMakeVec3(force[0], force[1], force[2]));
  const double numbers[STATES] = {
    x[7],       x[8],       x[9],       0.5 * dq.w,         0.5 * dq.x,         0.5 * dq.y,        0.5 * dq.z,
    f.x / mass, f.y / mass, f.z / mass, force[3] / inertia, force[4] / inertia, force[5] / inertia
  };
  memcpy(dx, numbers, sizeof numbers);
}

static crStatus computeDerivatives(Simulator* s, const double* x, double* dx)
{
  double forces[CUBES * CR_BODY_OUTPUTS];
  describe(s, x);
  crStatus status = s->memory == NULL
                        ? crCollider_ComputeForces(s->collider, CUBES, s->bodies, forces)
                        : crCollider_ComputeElasticForces(s->collider, s->memory, CUBES, s->bodies, s->motions, forces);
  for (int i = 0; status == cr_ok && i < CUBES; ++i) {
    computeDerivative(x + i * STATES, forces + i * CR_BODY_OUTPUTS, dx + i * STATES);
  }
  return status;
}

// The classical Runge-Kutta method.
static crStatus step(Simulator* s, const double* x, double h, double* end)
{
  static const double reach[] = { 0.0, 0.5, 0.5, 1.0 }, weight[] = { 1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6 };
  double k[CUBES * STATES] = { 0 }, trial[CUBES * STATES];
  crStatus status = cr_ok;
  memcpy(end, x, sizeof k);
  for (int stage = 0; stage < 4 && status == cr_ok; ++stage) {
    for (int i = 0; i < CUBES * STATES; ++i) {
      trial[i] = x[i] + reach[stage] * h * k[i];
    }
    status = computeDerivatives(s, trial, k);
    for (int i = 0; i < CUBES * STATES; ++i) {
      end[i] += weight[stage] * h * k[i];
    }
  }
  return status;
}

static bool hasEvent(Simulator* s, const double* x)
{
  double z[2] = { -1.0, 1.0 };
  if (s->memory != NULL) {
    describe(s, x);
    crCollider_ComputeIndicators(s->collider, s->memory, CUBES, s->bodies, s->motions, z);
  }
  return z[0] > 0.0 || z[1] < 0.0;
}

// A step, up to just behind an event if there is one in it; returns how far it went.
static double advance(Simulator* s, double* x, double h, crStatus* outStatus)
{
  double end[CUBES * STATES], low = 0.0, high = h;
  *outStatus = step(s, x, h, end);
  if (*outStatus == cr_ok && hasEvent(s, end)) {
    for (int i = 0; i < 40; ++i) { // bisection
      double middle = 0.5 * (low + high);
      step(s, x, middle, end);
      *(hasEvent(s, end) ? &high : &low) = middle;
    }
    step(s, x, high, end);
    describe(s, end);
    *outStatus = crCollider_ResolveEvent(s->collider, s->memory, CUBES, s->bodies, s->motions);
    ++s->eventCount;
  }
  memcpy(x, end, sizeof end);
  return high;
}

static void print(double t, const double* x)
{
  double energy = 0.0;
  crVec3 p = crMakeVec3(0.0, 0.0, 0.0);
  for (int i = 0; i < CUBES; ++i, x += STATES) {
    crVec3 v = crMakeVec3(x[7], x[8], x[9]), w = crMakeVec3(x[10], x[11], x[12]);
    energy += 0.5 * mass * crDot(v, v) + 0.5 * inertia * crDot(w, w);
    p = crAdd(p, crScale(mass, v));
  }
  printf("%3.1f s: energy %.3f J, momentum (%.6f, %.6f, %.6f) N s\n", t, energy, p.x, p.y, p.z);
}

static crStatus simulate(Simulator* s, double h)
{
  // two cubes fly towards the middle, where two others rest
  double x[CUBES * STATES] = {
    -2.0, 0.1,  0.2, 0.9, 0.1, 0.2,  0.3, 1.5,  0.0, 0.0, 0.0, 0.0,  0.0, // position, quaternion,
    2.2,  -0.1, 0.0, 1.0, 0.0, 0.0,  0.0, -1.5, 0.1, 0.0, 0.5, -0.3, 0.8, // velocity, angular velocity
    0.0,  0.72, 0.0, 0.9, 0.4, -0.1, 0.1, 0.0,  0.0, 0.0, 0.0, 0.0,  0.0, //
    0.1,  -0.6, 0.1, 1.0, 0.0, 0.0,  0.0, 0.0,  0.0, 0.0, 0.0, 0.0,  0.0,
  };
  crStatus status = cr_ok;
  print(0.0, x);
  for (double t = 0.0; t < 3.0 && status == cr_ok;) {
    t += advance(s, x, h, &status);
  }
  print(3.0, x);
  for (int i = 0; i < CUBES; ++i) {
    const double* v = x + i * STATES + 7;
    printf("cube %d leaves with (%.2f, %.2f, %.2f) m/s\n", i + 1, v[0], v[1], v[2]);
  }
  return status;
}

int main(void)
{
  Simulator s = { .memory = NULL };
  crColliderDef def = crDefaultColliderDef();
  def.stiffness = 1e5; // [N/m]
  def.E = 1e7;         // [N/m^2] rubber: a collision takes some 10 ms
  def.cor = 0.6;
  def.muK = 0.3;
  crStatus status = crCreateCollider(&def, NULL, NULL, &s.collider);
  if (status == cr_ok) {
    printf("without losses\n");
    status = simulate(&s, 1e-4);
  }
  if (status == cr_ok && crCreateColliderMemory(s.collider, &s.memory) == cr_ok) {
    printf("with damping and friction\n");
    status = simulate(&s, 1e-4);
    printf("%d events, %d contacts left\n", s.eventCount, crColliderMemory_CountContacts(s.memory));
  }
  if (status != cr_ok) {
    fprintf(stderr, "%s: %s\n", crStatus_GetText(status), crCollider_GetMessage(s.collider));
  }
  crDestroyColliderMemory(s.memory);
  crDestroyCollider(s.collider);
  return status == cr_ok ? 0 : 1;
}
