// Free bodies that the test itself moves, as another simulator would, with forces from a collider.
#ifndef CR_TEST_FREE_BODIES_H
#define CR_TEST_FREE_BODIES_H

#include "carom/external.h"
#include "support/test.h"

#define CR_MAX_FREE_BODIES 4

typedef struct crFreeBody {
  double shape, extra, stl, noCollision, id;
  crVec3 size;
  double mass;
  crSym3 inertia; // [kg m^2] about r, in body axes
  // state
  crVec3 p, v; // [m], [m/s] in the world
  crQuat q;
  crVec3 w; // [rad/s] in body axes
} crFreeBody;

// 1 kg, at the origin, at rest.
crFreeBody crMakeFreeBody(int id, crExternalShape shape, double length, double width, double height);

// The row as [Engelson00] orders it; the shape's axes are those of the body.
void crMakeBodyRow(const crFreeBody* body, double* row);
void crMakeBodyRows(const crFreeBody* bodies, int count, double* rows);
void crMakeBodyMotions(const crFreeBody* bodies, int count, double* motions);

crVec3 crForceOfRow(const double* forces, int body);
crVec3 crTorqueOfRow(const double* forces, int body);

// One step of the classical Runge-Kutta method.
typedef crStatus (*crBodyForces)(void* context, const crFreeBody* bodies, int count, double* forces);
void crStepBodies(crBodyForces function, void* context, crFreeBody* bodies, int count, double h);

double crSumKineticEnergy(const crFreeBody* bodies, int count);
void crSumMomenta(const crFreeBody* bodies, int count, crVec3* outLinear, crVec3* outAngular); // about the origin

// Two cubes of edge 1 fly towards two that rest near the origin.
void crMakeFourCubes(crFreeBody bodies[4], double stl);

// Writes a cube of edge 1 about the origin into the test's folder.
const char* crWriteStlCube(const char* name);

#endif
