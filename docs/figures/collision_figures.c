// Draws the pictures of docs/collision.md as SVG files into the folder given as argument. Everything in them comes from
// the library: outlines from support maps, portals and simplices from supports of the Minkowski difference in the
// plane, distances from crComputeDistance.
#include "carom/collide.h"

#include <stdio.h>
#include <stdlib.h>

#define OUTLINE 720 // directions around an outline
#define STEPS 6

typedef struct Point {
  double x, y;
} Point;

typedef struct Drawing {
  FILE* file;
  double scale, x0, y0; // user units to pixels; y up
} Drawing;

static crShape* makeShape(crShapeDef def)
{
  crShape* shape = NULL;
  if (crCreateShape(&def, NULL, NULL, &shape) != cr_ok) {
    fputs("a shape cannot be made\n", stderr);
    exit(1);
  }
  return shape;
}

// ----------------------------------------------------------------------------------------------- svg

static Drawing begin(const char* folder, const char* name, int width, int height, double scale, double x0, double y0)
{
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  Drawing d = { fopen(path, "w"), scale, x0, y0 };
  if (d.file == NULL) {
    perror(path);
    exit(1);
  }
  fprintf(d.file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
          "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
          width, height, width, height);
  return d;
}

static void finish(Drawing* d)
{
  fputs("</svg>\n", d->file);
  if (fclose(d->file) != 0) {
    perror("figure");
    exit(1);
  }
}

static Point toPixels(const Drawing* d, Point p)
{
  return (Point){ d->x0 + d->scale * p.x, d->y0 - d->scale * p.y };
}

static void line(Drawing* d, Point a, Point b, const char* style)
{
  Point p = toPixels(d, a), q = toPixels(d, b);
  fprintf(d->file, "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\" %s/>\n", p.x, p.y, q.x, q.y, style);
}

static void dot(Drawing* d, Point a, double radius, const char* style)
{
  Point p = toPixels(d, a);
  fprintf(d->file, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.1f\" %s/>\n", p.x, p.y, radius, style);
}

static void label(Drawing* d, Point a, double dx, double dy, const char* text)
{
  Point p = toPixels(d, a);
  fprintf(d->file, "<text x=\"%.2f\" y=\"%.2f\">%s</text>\n", p.x + dx, p.y + dy, text);
}

// ------------------------------------------------------------------------------------------- support

// The farthest point of B - A along (x, y), both shapes seen in the plane z = 0 of the world.
static Point support(const crShape* a, crVec3 pa, const crShape* b, crVec3 pb, double x, double y)
{
  crVec3 d = crMakeVec3(x, y, 0.0);
  crVec3 w = crAdd(pb, crShape_ComputeSupport(b, d));
  if (a != NULL) {
    w = crSub(w, crAdd(pa, crShape_ComputeSupport(a, crNeg(d))));
  }
  return (Point){ w.x, w.y };
}

static void outline(Drawing* d, const crShape* a, crVec3 pa, const crShape* b, crVec3 pb, const char* style)
{
  fputs("<polygon points=\"", d->file);
  for (int i = 0; i < OUTLINE; ++i) {
    double angle = 2.0 * CR_PI * (i + 0.5) / OUTLINE;
    Point p = toPixels(d, support(a, pa, b, pb, cos(angle), sin(angle)));
    fprintf(d->file, "%.2f,%.2f ", p.x, p.y);
  }
  fprintf(d->file, "\" %s/>\n", style);
}

// ------------------------------------------------------------------------------------------ rounding

static void drawRounding(const char* folder)
{
  crShapeDef def = crDefaultShapeDef(cr_shapeBox);
  def.as.box.size = crMakeVec3(4.0, 2.4, 2.4);
  def.rounding = 0.24;
  crShape* rounded = makeShape(def);
  def.rounding = CR_ZERO;
  crShape* sharp = makeShape(def);
  def.as.box.size = crMakeVec3(4.0 - 0.48, 2.4 - 0.48, 2.4 - 0.48);
  crShape* core = makeShape(def);
  crVec3 o = { 0.0, 0.0, 0.0 };
  Drawing d = begin(folder, "rounding.svg", 520, 320, 90.0, 230.0, 160.0);
  outline(&d, NULL, o, sharp, o, "fill=\"none\" stroke=\"#999\" stroke-dasharray=\"5 4\"");
  outline(&d, NULL, o, rounded, o, "fill=\"#cfe3f7\" stroke=\"#1f5fa8\" stroke-width=\"2\"");
  outline(&d, NULL, o, core, o, "fill=\"#9cc3ea\" stroke=\"#1f5fa8\"");
  Point corner = { 2.0 - 0.24, 1.2 - 0.24 };
  dot(&d, corner, 0.24 * 90.0, "fill=\"none\" stroke=\"#c0392b\"");
  dot(&d, corner, 3.0, "fill=\"#c0392b\"");
  label(&d, (Point){ 2.1, 1.15 }, 0, 0, "given size");
  label(&d, (Point){ -0.45, 0.0 }, 0, 4, "core");
  label(&d, corner, 12, 34, "rounding");
  finish(&d);
  crDestroyShape(rounded);
  crDestroyShape(sharp);
  crDestroyShape(core);
}

// -------------------------------------------------------------------------------------------- portal

static double cross(Point a, Point b)
{
  return a.x * b.y - a.y * b.x;
}

static Point minus(Point a, Point b)
{
  return (Point){ a.x - b.x, a.y - b.y };
}

// In the plane a portal is an edge v1 v2 that the ray from v0 to the origin passes through.
static void drawPortal(const char* folder)
{
  crShapeDef ellipsoid = crDefaultShapeDef(cr_shapeEllipsoid);
  ellipsoid.as.ellipsoid.radii = crMakeVec3(1.3, 0.8, 0.8);
  crShapeDef box = crDefaultShapeDef(cr_shapeBox);
  box.as.box.size = crMakeVec3(1.2, 1.0, 1.0);
  box.rounding = CR_ZERO;
  crShape *a = makeShape(box), *b = makeShape(ellipsoid);
  crVec3 pa = { 0.0, 0.0, 0.0 }, pb = { 1.1, 0.75, 0.0 };
  Drawing d = begin(folder, "portal.svg", 620, 420, 95.0, 190.0, 290.0);
  outline(&d, a, pa, b, pb, "fill=\"#f3f3f3\" stroke=\"#666\" stroke-width=\"1.5\"");
  Point v0 = { pb.x - pa.x, pb.y - pa.y }, origin = { 0.0, 0.0 };
  double length = sqrt(v0.x * v0.x + v0.y * v0.y);
  Point end = { -1.9 * v0.x / length, -1.9 * v0.y / length };
  line(&d, v0, end, "stroke=\"#c0392b\" stroke-dasharray=\"6 4\"");
  Point v1 = support(a, pa, b, pb, -v0.x, -v0.y);
  Point ray = minus(origin, v0);
  bool isLeft = cross(ray, minus(v1, v0)) > 0.0; // then the other end lies to the right of the ray
  Point v2 = support(a, pa, b, pb, isLeft ? ray.y : -ray.y, isLeft ? -ray.x : ray.x);
  for (int step = 1; step <= STEPS; ++step) {
    char style[128], text[16];
    snprintf(style, sizeof style, "stroke=\"#1f5fa8\" stroke-width=\"%.1f\" opacity=\"%.2f\"", 1.0 + 0.5 * step,
             0.25 + 0.75 * step / STEPS);
    line(&d, v1, v2, style);
    snprintf(text, sizeof text, "%d", step);
    label(&d, (Point){ 0.4 * v1.x + 0.6 * v2.x, 0.4 * v1.y + 0.6 * v2.y }, 4, -6, step <= 2 ? text : "");
    // outward normal of the edge: away from v0
    Point e = minus(v2, v1), n = { e.y, -e.x };
    if (n.x * (v1.x - v0.x) + n.y * (v1.y - v0.y) < 0.0) {
      n = (Point){ -n.x, -n.y };
    }
    Point v3 = support(a, pa, b, pb, n.x, n.y);
    if (n.x * (v3.x - v1.x) + n.y * (v3.y - v1.y) < 1e-9) {
      break;
    }
    dot(&d, v3, 3.5, "fill=\"#1f5fa8\"");
    // keep the half that the ray passes through
    bool isBetween = cross(ray, minus(v1, v0)) * cross(ray, minus(v3, v0)) < 0.0;
    *(isBetween ? &v2 : &v1) = v3;
  }
  dot(&d, v0, 4.0, "fill=\"#c0392b\"");
  label(&d, v0, 8, -6, "v0, between the centres");
  dot(&d, origin, 4.0, "fill=\"black\"");
  label(&d, origin, 8, -6, "origin");
  label(&d, (Point){ 1.9, 1.5 }, 0, 0, "M = B - A");
  finish(&d);
  crDestroyShape(a);
  crDestroyShape(b);
}

// -------------------------------------------------------------------------------------------- bounds

// The point of the segment p q nearest to the origin.
static Point nearest(Point p, Point q)
{
  Point e = minus(q, p);
  double square = e.x * e.x + e.y * e.y;
  double t = square > 0.0 ? -(p.x * e.x + p.y * e.y) / square : 0.0;
  t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
  return (Point){ p.x + t * e.x, p.y + t * e.y };
}

// Bounds on the distance of two ellipses while the simplex nearest to the origin is refined, beside the library's
// answer, whose second-order refinement needs a handful of supports.
static void drawBounds(const char* folder)
{
  crShapeDef def = crDefaultShapeDef(cr_shapeEllipsoid);
  def.as.ellipsoid.radii = crMakeVec3(1.0, 0.5, 0.5);
  crShape *a = makeShape(def), *b = makeShape(def);
  crPose X_WA = crIdentityPose(), X_WB = crIdentityPose();
  X_WB.p = crMakeVec3(2.2, 1.1, 0.0);
  crDistance exact;
  if (crComputeDistance(a, &X_WA, b, &X_WB, NULL, &exact) != cr_ok) {
    exit(1);
  }
  // x: step, y: log10 of the width of the bounds
  Drawing d = begin(folder, "bounds.svg", 560, 340, 1.0, 70.0, 30.0);
  const double stepWidth = 42.0, decade = 17.0;
  for (int k = 0; k >= -15; k -= 3) {
    char text[16];
    snprintf(text, sizeof text, "1e%d", k);
    line(&d, (Point){ 0, k * decade }, (Point){ 11 * stepWidth, k * decade }, "stroke=\"#ddd\"");
    label(&d, (Point){ -45, k * decade }, 0, 4, text);
  }
  Point v = { X_WB.p.x, X_WB.p.y }, simplex[2] = { v, v }, last = { 0, 0 };
  for (int step = 0; step <= 11; ++step) {
    double upper = sqrt(v.x * v.x + v.y * v.y);
    Point w = support(a, X_WA.p, b, X_WB.p, -v.x, -v.y);
    double lower = (v.x * w.x + v.y * w.y) / upper;
    double width = upper - lower > 1e-15 ? upper - lower : 1e-15;
    Point at = { step * stepWidth, log10(width) * decade };
    if (step > 0) {
      line(&d, last, at, "stroke=\"#1f5fa8\" stroke-width=\"1.5\"");
    }
    dot(&d, at, 3.5, "fill=\"#1f5fa8\"");
    last = at;
    Point p = nearest(simplex[0], w), q = nearest(simplex[1], w);
    bool isFirst = p.x * p.x + p.y * p.y <= q.x * q.x + q.y * q.y;
    v = isFirst ? p : q;
    simplex[isFirst ? 1 : 0] = w;
  }
  double width = exact.upperBound - exact.lowerBound;
  Point at = { exact.iterations * stepWidth, log10(width) * decade };
  dot(&d, at, 5.0, "fill=\"#c0392b\"");
  label(&d, at, -345, 4, "crComputeDistance: supports used, width of its bounds");
  label(&d, (Point){ 0, -16.8 * decade }, 0, 0, "supports of M; width of the bounds on the distance [m]");
  finish(&d);
  crDestroyShape(a);
  crDestroyShape(b);
}

int main(int argc, char** argv)
{
  if (argc != 2) {
    fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  drawRounding(argv[1]);
  drawPortal(argv[1]);
  drawBounds(argv[1]);
  return 0;
}
