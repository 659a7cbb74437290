// Hulls, and what holds for each of them.
#ifndef CR_TEST_HULLS_H
#define CR_TEST_HULLS_H

#include "geometry/hull.h"
#include "support/test.h"

crHull* crMakeTestHull(const crVec3* list, int count);     // fails the test when there is none
double crExtentOfHull(const crHull* hull);                 // longest edge of its box
int crListBoxCorners(crVec3* list, crVec3 half, crPose X); // eight, placed; returns 8

// Unit normals, corners on their plane within planeTol of the extent, Euler's formula, edges met once in each
// direction, neighbours symmetric and ascending, faces in canonical order.
void crCheckHull(const crHull* hull, double planeTol);
// No point lies farther outside than tol of the extent.
void crCheckHullHolds(const crHull* hull, const crVec3* list, int count, double tol);
// Vertices are input points, bit by bit, in input order.
void crCheckHullVertices(const crHull* hull, const crVec3* list, int count);

#endif
