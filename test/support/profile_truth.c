#include "support/profile_truth.h"

#include "carom/collide.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

__extension__ typedef __float128 Quad;

typedef struct QuadPoint {
  Quad x, y;
} QuadPoint;

static Quad absolute(Quad x)
{
  return x < 0 ? -x : x;
}

static Quad root(Quad x)
{
  if (!(x > 0)) {
    return 0;
  }
  Quad y = (Quad)sqrt((double)x);
  for (int i = 0; i < 3; ++i) {
    y = (y + x / y) / 2;
  }
  return y;
}

static Quad lengthOf(QuadPoint a)
{
  return root(a.x * a.x + a.y * a.y);
}

static QuadPoint sub(QuadPoint a, QuadPoint b)
{
  return (QuadPoint){ a.x - b.x, a.y - b.y };
}

static Quad cross(QuadPoint a, QuadPoint b)
{
  return a.x * b.y - a.y * b.x;
}

// A way of the profile: a line, or an arc about a centre.
typedef struct Way {
  QuadPoint a, b, centre;
  Quad radius;
  int turn; // 1 left, -1 right, 0 straight
} Way;

// The centre from both ends and a radius, or from three points.
static Way makeWay(const crProfilePoint* from, const crProfilePoint* to)
{
  Way way = { { from->x, from->y }, { to->x, to->y }, { 0, 0 }, 0, 0 };
  QuadPoint chord = sub(way.b, way.a), middle = { (way.a.x + way.b.x) / 2, (way.a.y + way.b.y) / 2 };
  Quad length = lengthOf(chord);
  if (to->hasThrough) {
    QuadPoint c = { to->throughX, to->throughY }, u = sub(c, way.a);
    Quad d = 2 * cross(u, chord), uu = u.x * u.x + u.y * u.y, vv = chord.x * chord.x + chord.y * chord.y;
    way.centre = (QuadPoint){ way.a.x + (uu * chord.y - vv * u.y) / d, way.a.y + (vv * u.x - uu * chord.x) / d };
    way.radius = lengthOf(sub(way.a, way.centre));
    way.turn = cross(u, chord) > 0 ? 1 : -1;
  } else if (to->arc != 0.0) {
    way.turn = to->arc > 0.0 ? 1 : -1;
    way.radius = fabs(to->arc);
    Quad up = root(way.radius * way.radius - length * length / 4);
    up = way.radius * 2 < length ? 0 : up;
    way.centre =
        (QuadPoint){ middle.x - way.turn * up * chord.y / length, middle.y + way.turn * up * chord.x / length };
    way.radius = lengthOf(sub(way.a, way.centre));
  }
  return way;
}

// Whether a direction from the centre lies in the arc.
static bool isInArc(const Way* way, QuadPoint e)
{
  QuadPoint a = sub(way->a, way->centre), b = sub(way->b, way->centre);
  if (way->turn < 0) {
    QuadPoint swap = a;
    a = b;
    b = swap;
  }
  Quad ab = cross(a, b), ae = cross(a, e), eb = cross(e, b);
  bool isShort = ab > 0 || (ab == 0 && a.x * b.x + a.y * b.y > 0);
  return isShort ? ae >= 0 && eb >= 0 : ae >= 0 || eb >= 0;
}

static Quad distanceTo(const Way* way, QuadPoint x)
{
  Quad ends = lengthOf(sub(x, way->a)), other = lengthOf(sub(x, way->b));
  ends = other < ends ? other : ends;
  if (way->turn == 0) {
    QuadPoint v = sub(way->b, way->a), q = sub(x, way->a);
    Quad length = lengthOf(v), along = (q.x * v.x + q.y * v.y) / length;
    return along > 0 && along < length ? absolute(cross(v, q)) / length : ends;
  }
  QuadPoint e = sub(x, way->centre);
  Quad out = lengthOf(e);
  return out == 0 ? way->radius : isInArc(way, e) ? absolute(out - way->radius) : ends;
}

// How often a ray from x to the right crosses a way, up counting 1 and down -1.
static int countCrossings(const Way* way, QuadPoint x)
{
  QuadPoint list[4] = { way->a };
  int count = 1, sum = 0;
  if (way->turn != 0) { // arcs are cut at their highest and lowest points
    QuadPoint top = { way->centre.x, way->centre.y + way->radius },
              low = { way->centre.x, way->centre.y - way->radius };
    bool hasTop = isInArc(way, (QuadPoint){ 0, 1 }), hasLow = isInArc(way, (QuadPoint){ 0, -1 });
    bool isStartLeft = way->a.x < way->centre.x || (way->a.x == way->centre.x && way->a.y > way->centre.y);
    bool isLowFirst = (way->turn > 0) == isStartLeft;
    if (hasTop && hasLow) {
      list[count++] = isLowFirst ? low : top;
      list[count++] = isLowFirst ? top : low;
    } else if (hasTop || hasLow) {
      list[count++] = hasTop ? top : low;
    }
  }
  list[count++] = way->b;
  for (int i = 0; i + 1 < count; ++i) {
    QuadPoint p = list[i], q = list[i + 1];
    if ((p.y <= x.y) == (q.y <= x.y)) {
      continue;
    }
    Quad at;
    if (way->turn == 0) {
      at = p.x + (x.y - p.y) / (q.y - p.y) * (q.x - p.x);
    } else {
      Quad dy = x.y - way->centre.y, dx = root(way->radius * way->radius - dy * dy);
      at = way->centre.x + ((q.y > p.y) == (way->turn > 0) ? dx : -dx);
    }
    sum += at > x.x ? (q.y > p.y ? 1 : -1) : 0;
  }
  return sum;
}

// Distance and whether x is in the closed curve.
static Quad measure(const crProfilePoint* points, int count, bool isRevolved, QuadPoint x, bool* outIsInside)
{
  Quad least = HUGE_VAL;
  int crossings = 0;
  for (int i = 0; i < count; ++i) {
    Way way = makeWay(&points[i > 0 ? i - 1 : count - 1], &points[i]);
    crossings += countCrossings(&way, x);
    bool isAxis = isRevolved && way.turn == 0 && way.a.x == 0 && way.b.x == 0;
    Quad distance = isAxis ? HUGE_VAL : distanceTo(&way, x);
    least = distance < least ? distance : least;
  }
  *outIsInside = crossings != 0;
  return least;
}

static const crProfileDef* profileOf(const crShapeDef* def)
{
  return def->kind == cr_shapeRevolved ? &def->as.revolved.profile : &def->as.extruded.profile;
}

// A room: the profile that it is the inside of.
static int outline(const crShapeDef* def, crProfilePoint points[CR_TRUTH_POINTS])
{
  if (def->kind == cr_shapeSphere) {
    double R = def->as.sphere.radius;
    points[0] = (crProfilePoint){ .y = -R };
    points[1] = (crProfilePoint){ .y = R, .arc = R };
    return 2;
  }
  bool isCone = def->kind == cr_shapeCone;
  double low = isCone ? 0.0 : -0.5 * def->as.cylinder.length,
         length = isCone ? def->as.cone.length : def->as.cylinder.length;
  double R = isCone ? def->as.cone.radius : def->as.cylinder.radius, T = isCone ? def->as.cone.topRadius : R;
  points[0] = (crProfilePoint){ .y = low };
  points[1] = (crProfilePoint){ .x = R, .y = low };
  points[2] = (crProfilePoint){ .x = T, .y = low + length };
  points[3] = (crProfilePoint){ .y = low + length };
  return 4;
}

static double measureBoxRoom(crVec3 size, crVec3 x)
{
  Quad dx = (Quad)size.x / 2 - absolute(x.x), dy = (Quad)size.y / 2 - absolute(x.y),
       dz = (Quad)size.z / 2 - absolute(x.z);
  Quad least = dx < dy ? dx : dy;
  return (double)(least < dz ? least : dz);
}

double crComputeProfileTruth(const crProfileCase* which, crVec3 x, double r)
{
  const crShapeDef* def = &which->def;
  crProfilePoint room[CR_TRUTH_POINTS];
  bool isInside, isRevolved = def->kind != cr_shapeExtruded;
  QuadPoint p = { x.x, x.y };
  if (isRevolved) {
    p = (QuadPoint){ root((Quad)x.x * x.x + (Quad)x.y * x.y), x.z };
  }
  if (def->isHollow && def->kind == cr_shapeBox) {
    return (double)((Quad)measureBoxRoom(def->as.box.size, x) - r);
  }
  if (def->isHollow) {
    Quad d = measure(room, outline(def, room), true, p, &isInside);
    return (double)((isInside ? d : -d) - r);
  }
  const crProfileDef* profile = profileOf(def);
  Quad d = measure(profile->points, profile->pointCount, isRevolved, p, &isInside);
  bool isSolid = isInside != profile->isTurnedOut;
  d = isSolid ? -d : d;
  if (!isRevolved) {
    Quad above = absolute(x.z) - (Quad)def->as.extruded.length / 2;
    Quad outD = d > 0 ? d : 0, outZ = above > 0 ? above : 0;
    d = outD > 0 && outZ > 0 ? root(outD * outD + outZ * outZ) : d > above ? d : above;
  }
  return (double)(d - r);
}

// ----------------------------------------------------------------------------------------------- cases

static void setPoints(crProfileCase* out, const char* name, crShapeKind kind, int count)
{
  out->name = name;
  out->def = crDefaultShapeDef(kind);
  crProfileDef* profile = kind == cr_shapeRevolved ? &out->def.as.revolved.profile : &out->def.as.extruded.profile;
  profile->points = out->points;
  profile->pointCount = count;
}

static crProfilePoint at(double x, double y)
{
  return (crProfilePoint){ .x = x, .y = y };
}

static crProfilePoint arcTo(double x, double y, double radius)
{
  return (crProfilePoint){ .x = x, .y = y, .arc = radius };
}

static crProfilePoint through(double x, double y, double throughX, double throughY)
{
  return (crProfilePoint){ .x = x, .y = y, .hasThrough = true, .throughX = throughX, .throughY = throughY };
}

static void makeRevolved(crRandom* random, int which, double a, crProfileCase* out)
{
  double u = crRandom_Uniform(random, 0.2, 0.9), v = crRandom_Uniform(random, 0.2, 0.9), R = 0.3 * a * u;
  crProfilePoint* p = out->points;
  switch (which) {
    case 0: // outer ring with a raceway: the arc bulges away from the axis
      p[0] = at(a, -0.5 * a), p[1] = at(1.6 * a, -0.5 * a), p[2] = at(1.6 * a, 0.5 * a), p[3] = at(a, 0.5 * a);
      p[4] = at(a, 0.9 * v * R), p[5] = arcTo(a, -0.9 * v * R, -R);
      setPoints(out, "outer ring", cr_shapeRevolved, 6);
      break;
    case 1: // inner ring
      p[0] = at(0.6 * a, -0.5 * a), p[1] = at(a, -0.5 * a), p[2] = at(a, -v * R), p[3] = arcTo(a, v * R, -R);
      p[4] = at(a, 0.5 * a), p[5] = at(0.6 * a, 0.5 * a);
      setPoints(out, "inner ring", cr_shapeRevolved, 6);
      break;
    case 2: // bowl of some thickness
      p[0] = at(0.0, -a), p[1] = arcTo(a, 0.0, a), p[2] = at(u * a, 0.0), p[3] = arcTo(0.0, -u * a, -u * a);
      setPoints(out, "bowl", cr_shapeRevolved, 4);
      break;
    case 3: // torus
      p[0] = at(a + R, 0.0), p[1] = arcTo(a - R, 0.0, R), p[2] = at(a - R, 0.0);
      p[1] = through(a - R, 0.0, a, R), p[0] = through(a + R, 0.0, a, -R);
      setPoints(out, "torus", cr_shapeRevolved, 2);
      out->def.as.revolved.profile.isTurnedOut = u > 0.5;
      break;
    case 4: // pulley with a groove
      p[0] = at(0.0, -0.5 * a), p[1] = at(a, -0.5 * a), p[2] = at(a, -0.4 * v * a), p[3] = at((1.0 - 0.6 * u) * a, 0.0);
      p[4] = at(a, 0.4 * v * a), p[5] = at(a, 0.5 * a), p[6] = at(0.0, 0.5 * a);
      setPoints(out, "pulley", cr_shapeRevolved, 7);
      break;
    default: // funnel with an arc that is nearly straight
      p[0] = at(0.1 * a, 0.0), p[1] = at(1.2 * a, 0.0), p[2] = at(1.2 * a, a), p[3] = at(a, a);
      p[0] = arcTo(0.1 * a, 0.0, 1e3 * a * (u > 0.5 ? 1.0 : -1.0));
      setPoints(out, "funnel", cr_shapeRevolved, 4);
      break;
  }
}

static void makeExtruded(crRandom* random, int which, double a, crProfileCase* out)
{
  double u = crRandom_Uniform(random, 0.2, 0.9), v = crRandom_Uniform(random, 0.2, 0.9);
  crProfilePoint* p = out->points;
  if (which == 0) { // channel
    p[0] = at(-a, -a), p[1] = at(a, -a), p[2] = at(a, a), p[3] = at(u * a, a), p[4] = arcTo(-u * a, a, -a * (u + v));
    p[5] = at(-a, a);
    setPoints(out, "channel", cr_shapeExtruded, 6);
  } else if (which == 1) { // cam, clockwise
    p[0] = at(-a, 0.0), p[1] = through(a, 0.0, 0.0, a * (0.5 + u)), p[2] = at(v * a, -2.0 * a),
    p[3] = at(-v * a, -2.0 * a);
    setPoints(out, "cam", cr_shapeExtruded, 4);
  } else { // a step with a fillet
    p[0] = at(-a, -a), p[1] = at(a, -a), p[2] = at(a, 0.0), p[3] = at(u * a, 0.0);
    p[4] = arcTo(0.0, u * a, -u * a), p[5] = at(0.0, a), p[6] = at(-a, a);
    setPoints(out, "step", cr_shapeExtruded, 7);
  }
  out->def.as.extruded.length = a * crRandom_Uniform(random, 0.3, 3.0);
}

static void makeRoom(crRandom* random, int which, double a, crProfileCase* out)
{
  double u = crRandom_Uniform(random, 0.2, 0.9);
  static const crShapeKind kinds[] = { cr_shapeSphere, cr_shapeCylinder, cr_shapeCone, cr_shapeBox };
  out->def = crDefaultShapeDef(kinds[which]);
  out->def.isHollow = true;
  out->name = "room";
  switch (which) {
    case 0: out->def.as.sphere.radius = a; break;
    case 1:
      out->def.as.cylinder.radius = a;
      out->def.as.cylinder.length = 3.0 * u * a;
      break;
    case 2:
      out->def.as.cone.radius = a;
      out->def.as.cone.topRadius = u * a;
      out->def.as.cone.length = 2.0 * u * a;
      break;
    default: out->def.as.box.size = crMakeVec3(a, 2.0 * u * a, 3.0 * a); break;
  }
}

void crMakeProfileCase(crRandom* random, double size, crProfileCase* out)
{
  int which = (int)(crRandom_Next(random) % 13);
  if (which < 6) {
    makeRevolved(random, which, size, out);
  } else if (which < 9) {
    makeExtruded(random, which - 6, size, out);
  } else {
    makeRoom(random, which - 9, size, out);
  }
}

// ---------------------------------------------------------------------------------------------- compare

// x is a point of the ball's centre in the frame of the shape. Inside an extruded or hollow solid a depth is a bound.
static double compareOne(crRandom* random, const crProfileCase* which, const crShape* shape, const crShape* ball,
                         double r, double size)
{
  crVec3 x = crScale(size * crRandom_Uniform(random, 0.0, 2.5), crRandom_UnitVec3(random));
  if (crRandom_Next(random) % 8 == 0) { // on the axis
    x.x = x.y = 0.0;
  }
  crPose X_WA = { crIdentityMat3(), x }, X_WB = crIdentityPose();
  crDistance d;
  if (crRandom_Next(random) % 2 == 0) { // near the surface
    crComputeDistance(ball, &X_WA, shape, &X_WB, NULL, &d);
    X_WA.p = crMulAdd(x, d.distance * crRandom_Uniform(random, 0.9, 1.0), d.normal);
  }
  if (crComputeDistance(ball, &X_WA, shape, &X_WB, NULL, &d) != cr_ok) {
    return HUGE_VAL;
  }
  double truth = crComputeProfileTruth(which, X_WA.p, r), reach = crShape_GetReach(shape);
  double scale = (isfinite(reach) ? reach : 3.0 * size) + r + crLength(X_WA.p);
  return fabs(d.distance - truth) / scale;
}

double crCompareProfiles(uint64_t seed, int count)
{
  crRandom random = crMakeRandom(seed);
  double worst = 0.0;
  for (int done = 0; done < count;) {
    crProfileCase which;
    double size = crRandom_LogUniform(&random, 1e-4, 1e2), r = size * crRandom_LogUniform(&random, 0.01, 1.0);
    crMakeProfileCase(&random, size, &which);
    crShapeDef sphere = crDefaultShapeDef(cr_shapeSphere);
    sphere.as.sphere.radius = r;
    crShape *shape = NULL, *ball = NULL;
    if (crCreateShape(&which.def, NULL, NULL, &shape) != cr_ok || crCreateShape(&sphere, NULL, NULL, &ball) != cr_ok) {
      printf("%s of size %g cannot be made\n", which.name, size);
      worst = HUGE_VAL;
    }
    for (int i = 0; i < 20 && shape != NULL && ball != NULL; ++i, ++done) {
      double error = compareOne(&random, &which, shape, ball, r, size);
      if (error > 1e-13) {
        printf("%s of size %g, ball %g: error %.3g of the scale\n", which.name, size, r, error);
      }
      worst = fmax(worst, error);
    }
    done += shape == NULL;
    crDestroyShape(shape);
    crDestroyShape(ball);
  }
  return worst;
}
