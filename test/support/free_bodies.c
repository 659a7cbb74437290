// Free bodies behind free_bodies.h.
#include "support/free_bodies.h"

#include "support/folder.h"

#include <stdio.h>
#include <string.h>

crFreeBody crMakeFreeBody(int id, crExternalShape shape, double length, double width, double height)
{
  crFreeBody body = { .shape = shape, .id = id, .size = { length, width, height }, .mass = 1.0, .q = { 1, 0, 0, 0 } };
  body.inertia = crDiagonalSym3(0.13, 0.13, 0.13);
  return body;
}

static void putVec3(double* place, crVec3 v)
{
  place[0] = v.x, place[1] = v.y, place[2] = v.z;
}

void crMakeBodyRow(const crFreeBody* body, double* row)
{
  crMat3 R = crQuatToMat3(body->q);
  const double head[] = { body->id, body->shape, 12345.0, body->extra, body->stl, body->noCollision };
  memcpy(row, head, sizeof head);
  putVec3(row + 6, body->size);
  putVec3(row + 9, R.cx);
  putVec3(row + 12, R.cy);
  putVec3(row + 15, body->p);
  const double S[] = { R.cx.x, R.cy.x, R.cz.x, R.cx.y, R.cy.y, R.cz.y, R.cx.z, R.cy.z, R.cz.z };
  memcpy(row + 18, S, sizeof S);
}

void crMakeBodyRows(const crFreeBody* bodies, int count, double* rows)
{
  for (int i = 0; i < count; ++i) {
    crMakeBodyRow(&bodies[i], rows + i * CR_BODY_INPUTS);
  }
}

void crMakeBodyMotions(const crFreeBody* bodies, int count, double* motions)
{
  for (int i = 0; i < count; ++i) {
    crMat3 R = crQuatToMat3(bodies[i].q);
    putVec3(motions + i * CR_BODY_MOTIONS, crMulTV(R, bodies[i].v));
    putVec3(motions + i * CR_BODY_MOTIONS + 3, bodies[i].w);
    motions[i * CR_BODY_MOTIONS + 6] = bodies[i].mass;
  }
}

crVec3 crForceOfRow(const double* forces, int body)
{
  const double* row = forces + body * CR_BODY_OUTPUTS;
  return crMakeVec3(row[0], row[1], row[2]);
}

crVec3 crTorqueOfRow(const double* forces, int body)
{
  return crForceOfRow(forces + 3, body);
}

static void writeFacet(FILE* file, double p[3][3])
{
  fprintf(file, "facet normal 0 0 0\nouter loop\n");
  for (int i = 0; i < 3; ++i) {
    fprintf(file, "vertex %g %g %g\n", p[i][0], p[i][1], p[i][2]);
  }
  fprintf(file, "endloop\nendfacet\n");
}

const char* crWriteStlCube(const char* name)
{
  static const int faces[6][4] = { { 0, 4, 6, 2 }, { 1, 3, 7, 5 }, { 0, 1, 5, 4 },
                                   { 2, 6, 7, 3 }, { 0, 2, 3, 1 }, { 4, 5, 7, 6 } };
  const char* path = crTestPath(name);
  FILE* file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file, "solid cube\n");
  for (int f = 0; f < 6; ++f) {
    for (int half = 0; half < 2; ++half) {
      double p[3][3];
      for (int i = 0; i < 3; ++i) {
        int corner = faces[f][i == 0 ? 0 : i + half];
        p[i][0] = (corner & 1) - 0.5, p[i][1] = (corner >> 1 & 1) - 0.5, p[i][2] = (corner >> 2) - 0.5;
      }
      writeFacet(file, p);
    }
  }
  fprintf(file, "endsolid cube\n");
  fclose(file);
  return path;
}

static void advance(crFreeBody* bodies, int count, const crFreeBody* slopes, double h)
{
  for (int i = 0; i < count; ++i) {
    crFreeBody* b = &bodies[i];
    const crFreeBody* d = &slopes[i];
    b->p = crMulAdd(b->p, h, d->p);
    b->v = crMulAdd(b->v, h, d->v);
    b->w = crMulAdd(b->w, h, d->w);
    b->q = (crQuat){ b->q.w + h * d->q.w, b->q.x + h * d->q.x, b->q.y + h * d->q.y, b->q.z + h * d->q.z };
  }
}

static void computeSlopes(crBodyForces function, void* context, const crFreeBody* bodies, int count, crFreeBody* slopes)
{
  double forces[CR_MAX_FREE_BODIES * CR_BODY_OUTPUTS];
  assert_int_equal(function(context, bodies, count, forces), cr_ok);
  for (int i = 0; i < count; ++i) {
    const crFreeBody* b = &bodies[i];
    crVec3 w = b->w, gyro = crCross(w, crMulSV(b->inertia, w)), t = crSub(crTorqueOfRow(forces, i), gyro);
    slopes[i].p = b->v;
    slopes[i].v = crScale(1.0 / b->mass, crMulMV(crQuatToMat3(b->q), crForceOfRow(forces, i)));
    slopes[i].w = crMakeVec3(t.x / b->inertia.xx, t.y / b->inertia.yy, t.z / b->inertia.zz);
    crQuat turn = { 0.0, w.x, w.y, w.z }, dq = crMulQuat(b->q, turn);
    slopes[i].q = (crQuat){ 0.5 * dq.w, 0.5 * dq.x, 0.5 * dq.y, 0.5 * dq.z };
  }
}

void crStepBodies(crBodyForces function, void* context, crFreeBody* bodies, int count, double h)
{
  static const double weights[] = { 1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0 }, reaches[] = { 0.0, 0.5, 0.5, 1.0 };
  crFreeBody slopes[CR_MAX_FREE_BODIES] = { 0 }, trial[CR_MAX_FREE_BODIES], end[CR_MAX_FREE_BODIES];
  memcpy(end, bodies, (size_t)count * sizeof *end);
  for (int k = 0; k < 4; ++k) {
    memcpy(trial, bodies, (size_t)count * sizeof *trial);
    advance(trial, count, slopes, reaches[k] * h);
    computeSlopes(function, context, trial, count, slopes);
    advance(end, count, slopes, weights[k] * h);
  }
  for (int i = 0; i < count; ++i) {
    bodies[i] = end[i];
    bodies[i].q = crNormalizeQuat(end[i].q);
  }
}

double crSumKineticEnergy(const crFreeBody* bodies, int count)
{
  double sum = 0.0;
  for (int i = 0; i < count; ++i) {
    const crFreeBody* b = &bodies[i];
    sum += 0.5 * b->mass * crDot(b->v, b->v) + 0.5 * crDot(b->w, crMulSV(b->inertia, b->w));
  }
  return sum;
}

void crSumMomenta(const crFreeBody* bodies, int count, crVec3* outLinear, crVec3* outAngular)
{
  *outLinear = *outAngular = crMakeVec3(0, 0, 0);
  for (int i = 0; i < count; ++i) {
    const crFreeBody* b = &bodies[i];
    crVec3 spin = crMulMV(crQuatToMat3(b->q), crMulSV(b->inertia, b->w));
    *outLinear = crMulAdd(*outLinear, b->mass, b->v);
    *outAngular = crAdd(*outAngular, crAdd(spin, crScale(b->mass, crCross(b->p, b->v))));
  }
}

void crMakeFourCubes(crFreeBody bodies[4], double stl)
{
  for (int i = 0; i < 4; ++i) {
    bodies[i] = crMakeFreeBody(i + 1, cr_externalBox, 1, 1, 1);
    bodies[i].stl = stl;
    bodies[i].inertia = crDiagonalSym3(1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0);
  }
  bodies[0].p = crMakeVec3(-2.0, 0.1, 0.2);
  bodies[0].v = crMakeVec3(1.5, 0.0, 0.0);
  bodies[0].q = crAxisAngleToQuat(crMakeVec3(1, 2, 3), 0.4);
  bodies[1].p = crMakeVec3(2.2, -0.1, 0.0);
  bodies[1].v = crMakeVec3(-1.5, 0.1, 0.0);
  bodies[1].w = crMakeVec3(0.5, -0.3, 0.8);
  bodies[2].p = crMakeVec3(0.0, 0.72, 0.0);
  bodies[2].q = crAxisAngleToQuat(crMakeVec3(3, -1, 1), 0.7);
  bodies[3].p = crMakeVec3(0.1, -0.6, 0.1);
}
