// Convex hulls against exact integer arithmetic, closed forms and brute force.
#include "support/hulls.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_POINTS 20000

static crVec3 points[MAX_POINTS];

// ------------------------------------------------------------------------------------ exact brute force

typedef struct IntVec {
  long x, y, z;
} IntVec;

static IntVec intSub(IntVec a, IntVec b)
{
  return (IntVec){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static IntVec intCross(IntVec a, IntVec b)
{
  return (IntVec){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static long intDot(IntVec a, IntVec b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static long gcd(long a, long b)
{
  a = labs(a);
  b = labs(b);
  while (b != 0) {
    long rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

typedef struct IntPlane {
  IntVec n;
  long d;
} IntPlane;

// Every plane through three points that has all points on one side; normals outward and reduced.
static int findPlanes(const IntVec* list, int count, IntPlane* planes)
{
  int planeCount = 0;
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j) {
      for (int k = j + 1; k < count; ++k) {
        IntVec n = intCross(intSub(list[j], list[i]), intSub(list[k], list[i]));
        long g = gcd(gcd(n.x, n.y), n.z);
        if (g == 0) {
          continue;
        }
        n = (IntVec){ n.x / g, n.y / g, n.z / g };
        bool hasAbove = false, hasBelow = false;
        for (int l = 0; l < count && !(hasAbove && hasBelow); ++l) {
          long side = intDot(n, intSub(list[l], list[i]));
          hasAbove = hasAbove || side > 0;
          hasBelow = hasBelow || side < 0;
        }
        if (hasAbove && hasBelow) {
          continue;
        }
        IntPlane plane = { hasAbove ? (IntVec){ -n.x, -n.y, -n.z } : n, 0 };
        plane.d = intDot(plane.n, list[i]);
        bool isKnown = false;
        for (int p = 0; p < planeCount; ++p) {
          isKnown = isKnown || memcmp(&planes[p], &plane, sizeof plane) == 0;
        }
        if (!isKnown) {
          planes[planeCount++] = plane;
        }
      }
    }
  }
  return planeCount;
}

// A point is a vertex when the normals of the planes through it span the space.
static bool isVertex(IntVec p, const IntPlane* planes, int planeCount)
{
  for (int i = 0; i < planeCount; ++i) {
    for (int j = i + 1; j < planeCount; ++j) {
      for (int k = j + 1; k < planeCount; ++k) {
        if (intDot(planes[i].n, p) == planes[i].d && intDot(planes[j].n, p) == planes[j].d &&
            intDot(planes[k].n, p) == planes[k].d && intDot(planes[i].n, intCross(planes[j].n, planes[k].n)) != 0) {
          return true;
        }
      }
    }
  }
  return false;
}

static void compareWithIntegers(const IntVec* list, int count)
{
  static IntPlane planes[4000];
  int planeCount = findPlanes(list, count, planes);
  for (int i = 0; i < count; ++i) {
    points[i] = crMakeVec3((double)list[i].x, (double)list[i].y, (double)list[i].z);
  }
  crHull* hull = crMakeTestHull(points, count);
  crCheckHull(hull, 1e-14);
  assert_int_equal(hull->faceCount, planeCount);
  int v = 0;
  for (int i = 0; i < count; ++i) {
    bool isFirst = true;
    for (int j = 0; j < i; ++j) {
      isFirst = isFirst && memcmp(&list[i], &list[j], sizeof *list) != 0;
    }
    if (isFirst && isVertex(list[i], planes, planeCount)) {
      assert_true(v < hull->vertexCount);
      assert_vec_close(hull->vertices[v], points[i], 0.0);
      ++v;
    }
  }
  assert_int_equal(v, hull->vertexCount);
  crDestroyHull(hull, NULL);
}

static void hull_of_integer_points_is_exact(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(7);
  IntVec list[40];
  // small ranges bring many coplanar, collinear and equal points
  static const int ranges[] = { 2, 3, 5, 9, 1000 };
  for (int trial = 0; trial < 250; ++trial) {
    int range = ranges[trial % 5], count = 8 + (int)(crRandom_Next(&random) % 20);
    for (int i = 0; i < count; ++i) {
      list[i].x = (long)(crRandom_Next(&random) % (uint64_t)range);
      list[i].y = (long)(crRandom_Next(&random) % (uint64_t)range);
      list[i].z = (long)(crRandom_Next(&random) % (uint64_t)range);
    }
    // a tetrahedron more, so that none is flat
    list[count++] = (IntVec){ 0, 0, 0 };
    list[count++] = (IntVec){ range, 0, 0 };
    list[count++] = (IntVec){ 0, range, 0 };
    list[count++] = (IntVec){ 0, 0, range };
    compareWithIntegers(list, count);
  }
}

static void whole_lattice_has_the_corners_of_its_box(void** state)
{
  (void)state;
  int count = 0;
  for (int i = 0; i < 10 * 10 * 10; ++i) {
    points[count++] = crMakeVec3(i % 10 * 0.1, i / 10 % 10 * 0.2, i / 100 * 0.3);
  }
  crHull* hull = crMakeTestHull(points, count);
  crCheckHull(hull, 1e-15);
  assert_int_equal(hull->vertexCount, 8);
  assert_int_equal(hull->faceCount, 6);
  crDestroyHull(hull, NULL);
}

// -------------------------------------------------------------------------------------- known bodies

static void box_has_six_faces_of_four_vertices_at_any_size_and_place(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(1);
  static const double sizes[] = { 1e-6, 1e-3, 1.0, 1e3 };
  static const double places[] = { 0.0, 1.0, 1e3 };
  for (int trial = 0; trial < 600; ++trial) {
    double size = sizes[trial % 4], place = places[trial / 4 % 3] * size;
    crVec3 half = { size, size * crRandom_Uniform(&random, 0.01, 1.0), size * crRandom_Uniform(&random, 0.001, 1.0) };
    crPose X = crMakePose(crScale(place, crRandom_UnitVec3(&random)), crRandom_Rotation(&random));
    int count = crListBoxCorners(points, half, X);
    crHull* hull = crMakeTestHull(points, count);
    crCheckHull(hull, 1e-15 * (1.0 + place / size) * 8.0);
    crCheckHullVertices(hull, points, count);
    crCheckHullHolds(hull, points, count, 1e-15 * (1.0 + place / size));
    assert_int_equal(hull->vertexCount, 8);
    assert_int_equal(hull->faceCount, 6);
    for (int f = 0; f < 6; ++f) {
      assert_int_equal(hull->faceStarts[f + 1] - hull->faceStarts[f], 4);
    }
    double width = 2.0 * fmin(half.x, fmin(half.y, half.z));
    assert_close(crHull_ComputeWidth(hull), width, 2e-15 * size * (1.0 + place / size) * 8.0);
    crDestroyHull(hull, NULL);
  }
}

static void prism_with_many_sides_keeps_its_two_flat_ends(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(3);
  for (int sides = 3; sides <= 200; sides += 7) {
    crPose X = crMakePose(crRandom_UnitVec3(&random), crRandom_Rotation(&random));
    for (int i = 0; i < 2 * sides; ++i) {
      double angle = 2.0 * CR_PI * (i % sides) / sides;
      points[i] = crTransformPoint(X, crMakeVec3(0.3 * cos(angle), 0.3 * sin(angle), i < sides ? -0.1 : 0.1));
    }
    crHull* hull = crMakeTestHull(points, 2 * sides);
    crCheckHull(hull, 2e-15);
    assert_int_equal(hull->vertexCount, 2 * sides);
    assert_int_equal(hull->faceCount, sides + 2);
    crDestroyHull(hull, NULL);
  }
}

static void dodecahedron_has_twelve_pentagons(void** state)
{
  (void)state;
  double g = 0.5 * (1.0 + sqrt(5.0));
  int count = crListBoxCorners(points, crMakeVec3(1.0, 1.0, 1.0), crIdentityPose());
  for (int i = 0; i < 4; ++i) {
    double a = (i & 1 ? 1.0 : -1.0) / g, b = (i & 2 ? 1.0 : -1.0) * g;
    points[count++] = crMakeVec3(0.0, a, b);
    points[count++] = crMakeVec3(a, b, 0.0);
    points[count++] = crMakeVec3(b, 0.0, a);
  }
  crHull* hull = crMakeTestHull(points, count);
  crCheckHull(hull, 1e-15);
  assert_int_equal(hull->vertexCount, 20);
  assert_int_equal(hull->faceCount, 12);
  double edge = sqrt(5.0) - 1.0;
  crInertia inertia = crHull_ComputeInertia(hull);
  assert_close(inertia.mass, (15.0 + 7.0 * sqrt(5.0)) / 4.0 * pow(edge, 3.0), 1e-13);
  assert_close(crHull_ComputeWidth(hull), 2.0 * edge * sqrt(250.0 + 110.0 * sqrt(5.0)) / 20.0, 1e-14);
  crDestroyHull(hull, NULL);
}

static void points_on_a_sphere_are_all_vertices(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(11);
  static const double sizes[] = { 1e-6, 1.0, 1e3 };
  for (int trial = 0; trial < 3; ++trial) {
    for (int i = 0; i < 500; ++i) {
      points[i] = crScale(sizes[trial], crRandom_UnitVec3(&random));
    }
    crHull* hull = crMakeTestHull(points, 500);
    crCheckHull(hull, 1e-15);
    crCheckHullHolds(hull, points, 500, 1e-15);
    assert_int_equal(hull->vertexCount, 500);
    assert_memory_equal(hull->vertices, points, 500 * sizeof *points);
    crDestroyHull(hull, NULL);
  }
}

static void interior_and_equal_points_vanish(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(5);
  int count = 0;
  for (int i = 0; i < 300; ++i) {
    points[count++] = crScale(0.4, crRandom_UnitVec3(&random));
  }
  int cornerStart = count;
  for (int repeat = 0; repeat < 5; ++repeat) {
    count += crListBoxCorners(points + count, crMakeVec3(0.5, 0.5, 0.5), crIdentityPose());
  }
  // -0 and 0 are the same coordinate
  points[count++] = crMakeVec3(0.5, 0.0, 2.0);
  points[count++] = crMakeVec3(0.5, -0.0, 2.0);
  crHull* hull = crMakeTestHull(points, count);
  crCheckHull(hull, 1e-15);
  assert_int_equal(hull->vertexCount, 9);
  assert_memory_equal(hull->vertices, points + cornerStart, 8 * sizeof *points);
  crDestroyHull(hull, NULL);
}

static void nearly_coplanar_points_neither_fail_nor_stick_out(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(9);
  static const double noises[] = { 0.0, 1e-17, 1e-16, 1e-15, 1e-14, 1e-12, 1e-9, 1e-6 };
  for (int trial = 0; trial < 160; ++trial) {
    double noise = noises[trial % 8];
    crQuat q = trial % 3 == 0 ? crIdentityQuat() : crRandom_Rotation(&random);
    crPose X = crMakePose(crMakeVec3(0.0, 0.0, 0.0), q);
    int count = crListBoxCorners(points, crMakeVec3(0.5, 0.5, 0.5), X);
    for (int i = 0; i < 200; ++i) {
      double c[3];
      for (int k = 0; k < 3; ++k) {
        c[k] = crRandom_Uniform(&random, -0.5, 0.5);
      }
      c[i % 3] = (i % 2 ? 0.5 : -0.5) + crRandom_Uniform(&random, -noise, noise);
      points[count++] = crTransformPoint(X, crMakeVec3(c[0], c[1], c[2]));
    }
    crHull* hull = crMakeTestHull(points, count);
    crCheckHull(hull, 1e-13);
    crCheckHullHolds(hull, points, count, 1e-14);
    crCheckHullVertices(hull, points, count);
    assert_close(crHull_ComputeInertia(hull).mass, 1.0, 1e-12 + 6.0 * noise);
    crDestroyHull(hull, NULL);
  }
}

static void clusters_of_nearly_equal_points_do_not_fail(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(19);
  static const double noises[] = { 1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-11, 1e-9 };
  for (int trial = 0; trial < 140; ++trial) {
    double noise = noises[trial % 7];
    crPose X = crMakePose(crMakeVec3(0.0, 0.0, 0.0), crRandom_Rotation(&random));
    int count = 0;
    for (int repeat = 0; repeat < 12; ++repeat) {
      count += crListBoxCorners(points + count, crMakeVec3(0.5, 0.3, 0.2), X);
      for (int i = count - 8; i < count; ++i) {
        points[i] = crMulAdd(points[i], noise, crRandom_UnitVec3(&random));
      }
    }
    crHull* hull = crMakeTestHull(points, count);
    crCheckHull(hull, 1e-11);
    crCheckHullHolds(hull, points, count, 1e-11);
    assert_close(crHull_ComputeInertia(hull).mass, 0.24, 1e-11 + 4.0 * noise);
    crDestroyHull(hull, NULL);
  }
}

static void thin_bodies_are_hulls_down_to_a_billionth(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(29);
  for (int trial = 0; trial < 60; ++trial) {
    double thickness = pow(10.0, -(trial % 10));
    crQuat q = trial < 20 ? crIdentityQuat() : crRandom_Rotation(&random);
    int count =
        crListBoxCorners(points, crMakeVec3(0.5, 0.5, 0.5 * thickness), crMakePose(crMakeVec3(0.0, 0.0, 0.0), q));
    crHull* hull = crMakeTestHull(points, count);
    assert_int_equal(hull->vertexCount, 8);
    crCheckHullHolds(hull, points, count, 1e-15);
    assert_close(crHull_ComputeWidth(hull), thickness, 1e-15);
    crDestroyHull(hull, NULL);
  }
}

static void same_points_give_the_same_bits_in_any_order_of_calls(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(41);
  for (int i = 0; i < 300; ++i) {
    points[i] = crScale(crRandom_Uniform(&random, 0.9, 1.0), crRandom_UnitVec3(&random));
  }
  crHull* first = crMakeTestHull(points, 300);
  crDestroyHull(crMakeTestHull(points, 150), NULL);
  crHull* second = crMakeTestHull(points, 300);
  assert_int_equal(first->byteCount, second->byteCount);
  size_t arrays = first->byteCount - sizeof *first;
  assert_memory_equal(first + 1, second + 1, arrays);
  crDestroyHull(first, NULL);
  crDestroyHull(second, NULL);
}

// ------------------------------------------------------------------------------------------- queries

static void support_is_the_farthest_vertex_and_the_lowest_among_equals(void** state)
{
  (void)state;
  int count = crListBoxCorners(points, crMakeVec3(1.0, 2.0, 3.0), crIdentityPose());
  crHull* hull = crMakeTestHull(points, count);
  assert_int_equal(crHull_FindSupport(hull, crMakeVec3(1.0, 0.0, 0.0)), 1);
  assert_int_equal(crHull_FindSupport(hull, crMakeVec3(-1.0, 0.0, 0.0)), 0);
  assert_int_equal(crHull_FindSupport(hull, crMakeVec3(0.0, 1.0, 0.0)), 2);
  assert_int_equal(crHull_FindSupport(hull, crMakeVec3(0.0, 0.0, 0.0)), 0);
  assert_int_equal(crHull_FindSupport(hull, crMakeVec3(0.1, 0.1, 0.1)), 7);
  crDestroyHull(hull, NULL);
}

static void copy_is_independent_of_the_original(void** state)
{
  (void)state;
  int count = crListBoxCorners(points, crMakeVec3(1.0, 2.0, 3.0), crIdentityPose());
  crHull* hull = crMakeTestHull(points, count);
  size_t size = hull->byteCount;
  void* block = malloc(size);
  crHull* copy = crHull_CopyTo(hull, block);
  memset(hull->vertices, 0, 8 * sizeof *hull->vertices);
  crDestroyHull(hull, NULL);
  crCheckHull(copy, 1e-15);
  assert_true((char*)copy->neighbours + (size_t)copy->neighbourCount * sizeof(int32_t) <= (char*)block + size);
  assert_close(crHull_ComputeInertia(copy).mass, 48.0, 1e-13);
  free(block);
}

// Width by trying every vertex for every face.
static void width_agrees_with_brute_force(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(53);
  for (int trial = 0; trial < 40; ++trial) {
    for (int i = 0; i < 60; ++i) {
      points[i] = crScale(crRandom_Uniform(&random, 0.5, 1.0), crRandom_UnitVec3(&random));
      points[i].z *= trial % 2 ? 1e-3 : 1.0;
    }
    crHull* hull = crMakeTestHull(points, 60);
    double width = HUGE_VAL;
    for (int f = 0; f < hull->faceCount; ++f) {
      double deepest = 0.0;
      for (int v = 0; v < hull->vertexCount; ++v) {
        deepest = fmax(deepest, hull->offsets[f] - crDot(hull->normals[f], hull->vertices[v]));
      }
      width = fmin(width, deepest);
    }
    assert_close(crHull_ComputeWidth(hull), width, 1e-15);
    crDestroyHull(hull, NULL);
  }
}

// Tetrahedron with a corner in the origin and legs a, b, c along the axes:
// V = abc/6, com = (a, b, c)/4, I_xx = V (b^2 + c^2) 3/80, I_xy = V ab/80.
static void inertia_of_a_tetrahedron_is_exact_far_from_the_origin(void** state)
{
  (void)state;
  double a = 0.3, b = 0.5, c = 0.7, V = a * b * c / 6.0;
  static const double places[] = { 0.0, 1.0, 1e3 };
  for (int trial = 0; trial < 3; ++trial) {
    // the place is a multiple of the last bit of 1e3, the legs are rounded to it, so that nothing is lost
    double d = places[trial];
    volatile double fa = d + a, fb = d + b, fc = d + c;
    double ea = fa - d, eb = fb - d, ec = fc - d;
    crVec3 list[4] = { { d, d, d }, { fa, d, d }, { d, fb, d }, { d, d, fc } };
    crHull* hull = crMakeTestHull(list, 4);
    crInertia inertia = crHull_ComputeInertia(hull);
    double Ve = ea * eb * ec / 6.0;
    assert_close(inertia.mass, Ve, 1e-15 * V * 8.0);
    assert_vec_close(inertia.com, crMakeVec3(d + ea / 4.0, d + eb / 4.0, d + ec / 4.0), 1e-15 * (1.0 + d));
    assert_close(inertia.I_com.xx, Ve * (eb * eb + ec * ec) * 3.0 / 80.0, 1e-14 * V);
    assert_close(inertia.I_com.yy, Ve * (ea * ea + ec * ec) * 3.0 / 80.0, 1e-14 * V);
    assert_close(inertia.I_com.zz, Ve * (ea * ea + eb * eb) * 3.0 / 80.0, 1e-14 * V);
    assert_close(inertia.I_com.xy, Ve * ea * eb / 80.0, 1e-14 * V);
    assert_close(inertia.I_com.xz, Ve * ea * ec / 80.0, 1e-14 * V);
    assert_close(inertia.I_com.yz, Ve * eb * ec / 80.0, 1e-14 * V);
    crDestroyHull(hull, NULL);
  }
}

static void inertia_of_a_turned_box_is_the_turned_inertia(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(61);
  crVec3 half = { 0.1, 0.2, 0.4 };
  double V = 8.0 * half.x * half.y * half.z;
  crInertia box = { V,
                    { 0.0, 0.0, 0.0 },
                    crDiagonalSym3(V / 3.0 * (half.y * half.y + half.z * half.z),
                                   V / 3.0 * (half.x * half.x + half.z * half.z),
                                   V / 3.0 * (half.x * half.x + half.y * half.y)) };
  for (int trial = 0; trial < 20; ++trial) {
    crPose X = crMakePose(crScale(trial % 2 ? 1.0 : 0.0, crRandom_UnitVec3(&random)), crRandom_Rotation(&random));
    crHull* hull = crMakeTestHull(points, crListBoxCorners(points, half, X));
    crInertia found = crHull_ComputeInertia(hull), truth = crTransformInertia(X, box);
    assert_close(found.mass, truth.mass, 1e-15);
    assert_vec_close(found.com, truth.com, 1e-15);
    assert_close(found.I_com.xx, truth.I_com.xx, 1e-15);
    assert_close(found.I_com.yz, truth.I_com.yz, 1e-15);
    crDestroyHull(hull, NULL);
  }
}

// ----------------------------------------------------------------------------------------- bad input

typedef struct BadCase {
  int count;
  crVec3 list[7];
  const char* message;
} BadCase;

static void bad_points_are_reported(void** state)
{
  (void)state;
  static const BadCase cases[] = {
    { 0, { { 0 } }, "the hull has too few different points" },
    { 3, { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } }, "the hull has too few different points" },
    { 5,
      { { 1, 2, 3 }, { 1, 2, 3 }, { 1, 2, 3 }, { 1, 2, 3 }, { 1, 2, 3 } },
      "all points of the hull are in one place" },
    { 5,
      { { 1, 1, 1 }, { 2, 2, 2 }, { 3, 3, 3 }, { 4, 4, 4 }, { 9, 9, 9 } },
      "all points of the hull are on one line" },
    { 5,
      { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 }, { 5, 3, 0 } },
      "all points of the hull are in one plane" },
    { 5,
      { { 0.1, 0.2, 0.7 }, { 0.3, 0.3, 0.4 }, { 0.5, 0.1, 0.4 }, { -0.2, 0.5, 0.7 }, { 0.25, 0.25, 0.5 } },
      "all points of the hull are in one plane" },
    { 4, { { 0, 0, 0 }, { 1, 0, 0 }, { 0, NAN, 0 }, { 0, 0, INFINITY } }, "point 3 of the hull is not finite" },
    { 4, { { 0, 0, 0 }, { 1e200, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, "the extent of the hull cannot be computed with" },
    { 4,
      { { 0, 0, 0 }, { 1e-200, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } },
      "the extent of the hull cannot be computed with" },
    // needles, found by trying random points that are near each other or far away
    { 5,
      { { 0.36019881600104181, -0.79975511180884595, 0.48026638481470196 },
        { 0.36019863958990583, -0.79975195080103723, 0.48026355598045123 },
        { -0.36019858867119681, 0.79975460656171304, -0.48026608170674706 },
        { -0.36019693674382991, 0.79975093878122872, -0.48026387913196761 },
        { 0.36020008193095809, -0.79975515940818143, 0.48026547910460271 } },
      "the faces of the hull are too small to be computed with" },
    { 7,
      { { 5416362.5143581107, -3868830.9113591984, 29789992.330835175 },
        { 5416361.7943580393, -3868829.3113590386, 29789991.370835081 },
        { 5416362.5153537747, -3868830.9098636359, 29789992.332580041 },
        { 5416361.7943579592, -3868829.3113588598, 29789991.370834973 },
        { 5416361.7943581082, -3868829.3113591895, 29789991.370835174 },
        { 5416361.7955541611, -3868829.3098638095, 29789991.372429911 },
        { 5416361.7953537609, -3868829.3098636102, 29789991.372580025 } },
      "the convex hull of 7 points could not be computed: they are flat within rounding" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    crErrorLog* log = crCreateErrorLog(NULL);
    crErrorSink sink = crErrorLog_GetSink(log);
    crHull* hull = (crHull*)1;
    assert_int_equal(crCreateHull(cases[i].list, cases[i].count, NULL, &sink, &hull), cr_errorModel);
    assert_null(hull);
    assert_true(crErrorLog_Count(log) >= 1);
    assert_string_equal(crErrorLog_Get(log, 0)->message, cases[i].message);
    crDestroyErrorLog(log);
  }
}

static void every_bad_point_counts_but_few_are_named(void** state)
{
  (void)state;
  for (int i = 0; i < 100; ++i) {
    points[i] = crMakeVec3(NAN, 0.0, 0.0);
  }
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crHull* hull;
  assert_int_equal(crCreateHull(points, 100, NULL, &sink, &hull), cr_errorModel);
  assert_int_equal(crErrorLog_Count(log), 9);
  assert_string_equal(crErrorLog_Get(log, 8)->message, "92 more points of the hull are not finite");
  crDestroyErrorLog(log);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(hull_of_integer_points_is_exact),
    cmocka_unit_test(whole_lattice_has_the_corners_of_its_box),
    cmocka_unit_test(box_has_six_faces_of_four_vertices_at_any_size_and_place),
    cmocka_unit_test(prism_with_many_sides_keeps_its_two_flat_ends),
    cmocka_unit_test(dodecahedron_has_twelve_pentagons),
    cmocka_unit_test(points_on_a_sphere_are_all_vertices),
    cmocka_unit_test(interior_and_equal_points_vanish),
    cmocka_unit_test(nearly_coplanar_points_neither_fail_nor_stick_out),
    cmocka_unit_test(clusters_of_nearly_equal_points_do_not_fail),
    cmocka_unit_test(thin_bodies_are_hulls_down_to_a_billionth),
    cmocka_unit_test(same_points_give_the_same_bits_in_any_order_of_calls),
    cmocka_unit_test(support_is_the_farthest_vertex_and_the_lowest_among_equals),
    cmocka_unit_test(copy_is_independent_of_the_original),
    cmocka_unit_test(width_agrees_with_brute_force),
    cmocka_unit_test(inertia_of_a_tetrahedron_is_exact_far_from_the_origin),
    cmocka_unit_test(inertia_of_a_turned_box_is_the_turned_inertia),
    cmocka_unit_test(bad_points_are_reported),
    cmocka_unit_test(every_bad_point_counts_but_few_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
