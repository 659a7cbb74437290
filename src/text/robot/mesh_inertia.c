// Sums over pyramids from a point to the triangles of a mesh.
//
// A pyramid over the triangle D, E, F with its tip at the origin has the volume D . (E x F) / 6 and the second moments
//
//   P = volume / 20 (D D^T + E E^T + F F^T + (D + E + F)(D + E + F)^T)
//
// Signed volumes give the inside of a closed mesh, wherever the tip is. Where all count as positive the tip is the
// centre of the surface, then the centre of mass that follows from it: what files that rely on it were made for.
#include "text/robot/mesh_inertia.h"

#include <stdio.h>

static crVec3 findSurfaceCentre(const crMeshDef* mesh)
{
  crVec3 sum = { 0.0, 0.0, 0.0 };
  double area = 0.0;
  for (int i = 0; i < mesh->triangleCount; ++i) {
    const int32_t* t = mesh->triangles[i];
    crVec3 a = mesh->points[t[0]], b = mesh->points[t[1]], c = mesh->points[t[2]];
    double part = 0.5 * crLength(crCross(crSub(b, a), crSub(c, a)));
    sum = crMulAdd(sum, part / 3.0, crAdd(a, crAdd(b, c)));
    area += part;
  }
  return area > 0.0 ? crScale(1.0 / area, sum) : sum;
}

// Volume, centre and second moments about the tip.
typedef struct Sums {
  double volume;
  crVec3 centre;
  crSym3 P;
} Sums;

static crSym3 addSquare(crSym3 P, double k, crVec3 v)
{
  crSym3 square = { v.x * v.x, v.y * v.y, v.z * v.z, v.x * v.y, v.x * v.z, v.y * v.z };
  return crAddSym3(P, crScaleSym3(k, square));
}

static Sums sumUp(const crMeshDef* mesh, crVec3 tip, bool isSigned)
{
  Sums sums = { 0 };
  for (int i = 0; i < mesh->triangleCount; ++i) {
    const int32_t* t = mesh->triangles[i];
    crVec3 d = crSub(mesh->points[t[0]], tip), e = crSub(mesh->points[t[1]], tip), f = crSub(mesh->points[t[2]], tip);
    crVec3 all = crAdd(d, crAdd(e, f));
    double volume = crDot(d, crCross(e, f)) / 6.0;
    volume = isSigned ? volume : fabs(volume);
    sums.volume += volume;
    sums.centre = crMulAdd(sums.centre, volume / 4.0, all);
    sums.P = addSquare(addSquare(addSquare(addSquare(sums.P, volume / 20.0, d), volume / 20.0, e), volume / 20.0, f),
                       volume / 20.0, all);
  }
  sums.centre = crMulAdd(tip, 1.0 / sums.volume, sums.centre);
  return sums;
}

crStatus crWeighMesh(crRobot* robot, const crValue* shape, bool isExact, crReporter* reporter, crInertia* outInertia)
{
  const crMesh* mesh;
  crStatus status = crElementReader_ReadMesh(robot->shapeReader, shape, reporter, &mesh);
  if (status != cr_ok) {
    return status;
  }
  crMeshDef def = crMesh_GetDef(mesh);
  crMeshFacts facts = crMesh_GetFacts(mesh);
  if (!facts.isClosed) {
    char message[160];
    snprintf(message, sizeof message, "the mesh is open, with %d open edges: its inertia is a guess",
             facts.openEdgeCount);
    crComplaint complaint = { .message = message, .hint = "give the body an <inertial>, or close the mesh" };
    crReport(reporter, cr_severityWarning, cr_ok, &complaint);
  }
  crVec3 tip = sumUp(&def, findSurfaceCentre(&def), isExact).centre;
  Sums sums = sumUp(&def, tip, isExact);
  if (!(fabs(sums.volume) > 0.0) || !crIsFiniteVec3(tip)) {
    crReportError(reporter, "the mesh has no volume, so it has no inertia");
    return cr_errorModel;
  }
  double sign = sums.volume < 0.0 ? -1.0 : 1.0; // inside out
  crSym3 P = crScaleSym3(sign, sums.P);
  crSym3 I = { P.yy + P.zz, P.xx + P.zz, P.xx + P.yy, -P.xy, -P.xz, -P.yz };
  *outInertia = (crInertia){ fabs(sums.volume), tip, I };
  return cr_ok;
}
