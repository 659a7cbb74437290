// Patches that push together: their force is the gradient of one energy, whatever they make of each other.
#include "contact/area_contact.h"
#include "support/random.h"
#include "support/shapes.h"
#include "support/test.h"

#include <math.h>

#define MAX_PIECES 3
#define MAX_PARTS (MAX_PIECES * MAX_PIECES)

// Pieces of one body, with their places in it.
typedef struct Body {
  int count;
  crShape* shapes[MAX_PIECES];
  crPose places[MAX_PIECES];
} Body;

typedef struct Answer {
  double elastic;
  crVec3 force, torque; // on B, about its origin
} Answer;

static const crContactLaw law = { .cor = 1.0, .response = cr_responseElastic, .elasticity = 1e8, .vMin = 0.01 };

static void addPiece(Body* body, crShapeDef def, crVec3 p)
{
  body->shapes[body->count] = crCreateTestShape(&def);
  body->places[body->count++] = (crPose){ crIdentityMat3(), p };
}

static void freeBody(Body* body)
{
  for (int i = 0; i < body->count; ++i) {
    crDestroyShape(body->shapes[i]);
  }
}

static crAreaSide makeSide(const Body* body, int piece, crPose X)
{
  crPose X_WF = crMulPose(X, body->places[piece]);
  return (crAreaSide){ .shape = body->shapes[piece], .X_WS = crPlaceCanonical(body->shapes[piece], &X_WF), .p = X.p };
}

static Answer press(const Body* a, const Body* b, crPose X_WA, crPose X_WB)
{
  crAreaPart parts[MAX_PARTS];
  crContact contacts[MAX_PARTS];
  int count = 0;
  for (int i = 0; i < a->count; ++i) {
    for (int k = 0; k < b->count; ++k) {
      contacts[count] = (crContact){ .begin = 0.0 };
      parts[count].a = makeSide(a, i, X_WA);
      parts[count].b = makeSide(b, k, X_WB);
      parts[count].contact = &contacts[count];
      ++count;
    }
  }
  crEvalAreaGroup(&law, parts, count);
  Answer answer = { .elastic = 0.0 };
  for (int i = 0; i < count; ++i) {
    crVec3 f = contacts[i].force.force;
    answer.elastic += contacts[i].force.elastic;
    answer.force = crAdd(answer.force, f);
    answer.torque =
        crAdd(answer.torque, crAdd(contacts[i].force.torque, crCross(crSub(contacts[i].now.point, X_WB.p), f)));
  }
  return answer;
}

static crPose nudge(crPose X, int axis, double h)
{
  crVec3 e = crMakeVec3(axis % 3 == 0, axis % 3 == 1, axis % 3 == 2);
  if (axis < 3) {
    X.p = crMulAdd(X.p, h, e);
  } else {
    X.R = crMulMM(crQuatToMat3(crAxisAngleToQuat(e, h)), X.R);
  }
  return X;
}

// [-] Largest deviation of the force from differences of U, over what there is.
static double check(const Body* a, const Body* b, crPose X_WA, crPose X_WB, double h)
{
  Answer is = press(a, b, X_WA, X_WB);
  double size = crLength(is.force), arm = 0.1, worst = 0.0;
  for (int axis = 0; axis < 6; ++axis) {
    double step = axis < 3 ? h : h / arm;
    double up = press(a, b, X_WA, nudge(X_WB, axis, step)).elastic,
           down = press(a, b, X_WA, nudge(X_WB, axis, -step)).elastic;
    crVec3 f = axis < 3 ? is.force : is.torque;
    double along = axis % 3 == 0 ? f.x : axis % 3 == 1 ? f.y : f.z;
    worst = fmax(worst, fabs(along + (up - down) / (2.0 * step)) / (axis < 3 ? size : size * arm));
  }
  return worst;
}

// B somewhere above A, let down until it is as deep as asked for.
static void lower(const Body* a, const Body* b, crPose X_WA, crPose* ioX, double energy)
{
  double high = 0.5, low = -0.05;
  for (int i = 0; i < 60; ++i) {
    ioX->p.z = 0.5 * (low + high);
    double U = press(a, b, X_WA, *ioX).elastic;
    if (U > energy) {
      low = ioX->p.z;
    } else {
      high = ioX->p.z;
    }
  }
}

static void forces_of_groups_are_gradients(void** state)
{
  (void)state;
  Body plates = { 0 }, angle = { 0 }, stool = { 0 };
  addPiece(&plates, crMakeBox(1.0, 1.0, 0.1), crMakeVec3(-0.5, 0.0, -0.05));
  addPiece(&plates, crMakeBox(1.0, 1.0, 0.1), crMakeVec3(0.5, 0.0, -0.05));
  addPiece(&angle, crMakeBox(0.2, 0.1, 0.05), crMakeVec3(0.0, 0.0, 0.0));
  addPiece(&angle, crMakeBox(0.05, 0.1, 0.1), crMakeVec3(0.075, 0.0, 0.075));
  addPiece(&stool, crMakeBox(0.4, 0.1, 0.05), crMakeVec3(0.0, 0.0, 0.0));
  addPiece(&stool, crMakeBox(0.05, 0.1, 0.1), crMakeVec3(0.175, 0.0, -0.075));
  addPiece(&stool, crMakeCylinder(0.04, 0.1, 0.0), crMakeVec3(-0.16, 0.0, -0.075));
  const Body* tops[] = { &angle, &stool };
  crRandom random = crMakeRandom(7);
  int exact = 0;
  for (int n = 0; n < 40; ++n) {
    const Body* top = tops[n % 2];
    crPose X_WA = crIdentityPose(), X = crIdentityPose();
    crVec3 axis = crRandom_UnitVec3(&random);
    double tilt = n % 4 < 2 ? 1e-3 : 3.0;
    X.R = crQuatToMat3(crAxisAngleToQuat(axis, tilt * crRandom_Uniform(&random, 0.0, 1.0)));
    X.p = crMakeVec3(0.02 * crRandom_Uniform(&random, 0.0, 1.0), 0.05 * crRandom_Uniform(&random, 0.0, 1.0), 0.0);
    lower(&plates, top, X_WA, &X, 1e-2);
    double error = check(&plates, top, X_WA, X, 1e-8);
    assert_true(error < 1e-5);
    exact += error < 1e-7;
  }
  assert_true(exact >= 30); // the rest by the noise of differences
  freeBody(&plates);
  freeBody(&angle);
  freeBody(&stool);
}

// Two plates with an inner face between them, and the same as one.
static void seams_are_not_felt(void** state)
{
  (void)state;
  static const bool right[6] = { true }, left[6] = { false, true }; // +x, -x
  Body two = { 0 }, one = { 0 }, tops[3] = { { 0 } };
  addPiece(&two, crMakeBox(1.0, 1.0, 0.1), crMakeVec3(-0.5, 0.0, -0.05));
  addPiece(&two, crMakeBox(1.0, 1.0, 0.1), crMakeVec3(0.5, 0.0, -0.05));
  addPiece(&one, crMakeBox(2.0, 1.0, 0.1), crMakeVec3(0.0, 0.0, -0.05));
  two.shapes[0]->innerFaces = right;
  two.shapes[1]->innerFaces = left;
  addPiece(&tops[0], crMakeBox(0.2, 0.15, 0.1), crMakeVec3(0.0, 0.0, 0.05));
  crShapeDef lying = crMakeCylinder(0.05, 0.2, 0.0);
  lying.axis = crMakeVec3(0.0, 1.0, 0.0);
  addPiece(&tops[1], lying, crMakeVec3(0.0, 0.0, 0.05));
  addPiece(&tops[2], crMakeCone(0.05, 0.03, 0.1), crMakeVec3(0.0, 0.0, 0.0));
  for (int n = 0; n < 9; ++n) {
    const Body* top = &tops[n % 3];
    crPose X = crIdentityPose();
    X.R = crQuatToMat3(crAxisAngleToQuat(crMakeVec3(0.3, 0.4, 0.86), n < 3 ? 0.0 : n < 6 ? 1e-4 : 0.3));
    lower(&one, top, crIdentityPose(), &X, 1e-3);
    for (X.p.x = -0.15; X.p.x < 0.15; X.p.x += 0.00037) {
      Answer is = press(&two, top, crIdentityPose(), X), whole = press(&one, top, crIdentityPose(), X);
      double size = crLength(whole.force);
      assert_close(is.elastic, whole.elastic, 1e-7 * whole.elastic);
      assert_vec_close(is.force, whole.force, 1e-6 * size);
      assert_vec_close(is.torque, whole.torque, 1e-7 * size);
    }
  }
  two.shapes[0]->innerFaces = two.shapes[1]->innerFaces = NULL;
  freeBody(&two);
  freeBody(&one);
  for (int n = 0; n < 3; ++n) {
    freeBody(&tops[n]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = { cmocka_unit_test(forces_of_groups_are_gradients),
                                      cmocka_unit_test(seams_are_not_felt) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
