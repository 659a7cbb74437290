// Of all points of the patch, and of all corners of its polygons, those that reach farthest in each of so many
// directions across n: corners of the convex hull, as many as the directions can tell apart.
#include "contact/area_outline.h"

#include "base/elementary.h"
#include "collide/area/corner.h"
#include "collide/area/polygon.h"
#include "collide/area/wide.h"
#include "contact/corner_force.h"

#define CR_DIRECTIONS (CR_PATCH_CORNERS - 1)
_Static_assert(CR_DIRECTIONS % CR_WIDE_LANES == 0, "directions fill vectors");
#define CR_FIRST_ANGLE 0.3  // [-] of the angle between two: none is across an edge that is parallel to an axis
#define CR_SAME_CORNER 1e-6 // [-] of the extent: corners that are nearer, across n, are one
#define CR_SAME_REACH 1e-3  // [-] of the depth: of points that reach as far the deepest counts
#define CR_KEPT_CORNERS 96  // of flat patches, which most have fewer of; of others the patch is asked for twice
#define CR_LEAST_DEPTH 1e-9 // [-] of the depth: points that are less deep are rounding errors, wherever they lie
#define CR_SPOT_SPREAD 0.36 // [-] of the square of a spot's radius, between those of ribs and knobs (rib.c)

typedef struct Outline {
  double along[3][CR_DIRECTIONS];               // unit vectors, in axes of the first shape as all here
  double reach[CR_DIRECTIONS];                  // [m] -inf: nothing seen
  crVec3 x[CR_DIRECTIONS], spot[CR_DIRECTIONS]; // where it presses, and where that counts
  double d[CR_DIRECTIONS];
  double slack; // [m] in which points reach as far
  double least; // [m] depth of points that count
} Outline;

static crVec3 getDirection(const Outline* outline, int k)
{
  return crMakeVec3(outline->along[0][k], outline->along[1][k], outline->along[2][k]);
}

static bool isAny(crWideMask mask)
{
  return (mask[0] | mask[1] | mask[2] | mask[3] | mask[4] | mask[5] | mask[6] | mask[7]) != 0;
}

// radius [m]: of the spot that the point stands for. Most points are behind others in all directions.
static void see(Outline* outline, crVec3 x, crVec3 spot, double radius, double d)
{
  for (int from = 0; from < CR_DIRECTIONS; from += CR_WIDE_LANES) {
    double(*along)[CR_DIRECTIONS] = outline->along;
    crWide reach = *(const crWide*)&along[0][from] * x.x + *(const crWide*)&along[1][from] * x.y +
                   *(const crWide*)&along[2][from] * x.z + radius;
    crWide known = *(const crWide*)&outline->reach[from], deep = *(const crWide*)&outline->d[from];
    crWideMask isNew = (reach > known + outline->slack) | ((reach > known - outline->slack) & (d > deep));
    bool hasNew = isAny(isNew);
    for (int i = 0, k = from; hasNew && i < CR_WIDE_LANES; ++i, ++k) {
      if (isNew[i]) {
        outline->reach[k] = crMax2(reach[i], outline->reach[k]);
        outline->x[k] = crMulAdd(x, radius, getDirection(outline, k));
        outline->spot[k] = spot;
        outline->d[k] = d;
      }
    }
  }
}

static void seeCorner(crPatch* patch, crVec3 x, double depth)
{
  see(patch->context, x, crAdd(x, patch->offsets[patch->runCount - 1]), 0.0, depth);
}

static void seePoints(crPatch* patch, int run)
{
  const Outline* outline = patch->context;
  for (int i = patch->runs[run]; i < patch->runs[run + 1]; ++i) {
    if (patch->w[i] > 0.0 && patch->d[i] > outline->least) {
      crVec3 x = crMakeVec3(patch->x[0][i], patch->x[1][i], patch->x[2][i]);
      crVec3 spot = patch->haveSpots[run] ? crMakeVec3(patch->z[0][i], patch->z[1][i], patch->z[2][i])
                                          : crAdd(x, patch->offsets[run]);
      see(patch->context, x, spot, patch->haveSpots[run] ? sqrt(patch->e[i] / CR_SPOT_SPREAD) : 0.0, patch->d[i]);
    }
  }
}

// Corners as they come, before it is known from where on they count.
typedef struct Corners {
  int count; // may be more than there is room for
  crVec3 x[CR_KEPT_CORNERS];
  double d[CR_KEPT_CORNERS];
} Corners;

static void keepCorner(crPatch* patch, crVec3 x, double depth)
{
  Corners* corners = patch->context;
  if (corners->count < CR_KEPT_CORNERS) {
    corners->x[corners->count] = x;
    corners->d[corners->count] = depth;
  }
  ++corners->count;
}

// Each of four angles tells of four directions, a quarter of a turn from each other.
static void beginOutline(crVec3 n, Outline* out)
{
  crVec3 e0 = crFindAcross(n), e1 = crCross(n, e0);
  for (int k = 0; k < CR_DIRECTIONS; ++k) {
    out->reach[k] = -HUGE_VAL;
    out->d[k] = 0.0;
  }
  for (int k = 0; k < CR_DIRECTIONS / 4; ++k) {
    double s, c;
    crSinCos(2.0 * M_PI / CR_DIRECTIONS * (k + CR_FIRST_ANGLE), &s, &c);
    for (int at = k; at < CR_DIRECTIONS; at += CR_DIRECTIONS / 4) {
      crVec3 along = crAdd(crScale(c, e0), crScale(s, e1));
      double x = c;
      c = -s;
      s = x;
      out->along[0][at] = along.x;
      out->along[1][at] = along.y;
      out->along[2][at] = along.z;
    }
  }
}

// [m] from one side to the other, the longest.
static double measureExtent(const Outline* outline)
{
  double extent = 0.0;
  for (int k = 0; k < CR_DIRECTIONS / 2; ++k) {
    extent = crMax2(extent, outline->reach[k] + outline->reach[k + CR_DIRECTIONS / 2]);
  }
  return extent;
}

static bool areSame(const Outline* outline, int i, int k, double near)
{
  crVec3 apart = crSub(outline->x[i], outline->x[k]);
  return fabs(crDot(apart, getDirection(outline, 0))) <= near &&
         fabs(crDot(apart, getDirection(outline, CR_DIRECTIONS / 4))) <= near;
}

// All that is seen, of polytopes what was kept of it: points of flat parts are between their corners.
static void seeAll(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB, const Corners* corners,
                   Outline* outline, crPatch* patch)
{
  if (!crHasPatchLines(a, b) || corners->count > CR_KEPT_CORNERS) {
    crRepeatPatch(a, X_WA, b, X_WB, seePoints, seeCorner, outline, patch);
    return;
  }
  for (int i = 0; i < corners->count; ++i) {
    see(outline, corners->x[i], corners->x[i], 0.0, corners->d[i]);
  }
}

// Where the three edges of a corner come out of the plane that it is below: all else of the patch, and of its foot on
// the plane, is between. Nothing presses there. Returns 0 if it is none.
static int findCornerOutline(crAreaModulus law, const crBoxCorner* corner, const crPose* X, crVec3 n,
                             crPatchCorner out[CR_PATCH_CORNERS])
{
  crAreaForce force;
  crComputeCornerForce(law, corner, &force);
  if (!(force.elastic > 0.0)) {
    return 0;
  }
  const double* slopes = &corner->n.x;
  out[0] = (crPatchCorner){ crTransformPoint(*X, corner->at), force.mostPressure };
  for (int k = 0; k < 3; ++k) {
    crVec3 end = corner->at;
    *(k == 0 ? &end.x : k == 1 ? &end.y : &end.z) += corner->depth / slopes[k];
    out[k + 1] = (crPatchCorner){ crTransformPoint(*X, end), 0.0 };
  }
  crVec3 first = crSub(out[2].point, out[1].point), second = crSub(out[3].point, out[1].point);
  if (crDot(crCross(first, second), n) < 0.0) {
    crPatchCorner swapped = out[2];
    out[2] = out[3];
    out[3] = swapped;
  }
  return 4;
}

int crFindAreaOutline(crAreaModulus law, const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                      crVec3 n, crPatchCorner outCorners[CR_PATCH_CORNERS])
{
  crPatch patch;
  crAreaForce force;
  Outline outline;
  Corners corners;
  crBoxCorner corner;
  if (crFindBoxCorner(a, X_WA, b, X_WB, &corner) && corner.edge < 0) {
    return findCornerOutline(law, &corner, corner.isOfB ? X_WB : X_WA, n, outCorners);
  }
  corners.count = 0;
  crComputePatchWithCorners(a, X_WA, b, X_WB, keepCorner, &corners, &patch);
  crPushPatch(law, a, X_WA, b, X_WB, &patch, &force);
  if (!(patch.depth > 0.0) || !(force.elastic > 0.0)) {
    return 0;
  }
  const crPose* X = patch.isExchanged ? X_WB : X_WA;
  outCorners[0] = (crPatchCorner){ crTransformPoint(*X, patch.deepest), force.mostPressure };
  beginOutline(crMulTV(X->R, n), &outline);
  outline.slack = CR_SAME_REACH * patch.depth;
  outline.least = CR_LEAST_DEPTH * patch.depth;
  seeAll(a, X_WA, b, X_WB, &corners, &outline, &patch);
  double near = CR_SAME_CORNER * measureExtent(&outline);
  int count = 1, first = -1, last = -1;
  for (int k = 0; k < CR_DIRECTIONS; ++k) {
    bool isOld = last >= 0 && (areSame(&outline, k, last, near) || areSame(&outline, k, first, near));
    if (!isOld && isfinite(outline.reach[k])) {
      double pressure = crComputePressure(&force.pressure, outline.spot[k], outline.d[k]);
      outCorners[count++] = (crPatchCorner){ crTransformPoint(*X, outline.x[k]), pressure };
      first = first < 0 ? k : first;
      last = k;
    }
  }
  return count;
}
