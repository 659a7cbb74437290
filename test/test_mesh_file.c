// STL and OBJ files: good ones of every kind, and every bad one with its message.
#include "base/memory.h"
#include "base/read_file.h"
#include "base/text.h"
#include "carom/io.h"
#include "mesh/scanner.h"

#include "support/log.h"

#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const crVec3 unitScale = { 1.0, 1.0, 1.0 };

// A tetrahedron with legs 1 along the axes, volume 1/6.
static const crVec3 corners[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
static const int faces[4][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 0, 3, 2 }, { 1, 2, 3 } };

#define BINARY_SIZE(count) (84 + 50 * (size_t)(count))

static void putUint32(unsigned char* p, uint32_t value)
{
  for (int i = 0; i < 4; ++i) {
    p[i] = (unsigned char)(value >> (8 * i));
  }
}

static void putVertex(unsigned char* record, int k, crVec3 p)
{
  float xyz[3] = { (float)p.x, (float)p.y, (float)p.z };
  for (int i = 0; i < 3; ++i) {
    uint32_t bits;
    memcpy(&bits, &xyz[i], sizeof bits);
    putUint32(record + 12 + 12 * k + 4 * i, bits);
  }
}

// The tetrahedron as a binary file, `header` in front.
static size_t makeBinary(unsigned char* bytes, const char* header)
{
  memset(bytes, 0, BINARY_SIZE(4));
  memcpy(bytes, header, strlen(header));
  putUint32(bytes + 80, 4);
  for (int t = 0; t < 4; ++t) {
    for (int k = 0; k < 3; ++k) {
      putVertex(bytes + 84 + 50 * t, k, corners[faces[t][k]]);
    }
  }
  return BINARY_SIZE(4);
}

// The tetrahedron as an ASCII solid, moved along x; returns the new end.
static char* addSolid(char* at, const char* name, double shift)
{
  at += sprintf(at, "solid %s\n", name);
  for (int t = 0; t < 4; ++t) {
    at += sprintf(at, "  facet normal 0 nan -nan(ind)\n    outer loop\n");
    for (int k = 0; k < 3; ++k) {
      crVec3 p = corners[faces[t][k]];
      at += sprintf(at, "      vertex %.9e %.9e %.9e\n", p.x + shift, p.y, p.z);
    }
    at += sprintf(at, "    endloop\n  endfacet\n");
  }
  return at + sprintf(at, "endsolid %s\n", name);
}

static const char tetrahedronObj[] = "# a comment \\\n"
                                     "mtllib some.mtl\n"
                                     "o tetrahedron\n"
                                     "v 0 0 0\nv 1 0 0 1.0\nv 0 1 0 0.5 0.5 0.5\nv 0 0 1\n"
                                     "vn 0 0 1\nvt 0 0\n"
                                     "s off\nusemtl none\n"
                                     "f 1/1/1 3/1 2//1\n"
                                     "f 1 2 4 # another\n"
                                     "f -4 -1 \\\n -2\n"
                                     "f 2 3 4";

static crMesh* readStl(const void* bytes, size_t size, crVec3 scale)
{
  crMesh* mesh = NULL;
  assert_int_equal(crReadStl(bytes, size, "a.stl", scale, NULL, NULL, &mesh), cr_ok);
  return mesh;
}

static crMesh* readObj(const char* text, crVec3 scale)
{
  crMesh* mesh = NULL;
  // a copy of the exact size, so that sanitizers see a read beyond the end
  size_t size = strlen(text);
  char* copy = malloc(size > 0 ? size : 1);
  memcpy(copy, text, size);
  assert_int_equal(crReadObj(copy, size, "a.obj", scale, NULL, NULL, &mesh), cr_ok);
  free(copy);
  return mesh;
}

static void checkTetrahedron(crMesh* mesh, double volume, int pieceCount)
{
  crMeshFacts facts = crMesh_GetFacts(mesh);
  assert_int_equal(facts.pieceCount, pieceCount);
  assert_int_equal(facts.triangleCount, 4 * pieceCount);
  assert_int_equal(facts.pointCount, 4 * pieceCount);
  assert_true(facts.isClosed);
  assert_close(facts.volume, volume * pieceCount, 1e-15 * fabs(volume) * pieceCount);
  crReleaseMesh(mesh);
}

// ------------------------------------------------------------------------------------------ good files

static void binary_stl_is_read_even_if_it_begins_with_solid(void** state)
{
  (void)state;
  unsigned char bytes[BINARY_SIZE(4)];
  static const char* const headers[] = { "", "solid", "solid name\nfacet normal 0 0 0\n", "COLOR=abcd" };
  for (int i = 0; i < 4; ++i) {
    size_t size = makeBinary(bytes, headers[i]);
    checkTetrahedron(readStl(bytes, size, unitScale), 1.0 / 6.0, 1);
  }
}

static void ascii_stl_is_read_with_its_solids_as_pieces(void** state)
{
  (void)state;
  static char text[8000];
  for (int pieceCount = 1; pieceCount <= 3; ++pieceCount) {
    char* at = text;
    for (int i = 0; i < pieceCount; ++i) {
      at = addSolid(at, i == 1 ? "a name\\" : "", 2.0 * i);
      at += sprintf(at, "solid empty\nendsolid\n");
    }
    crMesh* mesh = readStl(text, strlen(text), unitScale);
    checkTetrahedron(mesh, 1.0 / 6.0, pieceCount);
  }
}

static void ascii_stl_may_have_any_case_and_line_ends(void** state)
{
  (void)state;
  static char text[4000], other[8000];
  addSolid(text, "x", 0.0);
  for (int variant = 0; variant < 4; ++variant) {
    char* out = other;
    out += variant == 3 ? sprintf(out, "\xef\xbb\xbf \n") : 0;
    for (const char* p = text; *p != '\0'; ++p) {
      if (*p == '\n') {
        out += sprintf(out, "%s", variant == 1 ? "\r\n" : variant == 2 ? "\r" : "\n\t\n");
      } else {
        *out++ = variant == 0 && *p >= 'a' && *p <= 'z' ? (char)(*p - 'a' + 'A') : *p;
      }
    }
    *out = '\0';
    checkTetrahedron(readStl(other, strlen(other), unitScale), 1.0 / 6.0, 1);
  }
}

static void obj_is_read_with_all_kinds_of_references(void** state)
{
  (void)state;
  checkTetrahedron(readObj(tetrahedronObj, unitScale), 1.0 / 6.0, 1);
}

static void obj_polygons_become_fans_and_groups_pieces(void** state)
{
  (void)state;
  crMesh* mesh = readObj("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nv 9 9 9\n"
                         "g nothing\no bottom\ng bottom\nf 4 3 2 1\ng sides\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\n"
                         "f 4 1 5 8\no top\nf 5 6 7 8\ng last\n",
                         unitScale);
  crMeshFacts facts = crMesh_GetFacts(mesh);
  crMeshDef def = crMesh_GetDef(mesh);
  assert_int_equal(facts.pointCount, 8); // the ninth is in no face
  assert_int_equal(facts.triangleCount, 12);
  assert_int_equal(facts.pieceCount, 3);
  assert_int_equal(def.pieceStarts[1], 2);
  assert_int_equal(def.pieceStarts[2], 10);
  assert_true(facts.isClosed);
  assert_close(facts.volume, 1.0, 1e-15);
  crReleaseMesh(mesh);
}

static void equal_vertices_become_one_point(void** state)
{
  (void)state;
  crMesh* mesh =
      readObj("v 0 0 0\nv 1 0 0\nv 0 1 0\nv -0 0 -0.0\nv 0 1e0 0\nv 10e-1 0 0\nf 1 2 3\nf 4 5 6\n", unitScale);
  assert_int_equal(crMesh_GetFacts(mesh).pointCount, 3);
  assert_int_equal(crMesh_GetFacts(mesh).openEdgeCount, 0);
  crReleaseMesh(mesh);
}

static void scale_is_applied_and_a_mirror_turns_the_triangles(void** state)
{
  (void)state;
  unsigned char bytes[BINARY_SIZE(4)];
  size_t size = makeBinary(bytes, "");
  for (int i = 0; i < 8; ++i) {
    crVec3 scale = { i & 1 ? -2.0 : 2.0, i & 2 ? -3.0 : 3.0, i & 4 ? -1e-3 : 1e-3 };
    crMesh* mesh = readStl(bytes, size, scale);
    crAabb bounds = crMesh_GetFacts(mesh).bounds;
    assert_close(i & 2 ? bounds.min.y : bounds.max.y, scale.y, 0.0);
    checkTetrahedron(mesh, 1e-3, 1);
    checkTetrahedron(readObj(tetrahedronObj, scale), 1e-3, 1);
  }
}

static void degenerate_triangles_are_left_out_with_one_warning(void** state)
{
  (void)state;
  unsigned char bytes[BINARY_SIZE(7)];
  makeBinary(bytes, "");
  memset(bytes + BINARY_SIZE(4), 0, 150);
  putUint32(bytes + 80, 7);
  for (int t = 4; t < 7; ++t) {
    for (int k = 0; k < 3; ++k) {
      putVertex(bytes + 84 + 50 * t, k, corners[k == t - 4 ? 1 : 0]);
    }
  }
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crMesh* mesh = NULL;
  assert_int_equal(crReadStl(bytes, sizeof bytes, "a.stl", unitScale, NULL, &sink, &mesh), cr_ok);
  assert_int_equal(crErrorLog_Count(log), 1);
  const crError* error = crErrorLog_Get(log, 0);
  assert_int_equal(error->severity, cr_severityWarning);
  assert_string_equal(error->message, "left out 3 of 7 triangles of the mesh, because corners of theirs coincide");
  assert_string_equal(error->source.file, "a.stl");
  crDestroyErrorLog(log);
  checkTetrahedron(mesh, 1.0 / 6.0, 1);
}

// -------------------------------------------------------------------------------------------- numbers

static bool parse(const char* text, double* outValue)
{
  crScanner scanner;
  assert_true(crScanner_Init(&scanner, text, strlen(text)));
  crToken token = crScanner_NextOnLine(&scanner);
  bool isNumber = crScanner_ParseNumber(&scanner, token, outValue);
  crScanner_Free(&scanner);
  return isNumber;
}

static void numbers_are_rounded_correctly(void** state)
{
  (void)state;
  static const char* const hard[] = {
    "0",
    "-0",
    "1",
    "+1",
    "1.",
    ".5",
    "-.5e1",
    "1e22",
    "1e23",
    "9007199254740993",
    "9007199254740992",
    "9007199254740993.0000000000000000000000001",
    "2.2250738585072011e-308",
    "2.2250738585072014e-308",
    "4.9e-324",
    "2e-324",
    "1.7976931348623157e308",
    "1e400",
    "1e-400",
    "0.1",
    "0.3",
    "123456789012345678901234567890",
    "0.000000000000000000000000000001",
    "8.5e+0000000001",
    "1e99999999999",
    "1e-99999999999",
    "0e99999999999",
    "6.631236846766476e-316",
    "3.2378839133029012895883524125015321748630094439375e23",
    "7.2057594037927933e16",
  };
  for (size_t i = 0; i < sizeof hard / sizeof *hard; ++i) {
    double value, truth = strtod(hard[i], NULL);
    assert_true(parse(hard[i], &value));
    assert_memory_equal(&value, &truth, sizeof value);
  }
  crRandom random = crMakeRandom(97);
  for (int i = 0; i < 100000; ++i) {
    char text[64];
    uint64_t bits = crRandom_Next(&random);
    double number, value;
    memcpy(&number, &bits, sizeof number);
    if (i % 2 == 0 || !isfinite(number)) {
      number = crRandom_Uniform(&random, -1.0, 1.0) * pow(10.0, (double)(i % 30) - 15.0);
    }
    snprintf(text, sizeof text,
             i % 3 == 0   ? "%.*f"
             : i % 3 == 1 ? "%.*e"
                          : "%.*g",
             i % 20, i % 3 ? number : fmod(number, 1e9));
    double truth = strtod(text, NULL);
    assert_true(parse(text, &value));
    assert_memory_equal(&value, &truth, sizeof value);
  }
}

static void words_that_are_no_numbers_are_refused(void** state)
{
  (void)state;
  static const char* const bad[] = { "",      "-",   "+",   ".",  "e5",  "1e",    "1e+",      "1,5",  "0x10",
                                     "1.2.3", "nan", "inf", "1f", "--1", "1 e5x", "infinity", "1e5e5" };
  double value;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    assert_true(!parse(bad[i], &value) || strcmp(bad[i], "1 e5x") == 0);
  }
  char digits[2000];
  memset(digits, '1', sizeof digits - 1);
  digits[sizeof digits - 1] = '\0';
  assert_false(parse(digits, &value));
}

// Needs a locale with a decimal comma; passes without one, because most build machines have none.
static void decimal_comma_of_the_host_changes_nothing(void** state)
{
  (void)state;
  static const char* const names[] = { "de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "fr_FR.utf8" };
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (setlocale(LC_ALL, names[i]) != NULL) {
      break;
    }
  }
  double value;
  assert_true(parse("1.5", &value));
  assert_close(value, 1.5, 0.0);
  assert_true(parse("3.14159265358979323846264338327950288", &value)); // the slow way
  assert_close(value, CR_PI, 0.0);
  setlocale(LC_ALL, "C");
}

static void shown_text_is_clean(void** state)
{
  (void)state;
  char shown[16];
  crShowText("abc", 3, shown, sizeof shown);
  assert_string_equal(shown, "abc");
  crShowText("a\x01\xff"
             "b",
             4, shown, sizeof shown);
  assert_string_equal(shown, "a\\x01\\xffb");
  crShowText("0123456789abcde", 15, shown, sizeof shown);
  assert_string_equal(shown, "0123456789abcde");
  crShowText("0123456789abcdef", 16, shown, sizeof shown);
  assert_string_equal(shown, "0123456789ab...");
  crShowText("\xc3\xa4\xe2\x82\xac", 5, shown, sizeof shown);
  assert_string_equal(shown, "\xc3\xa4\xe2\x82\xac");
  crShowText("\xc3", 1, shown, sizeof shown);
  assert_string_equal(shown, "\\xc3");
}

// ------------------------------------------------------------------------------------------ bad files

// The first message in full, and how many there are.
static void expectMessage(crStatus (*read)(const char*, size_t, const crErrorSink*, crMesh**), const char* bytes,
                          size_t size, crStatus status, const char* text, int count)
{
  char* copy = malloc(size > 0 ? size : 1);
  if (size > 0) {
    memcpy(copy, bytes, size);
  }
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crMesh* mesh = (crMesh*)1;
  assert_int_equal(read(copy, size, &sink, &mesh), status);
  assert_null(mesh);
  assert_int_equal(crErrorLog_Count(log), count);
  char found[1024];
  crError_Format(crErrorLog_Get(log, 0), found, sizeof found);
  assert_string_equal(found, text);
  crDestroyErrorLog(log);
  free(copy);
}

static crStatus readStlFrom(const char* bytes, size_t size, const crErrorSink* sink, crMesh** outMesh)
{
  return crReadStl(bytes, size, "a.stl", unitScale, NULL, sink, outMesh);
}

static crStatus readObjFrom(const char* bytes, size_t size, const crErrorSink* sink, crMesh** outMesh)
{
  return crReadObj(bytes, size, "a.obj", unitScale, NULL, sink, outMesh);
}

static void bad_binary_stl_is_reported(void** state)
{
  (void)state;
  unsigned char bytes[BINARY_SIZE(4) + 1];
  const char* data = (const char*)bytes;
  size_t size = makeBinary(bytes, "solid x");
  expectMessage(readStlFrom, data, 0, cr_errorSyntax,
                "a.stl: error: the file is too short for an STL file\n  found 0 bytes, allowed: >= 84 bytes", 1);
  expectMessage(readStlFrom, data, 83, cr_errorSyntax,
                "a.stl: error: the file is too short for an STL file\n  found 83 bytes, allowed: >= 84 bytes", 1);
  expectMessage(readStlFrom, data, size - 1, cr_errorSyntax,
                "a.stl: error: the size of the STL file does not fit its count of 4 triangles\n"
                "  found 283 bytes, allowed: 284 bytes\n  hint: the file may be cut off",
                1);
  bytes[size] = 0;
  expectMessage(readStlFrom, data, size + 1, cr_errorSyntax,
                "a.stl: error: the size of the STL file does not fit its count of 4 triangles\n"
                "  found 285 bytes, allowed: 284 bytes\n  hint: there are bytes behind the last triangle",
                1);
  putUint32(bytes + 80, UINT32_MAX);
  expectMessage(readStlFrom, data, size, cr_errorSyntax,
                "a.stl: error: the size of the STL file does not fit its count of 4294967295 triangles\n"
                "  found 284 bytes, allowed: 214748364834 bytes\n  hint: the file may be cut off",
                1);
  putUint32(bytes + 80, 0);
  expectMessage(readStlFrom, data, 84, cr_errorSyntax, "a.stl: error: the mesh has no triangles", 1);
  makeBinary(bytes, "");
  putVertex(bytes + 84 + 100, 1, crMakeVec3(1.0, -INFINITY, 3.0));
  expectMessage(readStlFrom, data, size, cr_errorSyntax,
                "a.stl: error: triangle 3 has a vertex that is not finite\n  found (1, -inf, 3), allowed: finite", 1);
  memset(bytes + 84, 0, 200);
  expectMessage(readStlFrom, data, size, cr_errorSyntax,
                "a.stl: error: in all 4 triangles of the mesh corners coincide", 1);
}

typedef struct BadText {
  const char* text;
  const char* message;
  int count;
} BadText;

#define FACET_START "facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 "

static void bad_ascii_stl_is_reported(void** state)
{
  (void)state;
  static const BadText cases[] = {
    { "solid\nendsolid\n", "a.stl: error: the mesh has no triangles", 1 },
    { "solid x\n", "a.stl:2:1: error: the STL text ends too early\n  found nothing, allowed: facet or endsolid", 1 },
    { "solid x\n  face normal",
      "a.stl:2:3: error: unknown word in the STL text\n  found 'face', allowed: facet or endsolid", 1 },
    { "solid x\nendsolid\nsilod", "a.stl:3:1: error: unknown word in the STL text\n  found 'silod', allowed: solid",
      1 },
    { "solid\nfacet norm", "a.stl:2:7: error: unknown word in the STL text\n  found 'norm', allowed: normal", 1 },
    { "solid\nfacet normal 0 0\nouter loop",
      "a.stl:3:1: error: the normal of the facet has too few parts\n  found 'outer', allowed: three numbers", 1 },
    { "solid\nfacet normal 0 0",
      "a.stl:2:17: error: the STL text ends too early\n  found nothing, allowed: three numbers", 1 },
    { "solid\nfacet normal 0 0 1\nouter lop",
      "a.stl:3:7: error: unknown word in the STL text\n  found 'lop', allowed: loop", 1 },
    { "solid\n" FACET_START "\nendloop",
      "a.stl:3:1: error: unknown word in the STL text\n  found 'endloop', allowed: vertex", 1 },
    { "solid\n" FACET_START "\nvertex 1 2,5 0",
      "a.stl:3:10: error: a coordinate of the vertex is no number\n  found '2,5', allowed: a finite number", 1 },
    { "solid\n" FACET_START "\nvertex nan 0 0",
      "a.stl:3:8: error: a coordinate of the vertex is no number\n  found 'nan', allowed: a finite number", 1 },
    { "solid\n" FACET_START "\nvertex 0 1e999 0",
      "a.stl:3:10: error: a coordinate of the vertex is no number\n  found '1e999', allowed: a finite number", 1 },
    { "solid\n" FACET_START "\nvertex 0 1",
      "a.stl:3:11: error: the STL text ends too early\n  found nothing, allowed: a finite number", 1 },
    { "solid\n" FACET_START "\nvertex 0 1 0\nvertex 0 0 0",
      "a.stl:4:1: error: unknown word in the STL text\n  found 'vertex', allowed: endloop", 1 },
    { "solid\n" FACET_START "\nvertex 0 1 0 endloop\nendface",
      "a.stl:4:1: error: unknown word in the STL text\n  found 'endface', allowed: endfacet", 1 },
    { "solid\n" FACET_START "\nvertex 0 1 \xff\x1b[31m",
      "a.stl:3:12: error: a coordinate of the vertex is no number\n  found '\\xff\\x1b[31m', allowed: a finite number",
      1 },
    { "sol", "a.stl: error: the file is too short for an STL file\n  found 3 bytes, allowed: >= 84 bytes", 1 },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    expectMessage(readStlFrom, cases[i].text, strlen(cases[i].text), cr_errorSyntax, cases[i].message, cases[i].count);
  }
}

#define VERTICES "v 0 0 0\nv 1 0 0\nv 0 1 0\n"

static void bad_obj_is_reported(void** state)
{
  (void)state;
  static const BadText cases[] = {
    { "", "a.obj: error: the mesh has no triangles", 1 },
    { VERTICES, "a.obj: error: the mesh has no triangles", 1 },
    { "v 1 2", "a.obj:1:6: error: the vertex has too few coordinates\n  found nothing, allowed: three numbers", 1 },
    { "v 1 2 # 3", "a.obj:1:7: error: the vertex has too few coordinates\n  found nothing, allowed: three numbers", 1 },
    { "v 1 2 x3", "a.obj:1:7: error: a coordinate of the vertex is no number\n  found 'x3', allowed: a finite number",
      1 },
    { "v 1 inf 3", "a.obj:1:5: error: a coordinate of the vertex is no number\n  found 'inf', allowed: a finite number",
      1 },
    { VERTICES "f 1 2", "a.obj:4:6: error: the face has too few corners\n  found nothing, allowed: three or more", 1 },
    { VERTICES "f", "a.obj:4:2: error: the face has too few corners\n  found nothing, allowed: three or more", 1 },
    { VERTICES "f 1 2 0",
      "a.obj:4:7: error: the face names a vertex that does not exist\n  found '0', allowed: 1 ... 3 or -3 ... -1", 1 },
    { VERTICES "f 1 2 4",
      "a.obj:4:7: error: the face names a vertex that does not exist\n  found '4', allowed: 1 ... 3 or -3 ... -1", 1 },
    { VERTICES "f 1 -4 2",
      "a.obj:4:5: error: the face names a vertex that does not exist\n  found '-4', allowed: 1 ... 3 or -3 ... -1", 1 },
    { VERTICES "f 1 2 99999999999999999999999",
      "a.obj:4:7: error: a corner of the face is no vertex number\n"
      "  found '99999999999999999999999', allowed: v, v/vt, v//vn or v/vt/vn",
      1 },
    { "f 1 2 3", "a.obj:1:3: error: the face names a vertex that does not exist\n  found '1', allowed: v before f", 1 },
    { VERTICES "f 1 2/ 3",
      "a.obj:4:5: error: a corner of the face is no vertex number\n"
      "  found '2/', allowed: v, v/vt, v//vn or v/vt/vn",
      1 },
    { VERTICES "f 1 2/1/1/1 3",
      "a.obj:4:5: error: a corner of the face is no vertex number\n"
      "  found '2/1/1/1', allowed: v, v/vt, v//vn or v/vt/vn",
      1 },
    { VERTICES "f 1 two 3",
      "a.obj:4:5: error: a corner of the face is no vertex number\n"
      "  found 'two', allowed: v, v/vt, v//vn or v/vt/vn",
      1 },
    { VERTICES "f 1 \\\n 2 \\\r\n x",
      "a.obj:6:2: error: a corner of the face is no vertex number\n  found 'x', allowed: v, v/vt, v//vn or v/vt/vn",
      1 },
    { "v 1\n\nv 2\nf 1\nv 0 0 0\n",
      "a.obj:1:4: error: the vertex has too few coordinates\n  found nothing, allowed: three numbers", 3 },
    { VERTICES "f 1 1 2\n", "a.obj: error: in all 1 triangles of the mesh corners coincide", 1 },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    expectMessage(readObjFrom, cases[i].text, strlen(cases[i].text), cr_errorSyntax, cases[i].message, cases[i].count);
  }
}

static void many_errors_of_an_obj_are_cut_short(void** state)
{
  (void)state;
  static char text[10000];
  for (int i = 0; i < 1000; ++i) {
    strcat(text, "f 9 9 9\n");
  }
  expectMessage(readObjFrom, text, strlen(text), cr_errorSyntax,
                "a.obj:1:3: error: the face names a vertex that does not exist\n  found '9', allowed: v before f", 11);
}

// Of a file of 2 GiB no byte is there: it is refused before it is read.
static void texts_beyond_2_gib_are_refused(void** state)
{
  (void)state;
  size_t size = (size_t)INT32_MAX + 1;
  char* text = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  assert_true(text != MAP_FAILED);
  memset(text, 32, 1 << 12); // text has no 0 byte near its beginning
  memcpy(text, "solid", 5);
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crMesh* mesh;
  assert_int_equal(crReadObj(text, size, "a.obj", unitScale, NULL, &sink, &mesh), cr_errorLimit);
  assert_int_equal(crReadStl(text, size, "a.stl", unitScale, NULL, &sink, &mesh), cr_errorLimit);
  assert_message(log, cr_severityError, "a.obj: error: the OBJ text is too large\n  allowed: < 2 GiB");
  assert_message(log, cr_severityError, "a.stl: error: the STL text is too large\n  allowed: < 2 GiB");
  crDestroyErrorLog(log);
  munmap(text, size);
}

static void bad_scale_is_reported(void** state)
{
  (void)state;
  static const crVec3 scales[] = { { 0, 1, 1 }, { 1, NAN, 1 }, { 1, 1, INFINITY } };
  for (int i = 0; i < 3; ++i) {
    crErrorLog* log = crCreateErrorLog(NULL);
    crErrorSink sink = crErrorLog_GetSink(log);
    crMesh* mesh;
    size_t size = strlen(tetrahedronObj);
    assert_int_equal(crReadObj(tetrahedronObj, size, "a.obj", scales[i], NULL, &sink, &mesh), cr_errorModel);
    assert_string_equal(crErrorLog_Get(log, 0)->message, "the scale of the mesh cannot be used");
    crDestroyErrorLog(log);
  }
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crMesh* mesh;
  static const char text[] = "v 0 0 0\nv 1e300 0 0\nv 0 1 0\nf 1 2 3\n";
  assert_int_equal(crReadObj(text, strlen(text), "a.obj", crMakeVec3(1e10, 1, 1), NULL, &sink, &mesh), cr_errorModel);
  assert_string_equal(crErrorLog_Get(log, 0)->message,
                      "the scale (1e+10, 1, 1) makes the coordinates of the mesh overflow");
  crDestroyErrorLog(log);
}

// ------------------------------------------------------------------------------------------ file system

static char folder[] = "/tmp/carom_mesh_XXXXXX";

static int makeFolder(void** state)
{
  (void)state;
  return mkdtemp(folder) != NULL ? 0 : 1;
}

static int removeFolder(void** state)
{
  (void)state;
  return rmdir(folder);
}

static const char* pathOf(const char* name)
{
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void writeFile(const char* name, const void* bytes, size_t size)
{
  FILE* file = fopen(pathOf(name), "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  fclose(file);
}

static void format_is_told_by_ending_or_content(void** state)
{
  (void)state;
  unsigned char binary[BINARY_SIZE(4)];
  static char ascii[4000];
  makeBinary(binary, "v 0 0 0");
  addSolid(ascii, "x", 0.0);
  static const char* const stlNames[] = { "a.stl", "a.STL", "a.b.Stl", "noending", "a.obj.dat" };
  static const char* const objNames[] = { "a.obj", "a.OBJ", "noending" };
  for (int i = 0; i < 5; ++i) {
    crMesh* mesh;
    writeFile(stlNames[i], binary, sizeof binary);
    assert_int_equal(crReadMesh(pathOf(stlNames[i]), unitScale, NULL, NULL, &mesh), cr_ok);
    checkTetrahedron(mesh, 1.0 / 6.0, 1);
    writeFile(stlNames[i], ascii, strlen(ascii));
    assert_int_equal(crReadMesh(pathOf(stlNames[i]), unitScale, NULL, NULL, &mesh), cr_ok);
    checkTetrahedron(mesh, 1.0 / 6.0, 1);
    unlink(pathOf(stlNames[i]));
  }
  for (int i = 0; i < 3; ++i) {
    crMesh* mesh;
    writeFile(objNames[i], tetrahedronObj, strlen(tetrahedronObj));
    assert_int_equal(crReadMesh(pathOf(objNames[i]), unitScale, NULL, NULL, &mesh), cr_ok);
    checkTetrahedron(mesh, 1.0 / 6.0, 1);
    unlink(pathOf(objNames[i]));
  }
}

static void expectFileError(const char* path, crStatus status, const char* message)
{
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crMesh* mesh = (crMesh*)1;
  assert_int_equal(crReadMesh(path, unitScale, NULL, &sink, &mesh), status);
  assert_null(mesh);
  assert_int_equal(crErrorLog_Count(log), 1);
  assert_string_equal(crErrorLog_Get(log, 0)->message, message);
  assert_int_equal(crErrorLog_Get(log, 0)->status, status);
  crDestroyErrorLog(log);
}

static void what_is_no_regular_file_is_refused(void** state)
{
  (void)state;
  char message[400], path[256];
  expectFileError("/nowhere/at/all.stl", cr_errorFile, "cannot open '/nowhere/at/all.stl': No such file or directory");
  expectFileError("/dev/zero", cr_errorFile, "cannot read '/dev/zero': not a regular file");
  expectFileError("bad\xff\n.stl", cr_errorFile, "cannot open 'bad\\xff\\x0a.stl': No such file or directory");
  snprintf(message, sizeof message, "cannot read '%s': Is a directory", folder);
  expectFileError(folder, cr_errorFile, message);
  snprintf(path, sizeof path, "%s", pathOf("pipe.stl"));
  assert_int_equal(mkfifo(path, 0600), 0);
  snprintf(message, sizeof message, "cannot read '%s': not a regular file", path);
  expectFileError(path, cr_errorFile, message);
  unlink(path);
  snprintf(path, sizeof path, "%s", pathOf("a.png"));
  writeFile("a.png", "\x89PNG", 4);
  snprintf(message, sizeof message, "'%s' has an unknown mesh format", path);
  expectFileError(path, cr_errorSyntax, message);
  unlink(path);
}

static void file_is_read_whole_and_terminated(void** state)
{
  (void)state;
  char* bytes;
  size_t size;
  writeFile("a", "12345", 5);
  assert_int_equal(crReadFile(pathOf("a"), 5, NULL, NULL, &bytes, &size), cr_ok);
  assert_int_equal(size, 5);
  assert_string_equal(bytes, "12345");
  free(bytes);
  writeFile("a", "", 0);
  assert_int_equal(crReadFile(pathOf("a"), 0, NULL, NULL, &bytes, &size), cr_ok);
  assert_int_equal(size, 0);
  assert_string_equal(bytes, "");
  free(bytes);
  unlink(pathOf("a"));
  // a regular file whose stated size is 0
  assert_int_equal(crReadFile("/proc/self/status", 1 << 20, NULL, NULL, &bytes, &size), cr_ok);
  assert_true(size > 100);
  assert_int_equal(strlen(bytes), size);
  free(bytes);
}

static void file_beyond_the_limit_is_refused(void** state)
{
  (void)state;
  static const char* const paths[] = { NULL, "/proc/self/status" };
  writeFile("a", "123456", 6);
  for (int i = 0; i < 2; ++i) {
    crErrorLog* log = crCreateErrorLog(NULL);
    crErrorSink sink = crErrorLog_GetSink(log);
    char* bytes;
    size_t size;
    const char* path = paths[i] != NULL ? paths[i] : pathOf("a");
    assert_int_equal(crReadFile(path, 5, NULL, &sink, &bytes, &size), cr_errorLimit);
    assert_null(bytes);
    assert_non_null(strstr(crErrorLog_Get(log, 0)->message, "is too large"));
    assert_string_equal(crErrorLog_Get(log, 0)->allowed, "<= 5");
    crDestroyErrorLog(log);
  }
  unlink(pathOf("a"));
}

static void misuse_is_refused(void** state)
{
  (void)state;
  crMesh* mesh;
  char* bytes;
  size_t size;
  assert_int_equal(crReadMesh(NULL, unitScale, NULL, NULL, &mesh), cr_errorMisuse);
  assert_int_equal(crReadMesh("a", unitScale, NULL, NULL, NULL), cr_errorMisuse);
  assert_int_equal(crReadStl(NULL, 5, NULL, unitScale, NULL, NULL, &mesh), cr_errorMisuse);
  assert_int_equal(crReadObj(NULL, 5, NULL, unitScale, NULL, NULL, &mesh), cr_errorMisuse);
  assert_int_equal(crReadStl("", 0, NULL, unitScale, NULL, NULL, NULL), cr_errorMisuse);
  assert_int_equal(crReadFile(NULL, 5, NULL, NULL, &bytes, &size), cr_errorMisuse);
  assert_int_equal(crReadObj(NULL, 0, NULL, unitScale, NULL, NULL, &mesh), cr_errorSyntax);
}

// ------------------------------------------------------------------------------------------- resources

static void sweep(const char* name)
{
  crStatus status = cr_errorMemory;
  for (long failAt = 0; status != cr_ok; ++failAt) {
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    counter.failAt = failAt;
    crMesh* mesh = NULL;
    status = crReadMesh(pathOf(name), unitScale, &allocator, NULL, &mesh);
    assert_true(status == cr_ok || status == cr_errorMemory);
    assert_true((status == cr_ok) == (mesh != NULL));
    crReleaseMesh(mesh);
    assert_int_equal(counter.liveBlocks, 0);
    assert_int_equal(counter.liveBytes, 0);
    assert_true(failAt < 100);
  }
}

static void every_failing_allocation_is_survived(void** state)
{
  (void)state;
  unsigned char binary[BINARY_SIZE(4)];
  static char ascii[8000];
  makeBinary(binary, "");
  addSolid(addSolid(ascii, "x", 0.0), "y", 2.0);
  writeFile("a.stl", binary, sizeof binary);
  sweep("a.stl");
  writeFile("a.stl", ascii, strlen(ascii));
  sweep("a.stl");
  unlink(pathOf("a.stl"));
  writeFile("a.obj", tetrahedronObj, strlen(tetrahedronObj));
  sweep("a.obj");
  unlink(pathOf("a.obj"));
}

// Every prefix of a good text is read or refused, never beyond its end.
static void cut_off_files_are_refused(void** state)
{
  (void)state;
  static char text[4000];
  char* end = addSolid(text, "x", 0.0);
  for (size_t size = 0; size < (size_t)(end - text); ++size) {
    char* copy = malloc(size + 1);
    memcpy(copy, text, size);
    crMesh* mesh = NULL;
    // from the word endsolid on nothing is missing
    bool isWhole = size >= (size_t)(strstr(text, "endsolid") + strlen("endsolid") - text);
    assert_int_equal(crReadStl(copy, size, "a.stl", unitScale, NULL, NULL, &mesh), isWhole ? cr_ok : cr_errorSyntax);
    crReleaseMesh(mesh);
    free(copy);
  }
}

// ------------------------------------------------------------------------------------------- COLLADA

#define DAE_HEAD "<?xml version='1.0'?>\n<COLLADA version='1.4.1'>"
#define DAE_POINTS                                                                                                     \
  "<library_geometries><geometry id='g'><mesh><source id='s'><float_array id='a' count='12'>0 0 0 1 0 0 0 1 0 0 0 1"   \
  "</float_array><technique_common><accessor source='#a' count='4' stride='3'/></technique_common></source>"           \
  "<vertices id='v'><input semantic='POSITION' source='#s'/></vertices>"
#define DAE_INPUTS "<input semantic='VERTEX' source='#v' offset='0'/><input semantic='NORMAL' source='#n' offset='1'/>"
#define DAE_TAIL "</mesh></geometry></library_geometries>"
#define DAE_TRIANGLES                                                                                                  \
  "<triangles count='4'>" DAE_INPUTS "<p>0 9 2 9 1 9 0 9 1 9 3 9 0 9 3 9 2 9 1 9 2 9 3 9</p></triangles>"
#define DAE_SCENE(inside)                                                                                              \
  "<library_visual_scenes><visual_scene id='w'>" inside "</visual_scene></library_visual_scenes>"                      \
  "<scene><instance_visual_scene url='#w'/></scene>"

static crMesh* readDae(const char* text, crVec3 scale)
{
  crMesh* mesh = NULL;
  size_t size = strlen(text);
  char* copy = malloc(size > 0 ? size : 1);
  memcpy(copy, text, size);
  assert_int_equal(crReadDae(copy, size, "a.dae", scale, NULL, NULL, &mesh), cr_ok);
  free(copy);
  return mesh;
}

static void collada_polygons_in_all_forms_are_the_same_mesh(void** state)
{
  (void)state;
  static const char* const forms[] = {
    DAE_TRIANGLES,
    "<polylist count='4'>" DAE_INPUTS
    "<vcount>3 3 3 3</vcount><p>0 9 2 9 1 9 0 9 1 9 3 9 0 9 3 9 2 9 1 9 2 9 3 9</p></polylist>",
    "<polygons count='4'>" DAE_INPUTS
    "<p>0 9 2 9 1 9</p><p>0 9 1 9 3 9</p><p>0 9 3 9 2 9</p><p>1 9 2 9 3 9</p></polygons>",
    "<tristrips count='2'>" DAE_INPUTS "<p>0 9 2 9 1 9 3 9</p><p>1 9 3 9 0 9 2 9</p></tristrips>",
    "<trifans count='2'>" DAE_INPUTS "<p>0 9 2 9 1 9 3 9 2 9</p><p>1 9 2 9 3 9</p></trifans>",
  };
  for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i) {
    char text[4096];
    snprintf(text, sizeof text, "%s%s%s%s</COLLADA>", DAE_HEAD, DAE_POINTS, forms[i], DAE_TAIL);
    crMesh* mesh = readDae(text, unitScale);
    checkTetrahedron(mesh, 1.0 / 6.0, 1);
  }
}

// In millimetres, moved, doubled, turned and mirrored by nodes, one of them shown twice: two pieces of 8e-9 / 6 m^3.
static void collada_scenes_place_their_geometries(void** state)
{
  (void)state;
  static const char text[] =
      DAE_HEAD "<asset><unit meter='0.001'/><up_axis>Y_UP</up_axis></asset>" DAE_POINTS DAE_TRIANGLES DAE_TAIL
               "<library_nodes><node id='n'><scale>2 2 -2</scale><instance_geometry "
               "url='#g'/></node></library_nodes>" DAE_SCENE(
                   "<node><translate>10 0 0</translate><rotate>0 0 1 90</rotate><instance_node url='#n'/></node>"
                   "<node><matrix>1 0 0 -50 0 1 0 0 0 0 1 0 0 0 0 1</matrix><node><instance_node "
                   "url='#n'/></node></node>") "</COLLADA>";
  crMesh* mesh = readDae(text, unitScale);
  crMeshFacts facts = crMesh_GetFacts(mesh);
  assert_vec_close(facts.bounds.min, crMakeVec3(-0.05, 0.0, -0.002), 1e-15);
  assert_vec_close(facts.bounds.max, crMakeVec3(0.01, 0.002, 0.0), 1e-15);
  assert_int_equal(facts.pieceCount, 2);
  assert_int_equal(facts.triangleCount, 8);
  assert_true(facts.isClosed);
  assert_close(facts.volume, 16e-9 / 6.0, 1e-13 * facts.volume); // 0.05 m away rounding takes more than at the origin
  crReleaseMesh(mesh);
}

static void bad_collada_is_reported(void** state)
{
  (void)state;
  static const char* const cases[][2] = {
    { "<COLLADA>", "this is not XML" },
    { "<robot/>", "this is no COLLADA file" },
    { "<COLLADA/>", "the mesh has no triangle" },
    { DAE_HEAD "<asset><unit meter='x'/></asset></COLLADA>", "the unit is no number of metres" },
    { DAE_HEAD "<library_geometries><geometry><mesh/></geometry></library_geometries></COLLADA>",
      "this mesh has no positions" },
    { DAE_HEAD DAE_POINTS "<triangles>" DAE_INPUTS "<p>0 9 7 9 1 9</p></triangles>" DAE_TAIL "</COLLADA>",
      "a corner names a position that does not exist" },
    { DAE_HEAD DAE_POINTS "<triangles>" DAE_INPUTS "<p>0 9 x</p></triangles>" DAE_TAIL "</COLLADA>",
      "these are not all numbers" },
    { DAE_HEAD DAE_POINTS "<triangles>" DAE_INPUTS "<p>0 9 1 9 2 9 3 9</p></triangles>" DAE_TAIL "</COLLADA>",
      "more corners than there are numbers" },
    { DAE_HEAD DAE_POINTS "<triangles><p>0 1 2</p></triangles>" DAE_TAIL "</COLLADA>", "which number is the vertex" },
    { DAE_HEAD DAE_POINTS DAE_TRIANGLES DAE_TAIL DAE_SCENE("<node><scale>1 2</scale></node>") "</COLLADA>",
      "this transform has another number of numbers" },
    { DAE_HEAD "<library_nodes><node id='n'><instance_node url='#n'/></node></library_nodes>" DAE_SCENE(
          "<instance_node url='#n'/>") "</COLLADA>",
      "the scene has no end" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    crErrorLog* log = crCreateErrorLog(NULL);
    crErrorSink sink = crErrorLog_GetSink(log);
    crMesh* mesh = NULL;
    assert_int_not_equal(crReadDae(cases[i][0], strlen(cases[i][0]), "a.dae", unitScale, NULL, &sink, &mesh), cr_ok);
    assert_null(mesh);
    assert_message(log, cr_severityError, cases[i][1]);
    crDestroyErrorLog(log);
  }
  crMesh* mesh;
  assert_int_equal(crReadDae(NULL, 5, NULL, unitScale, NULL, NULL, &mesh), cr_errorMisuse);
}

static void collada_gives_back_memory_that_runs_out(void** state)
{
  (void)state;
  static const char text[] = DAE_HEAD DAE_POINTS DAE_TRIANGLES DAE_TAIL "</COLLADA>";
  for (long n = 0;; ++n) {
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    counter.failAt = n;
    crMesh* mesh = NULL;
    crStatus status = crReadDae(text, sizeof text - 1, "a.dae", unitScale, &allocator, NULL, &mesh);
    crReleaseMesh(mesh);
    assert_int_equal(counter.liveBlocks, 0);
    if (status == cr_ok) {
      assert_true(n > 5);
      return;
    }
    assert_int_equal(status, cr_errorMemory);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(collada_polygons_in_all_forms_are_the_same_mesh),
    cmocka_unit_test(collada_scenes_place_their_geometries),
    cmocka_unit_test(bad_collada_is_reported),
    cmocka_unit_test(collada_gives_back_memory_that_runs_out),
    cmocka_unit_test(binary_stl_is_read_even_if_it_begins_with_solid),
    cmocka_unit_test(ascii_stl_is_read_with_its_solids_as_pieces),
    cmocka_unit_test(ascii_stl_may_have_any_case_and_line_ends),
    cmocka_unit_test(obj_is_read_with_all_kinds_of_references),
    cmocka_unit_test(obj_polygons_become_fans_and_groups_pieces),
    cmocka_unit_test(equal_vertices_become_one_point),
    cmocka_unit_test(scale_is_applied_and_a_mirror_turns_the_triangles),
    cmocka_unit_test(degenerate_triangles_are_left_out_with_one_warning),
    cmocka_unit_test(numbers_are_rounded_correctly),
    cmocka_unit_test(words_that_are_no_numbers_are_refused),
    cmocka_unit_test(decimal_comma_of_the_host_changes_nothing),
    cmocka_unit_test(shown_text_is_clean),
    cmocka_unit_test(bad_binary_stl_is_reported),
    cmocka_unit_test(bad_ascii_stl_is_reported),
    cmocka_unit_test(bad_obj_is_reported),
    cmocka_unit_test(many_errors_of_an_obj_are_cut_short),
    cmocka_unit_test(texts_beyond_2_gib_are_refused),
    cmocka_unit_test(bad_scale_is_reported),
    cmocka_unit_test(format_is_told_by_ending_or_content),
    cmocka_unit_test(what_is_no_regular_file_is_refused),
    cmocka_unit_test(file_is_read_whole_and_terminated),
    cmocka_unit_test(file_beyond_the_limit_is_refused),
    cmocka_unit_test(misuse_is_refused),
    cmocka_unit_test(every_failing_allocation_is_survived),
    cmocka_unit_test(cut_off_files_are_refused),
  };
  return cmocka_run_group_tests(tests, makeFolder, removeFolder);
}
