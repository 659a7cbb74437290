#include "collide/area/crossing.h"

#include "collide/area/box_lanes.h"
#include "math/mat3.h"

#define LEAST_SQUARE_SINE 1e-4 // [-] of the angle between edges: those that are nearer to parallel are left out

// Two boxes in axes of A.
typedef struct Boxes {
  crLanes half[2];
  crLanes33 R;    // axes of B
  crLanes33 rows; // of that: axes of A in those of B
  crLanes p;      // of B
} Boxes;

// Edge directions, one of each box, along whose common normal they are least deep in each other. false: apart, or
// nothing crosses.
static bool findEdges(const Boxes* boxes, int outAxes[2])
{
  const crLanes rows[3] = { boxes->rows.x, boxes->rows.y, boxes->rows.z };
  crLanes half = boxes->half[0], other = boxes->half[1], p = boxes->p;
  double least = HUGE_VAL;
  for (int i = 0; i < 3; ++i) {
    int k = (i + 1) % 3, l = (i + 2) % 3;
    crLanes own = crSizesL(rows[i]), gap = crSizesL(p[l] * rows[k] - p[k] * rows[l]);
    crLanes reach = half[k] * crSizesL(rows[l]) + half[l] * crSizesL(rows[k]) + crNextL(other) * crLastL(own) +
                    crLastL(other) * crNextL(own);
    crLanes depth = reach - gap, sine = 1.0 - own * own;
    for (int j = 0; j < 3; ++j) {
      double square = depth[j] * depth[j];
      if (!(depth[j] > 0.0)) {
        return false;
      }
      if (sine[j] > LEAST_SQUARE_SINE && square < least * sine[j]) {
        least = square / sine[j];
        outAxes[0] = i;
        outAxes[1] = j;
      }
    }
  }
  return isfinite(least);
}

// An edge with what is around it.
typedef struct Edge {
  crVec3 along, faces[2];
  double half, sides[2]; // [m] half its length, and half of the box across both faces
  crVec3 middle;
} Edge;

// The edge of a box along an axis that reaches farthest towards n.
static Edge findEdge(crLanes33 axes, crLanes half, crVec3 centre, int axis, crVec3 n)
{
  const crLanes* e = &axes.x;
  int k = (axis + 1) % 3, l = (axis + 2) % 3;
  crVec3 first = crFromLanes(e[k]), second = crFromLanes(e[l]);
  first = crDot(first, n) < 0.0 ? crNeg(first) : first;
  second = crDot(second, n) < 0.0 ? crNeg(second) : second;
  crVec3 middle = crMulAdd(crMulAdd(centre, half[k], first), half[l], second);
  return (Edge){ crFromLanes(e[axis]), { first, second }, half[axis], { half[k], half[l] }, middle };
}

// Turns and orders what is known of an edge, so that it leaves the other box by the first of its faces.
static bool orient(Edge* edge, const Edge* other, crCrossingEdge* out)
{
  double first = crDot(edge->along, other->faces[0]), second = crDot(edge->along, other->faces[1]);
  double sign = first < 0.0 ? -1.0 : 1.0;
  edge->along = crScale(sign, edge->along);
  *out = (crCrossingEdge){ edge->along, { edge->faces[0], edge->faces[1] }, { sign * first, -sign * second } };
  return out->steep[0] > 0.0 && out->steep[1] > 0.0;
}

// Whether the edge, at `place` from its middle where the other one passes it, which that does at `otherPlace`, has not
// ended where it leaves the other box, and neither has the other box, nor is another face of that nearer.
static bool staysBetween(const crCrossingEdge* edge, double half, double place, double depth, double cosine,
                         const Edge* other, double otherPlace)
{
  double p = edge->steep[0], q = edge->steep[1], sine = sqrt(p * p + q * q);
  double first = depth * q / (sine * p), second = -depth * p / (sine * q);
  double ridge = depth * (q - p) / (sine * (p + q)), most = depth * sine / (p + q);
  bool hasEnds = fabs(place + first) <= half && fabs(place + second) <= half;
  bool isInside = fabs(otherPlace + first * cosine) <= other->half && fabs(otherPlace + second * cosine) <= other->half;
  bool isNear = depth * sine / p <= 2.0 * other->sides[1] && depth * sine / q <= 2.0 * other->sides[0];
  bool isNearest =
      fabs(otherPlace + ridge * cosine) + most <= other->half && most <= other->sides[0] && most <= other->sides[1];
  return hasEnds && isInside && isNear && isNearest;
}

static bool findCrossing(const Boxes* boxes, const int axes[2], crBoxCrossing* out)
{
  const crLanes33 own = { { 1.0, 0.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0, 0.0 }, { 0.0, 0.0, 1.0, 0.0 } };
  const crLanes* columns = &boxes->R.x;
  crVec3 a = crFromLanes((&own.x)[axes[0]]), b = crFromLanes(columns[axes[1]]), c = crCross(a, b);
  c = crScale((crDot(c, crFromLanes(boxes->p)) < 0.0 ? -1.0 : 1.0) / crLength(c), c); // from A to B
  Edge edgeA = findEdge(own, boxes->half[0], crMakeVec3(0.0, 0.0, 0.0), axes[0], c);
  Edge edgeB = findEdge(boxes->R, boxes->half[1], crFromLanes(boxes->p), axes[1], crNeg(c));
  if (!orient(&edgeA, &edgeB, &out->a) || !orient(&edgeB, &edgeA, &out->b)) {
    return false;
  }
  crVec3 way = crSub(edgeB.middle, edgeA.middle);
  double cosine = crDot(edgeA.along, edgeB.along), share = 1.0 / (1.0 - cosine * cosine);
  double alongA = crDot(way, edgeA.along), alongB = crDot(way, edgeB.along);
  double placeA = share * (alongA - cosine * alongB), placeB = share * (cosine * alongA - alongB);
  out->depth = -crDot(way, c);
  out->n = crNeg(c);
  out->at = crMulAdd(edgeA.middle, placeA, edgeA.along);
  return out->depth > 0.0 && staysBetween(&out->a, edgeA.half, placeA, out->depth, cosine, &edgeB, placeB) &&
         staysBetween(&out->b, edgeB.half, placeB, out->depth, cosine, &edgeA, placeA);
}

bool crFindBoxCrossing(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB, crBoxCrossing* out)
{
  if (!crIsSharpBox(a) || !crIsSharpBox(b)) {
    return false;
  }
  int axes[2];
  crLanes33 R = crToLanes33(crMulTM(X_WA->R, X_WB->R));
  Boxes boxes = { { crToLanes(a->core.half), crToLanes(b->core.half) },
                  R,
                  crTransposeL(R),
                  crToLanes(crMulTV(X_WA->R, crSub(X_WB->p, X_WA->p))) };
  return findEdges(&boxes, axes) && findCrossing(&boxes, axes, out);
}
