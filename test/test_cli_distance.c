// carom distance as a user meets it, and its queries without memory.
#include "support/test.h"

#include "carom/collide.h"
#include "text/distance_query.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SPHERE "{\"type\":\"sphere\",\"radius\":1}"
#define BOX "{\"type\":\"box\",\"size\":[1,1,1]}"
#define ORIGIN "{\"position\":[0,0,0]}"
#define ASIDE "{\"position\":[3,0,0]}"
#define LINE(shapeA, poseA, shapeB, poseB)                                                                             \
  "{\"a\":{\"shape\":" shapeA ",\"pose\":" poseA "},\"b\":{\"shape\":" shapeB ",\"pose\":" poseB "}}"
#define GOOD_LINE LINE(SPHERE, ORIGIN, BOX, ASIDE)

typedef struct Run {
  int exitCode;
  char out[1 << 16];
} Run;

static Run run;

// Runs the tool with the given arguments and input; its output is in run.
static void runTool(const char* arguments, const char* input, size_t size)
{
  char path[] = "/tmp/carom-distance-XXXXXX", command[4096];
  int handle = mkstemp(path);
  assert_true(handle >= 0);
  assert_int_equal(write(handle, input, size), (ssize_t)size);
  close(handle);
  snprintf(command, sizeof command, "'%s' distance %s <%s 2>&1", CAROM_TOOL, arguments, path);
  FILE* pipe = popen(command, "r");
  assert_non_null(pipe);
  size_t length = fread(run.out, 1, sizeof run.out - 1, pipe);
  run.out[length] = '\0';
  int status = pclose(pipe);
  assert_true(WIFEXITED(status));
  run.exitCode = WEXITSTATUS(status);
  unlink(path);
}

static void answerLines(const char* input, int exitCode)
{
  runTool("", input, strlen(input));
  if (run.exitCode != exitCode) {
    print_error("exit %d, expected %d:\n%s\n", run.exitCode, exitCode, run.out);
    fail();
  }
}

// Line `index` of the output as JSON; the caller releases it.
static json_t* outputLine(int index)
{
  const char* start = run.out;
  for (int i = 0; i < index && start != NULL; ++i) {
    start = strchr(start, '\n');
    start = start != NULL ? start + 1 : NULL;
  }
  const char* end = start != NULL ? strchr(start, '\n') : NULL;
  if (end == NULL) {
    print_error("there is no line %d in:\n%s\n", index, run.out);
    fail();
  }
  json_t* json = json_loadb(start, (size_t)(end - start), 0, NULL);
  assert_non_null(json);
  return json;
}

static int countLines(void)
{
  int count = 0;
  for (const char* c = run.out; *c != '\0'; ++c) {
    count += *c == '\n';
  }
  return count;
}

static double numberOf(const json_t* json, const char* key)
{
  const json_t* number = json_object_get(json, key);
  assert_true(json_is_number(number));
  return json_number_value(number);
}

static crVec3 vectorOf(const json_t* json, const char* key)
{
  const json_t* list = json_object_get(json, key);
  assert_int_equal(json_array_size(list), 3);
  return crMakeVec3(json_number_value(json_array_get(list, 0)), json_number_value(json_array_get(list, 1)),
                    json_number_value(json_array_get(list, 2)));
}

static void assertError(int index, int line, const char* part)
{
  json_t* json = outputLine(index);
  const char* error = json_string_value(json_object_get(json, "error"));
  if (error == NULL || strstr(error, part) == NULL || (line > 0 && numberOf(json, "line") != line)) {
    print_error("'%s' of line %d is not in:\n%s\n", part, line, run.out);
    fail();
  }
  json_decref(json);
}

// The distance of the answer to one query.
static double distanceOf(const char* line)
{
  answerLines(line, 0);
  json_t* json = outputLine(0);
  double distance = numberOf(json, "distance");
  json_decref(json);
  return distance;
}

// ------------------------------------------------------------------------------------------- answers

#define TORUS "{\"type\":\"revolved\",\"profile\":[[5,0,4,-1],[3,0,4,1]]}"

// A ball in the hole of a torus, 2 from its tube all around.
static void surfaces_of_profiles_answer_spheres_alone(void** state)
{
  (void)state;
  assert_close(distanceOf(LINE(SPHERE, ORIGIN, TORUS, ORIGIN)), 2.0, 1e-14);
  assert_close(distanceOf(LINE(TORUS, ORIGIN, SPHERE, ASIDE)), -1.0, 1e-14);
  answerLines(LINE(BOX, ORIGIN, TORUS, ORIGIN), 1);
  assertError(0, 1,
              "b.shape: a revolved shape has no distance from this one, found box, allowed: sphere, with a "
              "pieceError [m] it has convex pieces");
}

#define DRUM(more) "{\"type\":\"cylinder\",\"radius\":2,\"length\":4,\"hollow\":true" more "}"
#define GEAR "{\"type\":\"involuteGear\",\"teeth\":17,\"module\":0.002,\"length\":0.02}"

// Without pieces they have none from a box, which was "misuse" and no more; with them what the message promises.
static void surfaces_without_pieces_are_told_what_makes_them(void** state)
{
  (void)state;
  static const struct {
    const char *line, *message;
  } cases[] = {
    { LINE(BOX, ORIGIN, DRUM(""), ORIGIN),
      "b.shape: a hollow cylinder shape has no distance from this one, found box, allowed: sphere, ellipsoid, with a "
      "pieceError" },
    { LINE(DRUM(""), ORIGIN, "{\"type\":\"halfSpace\"}", ORIGIN), "a.shape: a hollow cylinder shape" },
    { LINE(GEAR, ORIGIN, BOX, ASIDE),
      "a.shape: an involuteGear shape has no distance from this one, found box, allowed: sphere, cylinder, extruded, "
      "involuteGear, with a pieceError" },
    { LINE(TORUS, ORIGIN, DRUM(""), ORIGIN), "found hollow cylinder, allowed: sphere, with a pieceError" },
    { LINE(TORUS, ORIGIN, DRUM(""), ORIGIN), "; b.shape: a hollow cylinder shape has no distance from this one" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    answerLines(cases[i].line, 1);
    assertError(0, 1, cases[i].message);
  }
  runTool("'" BOX "' '" ORIGIN "' '" DRUM("") "' '" ORIGIN "'", "", 0);
  assert_int_equal(run.exitCode, 1);
  assertError(0, 0, "SHAPE_B: a hollow cylinder shape");
  double exact = 2.0 - sqrt(0.5); // of the upright edges
  assert_close(distanceOf(LINE(BOX, ORIGIN, DRUM(",\"pieceError\":1e-3"), ORIGIN)), exact, 1e-3);
  assert_close(distanceOf(LINE(SPHERE, ORIGIN, DRUM(""), ORIGIN)), 1.0, 1e-14);
}

#define PRISM(more) "{\"type\":\"extruded\",\"profile\":[[0,0],[1,0],[0,1" more "]],\"length\":1}"

// Only what happens across both axes was looked at: two that lay in each other, or one above the other or across it,
// had the distance of their outlines, without a normal, and it was said to be exact.
static void prisms_are_solids_and_not_outlines_alone(void** state)
{
  (void)state;
  static const struct {
    const char* pose;
    double distance;
  } cases[] = {
    { "{\"position\":[2,0,0.1]}", 1.0 },                                // beside
    { "{\"position\":[2,0,3]}", 2.2360679774997897 },                   // edge to edge
    { "{\"position\":[0,0,3]}", 2.0 },                                  // above
    { "{\"position\":[0,0,0.1]}", -0.70710678118654752 },               // in each other
    { "{\"position\":[0.1,0.1,0.9]}", -0.1 },                           // up is the shortest way out
    { "{\"position\":[0.25,0.25,2.5],\"quaternion\":[1,1,0,0]}", 2.0 }, // across: z from 2.5 to 3.5
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char line[512];
    snprintf(line, sizeof line, LINE(PRISM(""), ORIGIN, PRISM(""), "%s"), cases[i].pose);
    answerLines(line, 0);
    json_t* json = outputLine(0);
    assert_close(numberOf(json, "distance"), cases[i].distance, 1e-12);
    assert_close(crLength(vectorOf(json, "normal")), 1.0, 1e-14);
    assert_true(json_is_true(json_object_get(json, "converged")));
    json_decref(json);
  }
  // an arc, and so no pieces: what is not known is said
  answerLines(LINE(PRISM(",9"), ORIGIN, PRISM(""), "{\"position\":[0,0,3]}"), 0);
  json_t* json = outputLine(0);
  assert_true(json_is_false(json_object_get(json, "converged")));
  assert_true(json_is_null(json_object_get(json, "upperBound")));
  json_decref(json);
}

static void one_query_stands_in_the_arguments(void** state)
{
  (void)state;
  runTool("'" SPHERE "' '" ORIGIN "' '" BOX "' '" ASIDE "'", "", 0);
  assert_int_equal(run.exitCode, 0);
  assert_int_equal(countLines(), 1);
  json_t* json = outputLine(0);
  assert_close(numberOf(json, "distance"), 1.5, 1e-15);
  assert_vec_close(vectorOf(json, "normal"), crMakeVec3(1.0, 0.0, 0.0), 0.0);
  assert_vec_close(vectorOf(json, "pointA"), crMakeVec3(1.0, 0.0, 0.0), 1e-15);
  assert_vec_close(vectorOf(json, "pointB"), crMakeVec3(2.5, 0.0, 0.0), 1e-15);
  assert_true(json_is_true(json_object_get(json, "converged")));
  assert_true(json_is_true(json_object_get(json, "global")));
  assert_true(numberOf(json, "lowerBound") <= 1.5 && numberOf(json, "upperBound") >= 1.5);
  assert_true(numberOf(json, "iterations") >= 1.0);
  const json_t *surfaceA = json_object_get(json, "surfaceA"), *surfaceB = json_object_get(json, "surfaceB");
  assert_string_equal(json_string_value(json_object_get(surfaceA, "kind")), "smooth");
  assert_string_equal(json_string_value(json_object_get(surfaceB, "kind")), "face");
  assert_true(numberOf(surfaceB, "id") == 1.0);
  assert_close(numberOf(json_object_get(json, "curvatureA"), "k1"), 1.0, 1e-15);
  json_decref(json);
}

static void every_shape_of_the_format_is_known(void** state)
{
  (void)state;
  const struct {
    const char* line;
    double distance;
  } cases[] = {
    { LINE(SPHERE, ORIGIN, SPHERE, ASIDE), 1.0 },
    { LINE(SPHERE, ORIGIN, "{\"type\":\"capsule\",\"radius\":0.5,\"length\":2}", ASIDE), 1.5 },
    { LINE(SPHERE, ORIGIN, "{\"type\":\"cylinder\",\"radius\":0.5,\"length\":2}", ASIDE), 1.5 },
    { LINE(SPHERE, ORIGIN, "{\"type\":\"ellipsoid\",\"radii\":[0.25,1,2]}", ASIDE), 1.75 },
    { LINE(SPHERE, "{\"position\":[0,0,6]}", "{\"type\":\"cone\",\"radius\":1,\"length\":2}", ORIGIN), 3.0 },
    { LINE(SPHERE, "{\"position\":[0,0,-6]}", "{\"type\":\"cone\",\"radius\":1,\"length\":2}", ORIGIN), 5.0 },
    { LINE(SPHERE, ORIGIN, "{\"type\":\"hull\",\"points\":[[2,-1,-1],[2,1,-1],[2,0,1],[3,0,0]]}", ORIGIN), 1.0 },
    { LINE(SPHERE, ORIGIN, "{\"type\":\"beam\",\"length\":1,\"width\":1,\"height\":1}", ASIDE), 1.0 },
    { LINE(SPHERE, "{\"position\":[5,5,4]}", "{\"type\":\"halfSpace\"}", ORIGIN), 3.0 },
    // rounding lies inside the size and is none unless given, so a corner is where the box ends
    { LINE(SPHERE, ORIGIN, "{\"type\":\"box\",\"size\":[2,2,2]}", "{\"position\":[4,4,4]}"),
      3.0 * 1.7320508075688772 - 1.0 },
    { LINE(SPHERE, ORIGIN, "{\"type\":\"box\",\"size\":[2,2,2],\"rounding\":0.125}", "{\"position\":[4,4,4]}"),
      3.125 * 1.7320508075688772 - 1.125 },
    { LINE(SPHERE, ORIGIN, "{\"type\":\"box\",\"size\":[1,1,1],\"inflate\":0.5}", ASIDE), 1.0 },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    assert_close(distanceOf(cases[i].line), cases[i].distance, 1e-14);
  }
}

static void quaternions_are_normalized_whatever_their_length(void** state)
{
  (void)state;
  // turned by 45 degrees about z a box of edge 2 reaches out to the root of 2
  const char* quaternions[] = { "[0.92387953251128674,0,0,0.38268343236508978]",
                                "[9.2387953251128674,0,0,3.8268343236508978]",
                                "[9.2387953251128674e-300,0,0,3.8268343236508978e-300]",
                                "[-9.2387953251128674e300,0,0,-3.8268343236508978e300]" };
  for (int i = 0; i < 4; ++i) {
    char line[512];
    snprintf(line, sizeof line, LINE(SPHERE, ASIDE, "{\"type\":\"box\",\"size\":[2,2,2]}", "{\"quaternion\":%s}"),
             quaternions[i]);
    assert_close(distanceOf(line), 2.0 - 1.4142135623730951, 1e-14);
  }
}

static void the_answers_are_those_of_the_library(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(5);
  for (int i = 0; i < 20; ++i) {
    crVec3 p = crScale(crRandom_Uniform(&random, 1.0, 3.0), crRandom_UnitVec3(&random));
    crQuat q = crRandom_Rotation(&random);
    char line[1024];
    snprintf(line, sizeof line,
             LINE(BOX, ORIGIN, "{\"type\":\"cylinder\",\"radius\":0.5,\"length\":2}",
                  "{\"position\":[%.17g,%.17g,%.17g],\"quaternion\":[%.17g,%.17g,%.17g,%.17g]}"),
             p.x, p.y, p.z, q.w, q.x, q.y, q.z);
    crShapeDef box = crDefaultShapeDef(cr_shapeBox), cylinder = crDefaultShapeDef(cr_shapeCylinder);
    box.rounding = cylinder.rounding = CR_ZERO;
    box.as.box.size = crMakeVec3(1.0, 1.0, 1.0);
    cylinder.as.cylinder.radius = 0.5;
    cylinder.as.cylinder.length = 2.0;
    crShape *a, *b;
    assert_int_equal(crCreateShape(&box, NULL, NULL, &a), cr_ok);
    assert_int_equal(crCreateShape(&cylinder, NULL, NULL, &b), cr_ok);
    crPose X_WA = crIdentityPose(), X_WB = crMakePose(p, q);
    crDistance d;
    assert_int_equal(crComputeDistance(a, &X_WA, b, &X_WB, NULL, &d), cr_ok);
    assert_close(distanceOf(line), d.distance, 1e-14);
    crDestroyShape(a);
    crDestroyShape(b);
  }
}

static void half_spaces_that_overlap_without_end_have_no_distance(void** state)
{
  (void)state;
  answerLines(LINE("{\"type\":\"halfSpace\"}", ORIGIN, "{\"type\":\"halfSpace\"}", ASIDE), 0);
  json_t* json = outputLine(0);
  assert_true(json_is_null(json_object_get(json, "distance")));
  json_decref(json);
}

// -------------------------------------------------------------------------------------------- lines

static void a_wrong_line_is_named_in_its_place_and_the_rest_is_answered(void** state)
{
  (void)state;
  answerLines(GOOD_LINE "\nnonsense\n\n  \t\r\n{}\n" GOOD_LINE "\r\n" GOOD_LINE, 1);
  assert_int_equal(countLines(), 5);
  for (int i = 0; i < 5; ++i) {
    if (i != 1 && i != 2) {
      json_t* json = outputLine(i);
      assert_close(numberOf(json, "distance"), 1.5, 1e-15);
      json_decref(json);
    }
  }
  assertError(1, 2, "column 8: invalid token near 'nonsense'");
  assertError(2, 5, "a: missing, allowed: {\"shape\": ..., \"pose\": ...}; b: missing");
}

static void every_fault_of_a_query_is_told(void** state)
{
  (void)state;
  const struct {
    const char* line;
    const char* message;
  } cases[] = {
    { "[1, 2]", "query: of the wrong type, found a list, allowed: {\"a\": ..., \"b\": ...}" },
    { "{\"a\":{\"shape\":" SPHERE "}}",
      "a.pose: missing, allowed: {\"position\": ..., \"quaternion\": ...}; b: missing" },
    { "{\"a\":{\"pose\":" ORIGIN "},\"b\":{\"shape\":" SPHERE ",\"pose\":" ORIGIN "}}",
      "a.shape: missing, allowed: {\"type\": \"sphere\", \"radius\": ...} or another shape" },
    { LINE("{\"type\":\"sphere\"}", ORIGIN, BOX, ORIGIN), "a.shape.radius is missing" },
    { LINE("{\"type\":\"sphere\",\"radius\":-1}", ORIGIN, BOX, ORIGIN),
      "a.shape: radius must be positive, found -1, allowed: > 0 [m]" },
    { LINE("{\"type\":\"spere\",\"radius\":1}", ORIGIN, BOX, ORIGIN),
      "there is no such shape, found spere, allowed: sphere" },
    { LINE("{\"type\":\"sphere\",\"radus\":1}", ORIGIN, BOX, ORIGIN), "did you mean 'radius'?" },
    { LINE("{\"radius\":1}", ORIGIN, BOX, ORIGIN), "a.shape has no \"type\"" },
    { LINE("{\"type\":\"grid\",\"width\":1,\"length\":1,\"spacing\":1}", ORIGIN, BOX, ORIGIN), "a.shape" },
    { LINE("{\"type\":\"hull\",\"points\":[[0,0,0],[1,0,0],[2,0,0],[3,0,0]]}", ORIGIN, BOX, ORIGIN), "a.shape: " },
    { LINE("{\"type\":\"mesh\",\"file\":\"/nowhere/x.stl\"}", ORIGIN, BOX, ORIGIN), "/nowhere/x.stl" },
    { LINE("{\"type\":\"box\",\"size\":[1,1,1],\"rounding\":1}", ORIGIN, BOX, ORIGIN), "rounding" },
    { LINE(SPHERE, "{\"position\":[0,0]}", BOX, ORIGIN),
      "a.pose.position: of the wrong type, found a list, allowed: [x, y, z]" },
    { LINE(SPHERE, "{\"quaternion\":[0,0,0,0]}", BOX, ORIGIN), "a.pose.quaternion: without a direction" },
    { LINE(SPHERE, "{\"quaternion\":[1,0,0,\"0\"]}", BOX, ORIGIN), "a.pose.quaternion: of the wrong type" },
    { LINE(SPHERE, "{\"rotation\":[0,0,0]}", BOX, ORIGIN), "a.pose: there is no such field here, found rotation" },
    { LINE(SPHERE, "3", BOX, ORIGIN), "a.pose: of the wrong type, found a number" },
    { "{\"a\":1,\"a\":2}", "a key is given twice" },
    { LINE(SPHERE, "{\"position\":[1e999,0,0]}", BOX, ORIGIN), "a number is out of range" },
    { GOOD_LINE " x", "something follows after the end of the query" },
    { "\"\xff\"", "not valid UTF-8" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    answerLines(cases[i].line, 1);
    assert_int_equal(countLines(), 1);
    assertError(0, 1, cases[i].message);
  }
}

static void zero_bytes_and_wrong_arguments_are_refused(void** state)
{
  (void)state;
  runTool("", "{\0}\n" GOOD_LINE "\n", 4 + sizeof GOOD_LINE);
  assert_int_equal(run.exitCode, 1);
  assertError(0, 1, "zero byte");
  runTool("'{}' '{}'", "", 0);
  assert_int_equal(run.exitCode, 2);
  assert_non_null(strstr(run.out, "are four arguments, not 2\ntry: carom help distance"));
  runTool("--wrong", "", 0);
  assert_int_equal(run.exitCode, 2);
  runTool("--help", "", 0);
  assert_int_equal(run.exitCode, 0);
  assert_non_null(strstr(run.out, "usage: carom distance"));
  runTool("'" SPHERE "' '{' '" BOX "' '[1]'", "", 0);
  assert_int_equal(run.exitCode, 1);
  assertError(0, 0, "POSE_A");
  assertError(0, 0, "POSE_B: of the wrong type");
}

static void an_empty_input_has_an_empty_answer(void** state)
{
  (void)state;
  answerLines("", 0);
  assert_string_equal(run.out, "");
  answerLines("\n\n", 0);
  assert_string_equal(run.out, "");
}

// Far longer than what is read at once.
static void a_line_may_be_long(void** state)
{
  (void)state;
  enum { count = 20000 };
  size_t size = 0, capacity = 400 + 64 * (size_t)count;
  char* line = malloc(capacity);
  assert_non_null(line);
  size += (size_t)snprintf(line, capacity,
                           "{\"b\":{\"shape\":" SPHERE ",\"pose\":" ASIDE
                           "},\"a\":{\"pose\":{},\"shape\":{\"type\":\"hull\",\"points\":[[1,0,0],[0,1,0],[0,0,1]");
  crRandom random = crMakeRandom(9);
  for (int i = 0; i < count; ++i) {
    crVec3 p = crScale(-0.5, crAbsVec3(crRandom_UnitVec3(&random)));
    size += (size_t)snprintf(line + size, capacity - size, ",[%.6f,%.6f,%.6f]", p.x, p.y, p.z);
  }
  size += (size_t)snprintf(line + size, capacity - size, "]}}}\n%s\n", GOOD_LINE);
  runTool("", line, size);
  free(line);
  assert_int_equal(run.exitCode, 0);
  assert_int_equal(countLines(), 2);
  json_t* json = outputLine(0);
  assert_close(numberOf(json, "distance"), 1.0, 1e-14);
  json_decref(json);
}

// Answers come before the next question, not when the input ends.
static void answers_do_not_wait_for_the_end_of_the_input(void** state)
{
  (void)state;
  int in[2], out[2];
  assert_int_equal(pipe(in), 0);
  assert_int_equal(pipe(out), 0);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    close(in[1]);
    close(out[0]);
    alarm(60);
    execl(CAROM_TOOL, CAROM_TOOL, "distance", (char*)NULL);
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  const char question[] = GOOD_LINE "\n";
  for (int i = 0; i < 3; ++i) {
    assert_int_equal(write(in[1], question, sizeof question - 1), (ssize_t)sizeof question - 1);
    char answer[4096];
    ssize_t size = 0;
    do {
      ssize_t more = read(out[0], answer + size, sizeof answer - 1 - (size_t)size);
      assert_true(more > 0);
      size += more;
    } while (answer[size - 1] != '\n');
    answer[size] = '\0';
    assert_non_null(strstr(answer, "{\"distance\": 1.5,"));
  }
  close(in[1]);
  close(out[0]);
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

// ------------------------------------------------------------------------------------------- memory

static void collect(void* context, const char* text, size_t size)
{
  Run* collected = context;
  size_t length = strlen(collected->out);
  size = size < sizeof collected->out - 1 - length ? size : sizeof collected->out - 1 - length;
  memcpy(collected->out + length, text, size);
  collected->out[length + size] = '\0';
}

static void a_query_without_memory_says_so_and_leaks_nothing(void** state)
{
  (void)state;
  static const char line[] =
      LINE("{\"type\":\"hull\",\"points\":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]]}", ORIGIN, BOX, ASIDE);
  bool isAnswered = false;
  for (long failAt = 0; !isAnswered; ++failAt) {
    assert_true(failAt < 1000);
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    counter.failAt = failAt;
    crDistanceQueries queries;
    crDistanceQueries_Init(&queries, &allocator);
    run.out[0] = '\0';
    crTextWriter writer = { collect, &run };
    isAnswered = crDistanceQueries_Answer(&queries, line, sizeof line - 1, 7, writer) == cr_ok;
    assert_int_equal(countLines(), 1);
    if (!isAnswered) {
      assertError(0, 7, "memory");
    }
    crDistanceQueries_Free(&queries);
    assert_int_equal(counter.liveBlocks, 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(surfaces_of_profiles_answer_spheres_alone),
    cmocka_unit_test(surfaces_without_pieces_are_told_what_makes_them),
    cmocka_unit_test(prisms_are_solids_and_not_outlines_alone),
    cmocka_unit_test(one_query_stands_in_the_arguments),
    cmocka_unit_test(every_shape_of_the_format_is_known),
    cmocka_unit_test(quaternions_are_normalized_whatever_their_length),
    cmocka_unit_test(the_answers_are_those_of_the_library),
    cmocka_unit_test(half_spaces_that_overlap_without_end_have_no_distance),
    cmocka_unit_test(a_wrong_line_is_named_in_its_place_and_the_rest_is_answered),
    cmocka_unit_test(every_fault_of_a_query_is_told),
    cmocka_unit_test(zero_bytes_and_wrong_arguments_are_refused),
    cmocka_unit_test(an_empty_input_has_an_empty_answer),
    cmocka_unit_test(a_line_may_be_long),
    cmocka_unit_test(answers_do_not_wait_for_the_end_of_the_input),
    cmocka_unit_test(a_query_without_memory_says_so_and_leaks_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
