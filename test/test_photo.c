// Pictures and films by a headless Chromium. Where none is installed, CAROM_NO_BROWSER=1 skips what needs it.
#include "carom/report.h"
#include "show/process.h"

#include "support/folder.h"
#include "support/log.h"
#include "support/record_run.h"
#include "support/results.h"

#include <cairo.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char ball[] =
    "local w = world('w')\n"
    "object('floor', { parent = w, visual{ shape = box{ size = { 4, 4, 0.1 } }, visual = 'Gray' } })\n"
    "object('ball', { parent = w, free = true, position = { 0, 0, 2 }, velocity = { 1, 0, 0 },\n"
    "  solid{ shape = sphere{ radius = 0.4 }, material = 'Steel', visual = 'Red' } })\n";

static bool isBrowserUnwanted(void)
{
  const char* setting = getenv("CAROM_NO_BROWSER");
  bool isUnwanted = setting != NULL && strcmp(setting, "1") == 0;
  if (isUnwanted) {
    print_message("SKIPPED: needs a browser, and CAROM_NO_BROWSER=1\n");
  }
  return isUnwanted;
}

// Red pixels of a picture, and its colours altogether.
typedef struct Census {
  int width, height, redCount, colorCount;
  double redMiddle; // of the columns of red pixels, 0 to 1
} Census;

static Census countPixels(const char* path)
{
  cairo_surface_t* picture = cairo_image_surface_create_from_png(path);
  assert_int_equal(cairo_surface_status(picture), CAIRO_STATUS_SUCCESS);
  Census census = { .width = cairo_image_surface_get_width(picture),
                    .height = cairo_image_surface_get_height(picture) };
  const unsigned char* data = cairo_image_surface_get_data(picture);
  static bool seen[1 << 15];
  double sum = 0.0;
  memset(seen, 0, sizeof seen);
  for (int y = 0; y < census.height; ++y) {
    const uint32_t* row =
        (const uint32_t*)(const void*)(data + (size_t)y * (size_t)cairo_image_surface_get_stride(picture));
    for (int x = 0; x < census.width; ++x) {
      unsigned r = row[x] >> 16 & 255, g = row[x] >> 8 & 255, b = row[x] & 255;
      unsigned color = (r >> 3) << 10 | (g >> 3) << 5 | b >> 3;
      census.colorCount += !seen[color];
      seen[color] = true;
      bool isRed = r > 90 && g < r / 2 && b < r / 2;
      census.redCount += isRed;
      sum += isRed ? x + 0.5 : 0.0;
    }
  }
  census.redMiddle = census.redCount > 0 ? sum / census.redCount / census.width : -1.0;
  cairo_surface_destroy(picture);
  return census;
}

static int countEntries(const char* path)
{
  DIR* folder = opendir(path);
  int count = -2; // . and ..
  assert_non_null(folder);
  while (readdir(folder) != NULL) {
    ++count;
  }
  closedir(folder);
  return count;
}

// ----------------------------------------------------------------------------------------- pictures

static void a_picture_shows_the_ball_where_it_is(void** state)
{
  (void)state;
  if (isBrowserUnwanted()) {
    return;
  }
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crResult* result = crRecordTestRun(ball, crTestPath("ball.h5"), 0.5, 0.05);
  crPhotoOptions options = crDefaultPhotoOptions();
  mkdir(crTestPath("tmp"), 0777);
  setenv("TMPDIR", crTestPath("tmp"), 1);
  options.width = 320;
  options.height = 180;
  options.direction = (crVec3){ 0.0, -1.0, 0.2 }; // x to the right
  options.time = CR_ZERO;
  crStatus status = crWritePng(result, crTestPath("a.png"), &options, NULL, &sink);
  assert_no_messages(log);
  assert_int_equal(status, cr_ok);
  options.time = 0.5;
  assert_int_equal(crWritePng(result, crTestPath("b.png"), &options, NULL, &sink), cr_ok);
  Census a = countPixels(crTestPath("a.png")), b = countPixels(crTestPath("b.png"));
  assert_true(a.width == 320 && a.height == 180);
  assert_true(a.redCount > 30 && b.redCount > 30 && a.colorCount > 20);
  assert_true(b.redMiddle > a.redMiddle + 0.02); // it went 0.5 m to the right
  assert_int_equal(countEntries(crTestPath("tmp")), 0);
  unsetenv("TMPDIR");
  crDestroyResult(result);
  crDestroyErrorLog(log);
}

static void a_film_has_its_frames(void** state)
{
  (void)state;
  char program[CR_PROCESS_PATH];
  if (isBrowserUnwanted()) {
    return;
  }
  if (!crFindProgram("ffmpeg", program)) {
    print_message("SKIPPED: ffmpeg is not installed\n");
    return;
  }
  crResult* result = crRecordTestRun(ball, crTestPath("ball.h5"), 0.5, 0.05);
  crPhotoOptions options = crDefaultPhotoOptions();
  options.width = 161; // odd, which H.264 does not like
  options.height = 90;
  options.frameRate = 10.0;
  assert_int_equal(crWriteVideo(result, crTestPath("film.mp4"), &options, NULL, NULL), cr_ok);
  size_t size;
  char* bytes = crReadTestFile(crTestPath("film.mp4"), &size);
  assert_true(size > 500);
  assert_memory_equal(bytes + 4, "ftyp", 4);
  free(bytes);
  crDestroyResult(result);
}

static bool stopAtOnce(void* context, double share)
{
  (void)share;
  return *(bool*)context;
}

static void a_film_that_is_broken_off_leaves_nothing(void** state)
{
  (void)state;
  char program[CR_PROCESS_PATH];
  if (isBrowserUnwanted() || !crFindProgram("ffmpeg", program)) {
    return;
  }
  crResult* result = crRecordTestRun(ball, crTestPath("ball.h5"), 0.5, 0.05);
  crPhotoOptions options = crDefaultPhotoOptions();
  bool isStopped = true;
  options.width = 160;
  options.height = 90;
  options.shouldStop = stopAtOnce;
  options.context = &isStopped;
  assert_int_equal(crWriteVideo(result, crTestPath("never.mp4"), &options, NULL, NULL), cr_cancelled);
  assert_int_not_equal(access(crTestPath("never.mp4"), F_OK), 0);
  crDestroyResult(result);
}

// ------------------------------------------------------------------------------------------ failures

static void putProgram(const char* name, const char* script)
{
  char path[64];
  snprintf(path, sizeof path, "bin/%s", name);
  unlink(crTestPath(path));
  if (script != NULL) {
    crWriteTestFile(crTestPath(path), script, strlen(script));
    chmod(crTestPath(path), 0755);
  }
}

// A folder with a program `chromium` that does this, and perhaps an `ffmpeg`, as the only ones in PATH.
static char* usePath(const char* script, const char* encoder)
{
  static char before[1 << 15];
  snprintf(before, sizeof before, "%s", getenv("PATH"));
  mkdir(crTestPath("bin"), 0777);
  putProgram("chromium", script);
  putProgram("ffmpeg", encoder);
  setenv("PATH", crTestPath("bin"), 1);
  return before;
}

static void assertFails(const char* script, const char* message)
{
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crWriteTestResult(crTestPath("plain.h5"), 2, 5);
  crResult* result = crReadTestResult(crTestPath("plain.h5"));
  mkdir(crTestPath("tmp"), 0777);
  setenv("TMPDIR", crTestPath("tmp"), 1);
  char* path = usePath(script, NULL);
  assert_int_equal(crWritePng(result, crTestPath("x.png"), NULL, NULL, &sink), cr_errorFile);
  setenv("PATH", path, 1);
  unsetenv("TMPDIR");
  assert_message(log, cr_severityError, message);
  assert_int_not_equal(access(crTestPath("x.png"), F_OK), 0);
  assert_int_equal(countEntries(crTestPath("tmp")), 0);
  crDestroyResult(result);
  crDestroyErrorLog(log);
}

static void a_missing_or_broken_browser_is_told(void** state)
{
  (void)state;
  assertFails(NULL, "pictures need Chromium, and none was found");
  assertFails("#!/bin/sh\necho 'no display for you' >&2\nexit 1\n", "no display for you");
  assertFails("#!/bin/sh\nprintf 'this is no JSON\\0' >&4\nread x <&3\n", "the browser says what cannot be understood");
  assertFails("#!/bin/sh\nprintf '{\"id\":1,\"error\":{\"message\":\"not today\"}}\\0' >&4\nread x <&3\n", "not today");
}

// A browser that answers all calls beforehand: the window is open, the page is as `page` says, the picture `picture`.
#define ANSWERS(page, picture)                                                                                         \
  "#!/bin/sh\n"                                                                                                        \
  "printf '{\"id\":1,\"result\":{\"targetId\":\"t\"}}\\0{\"id\":2,\"result\":{\"sessionId\":\"s\"}}\\0' >&4\n"         \
  "printf '{\"id\":3,\"result\":{}}\\0{\"id\":4,\"result\":{}}\\0{\"method\":\"Page.loadEventFired\"}\\0' >&4\n"       \
  "printf '{\"id\":5,\"result\":" page "}\\0' >&4\n"                                                                   \
  "i=6; while [ $i -lt 100 ]; do printf '{\"id\":%d,\"result\":" picture "}\\0' $i >&4; i=$((i + 1)); done\n"          \
  "read x <&3\n"
#define VALUE(text) "{\"result\":{\"value\":\"" text "\"}}"
// one grey pixel
#define PIXEL "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="

static void a_page_that_gives_no_picture_is_told(void** state)
{
  (void)state;
  assertFails(ANSWERS(VALUE("failed"), "{}"), "the page of the report could not be shown\n  hint: open the report");
  assertFails(ANSWERS("{\"exceptionDetails\":{\"exception\":{\"description\":\"no such thing\"}}}", "{}"),
              "the page of the report cannot do that\n  found no such thing");
  assertFails(ANSWERS(VALUE("1"), VALUE("black")), "the page of the report gave no picture");
  assertFails(ANSWERS(VALUE("1"), "{}"), "the page of the report gave no picture");
  assertFails("#!/no/such/shell\n", "picture: the browser");
}

// What the browser answers is what is in the file.
static void a_picture_is_written_as_the_browser_gives_it(void** state)
{
  (void)state;
  crWriteTestResult(crTestPath("plain.h5"), 2, 5);
  crResult* result = crReadTestResult(crTestPath("plain.h5"));
  char* path = usePath(ANSWERS(VALUE("1"), VALUE("data:image/png;base64," PIXEL)), NULL);
  assert_int_equal(crWritePng(result, crTestPath("pixel.png"), NULL, NULL, NULL), cr_ok);
  setenv("PATH", path, 1);
  Census census = countPixels(crTestPath("pixel.png"));
  assert_int_equal(census.width, 1);
  assert_int_equal(census.height, 1);
  crDestroyResult(result);
}

static void assertNoFilm(const char* encoder, const char* message)
{
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crWriteTestResult(crTestPath("plain.h5"), 2, 5);
  crResult* result = crReadTestResult(crTestPath("plain.h5"));
  crPhotoOptions options = crDefaultPhotoOptions();
  options.frameRate = 2.0 / crTestTime(4); // two frames and the end
  char* path = usePath(ANSWERS(VALUE("1"), VALUE("data:image/png;base64," PIXEL)), encoder);
  assert_int_equal(crWriteVideo(result, crTestPath("x.mp4"), &options, NULL, &sink), cr_errorFile);
  setenv("PATH", path, 1);
  assert_message(log, cr_severityError, message);
  assert_int_not_equal(access(crTestPath("x.mp4"), F_OK), 0);
  crDestroyResult(result);
  crDestroyErrorLog(log);
}

static void a_missing_or_broken_encoder_is_told(void** state)
{
  (void)state;
  assertNoFilm(NULL, "films need ffmpeg, and it was not found\n  hint: install the package ffmpeg");
  assertNoFilm("#!/bin/sh\necho 'no such codec' >&2\nexit 1\n",
               "ffmpeg could not make the film\n  found no such codec");
  assertNoFilm("#!/bin/sh\nwhile read -r line; do :; done\n",
               "the film cannot be read\n  found No such file or directory");
}

static void a_temporary_folder_that_cannot_be_made_is_told(void** state)
{
  (void)state;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crWriteTestResult(crTestPath("plain.h5"), 2, 5);
  crResult* result = crReadTestResult(crTestPath("plain.h5"));
  char* path = usePath(ANSWERS(VALUE("1"), "{}"), NULL);
  setenv("TMPDIR", "/dev/null", 1);
  assert_int_equal(crWritePng(result, crTestPath("x.png"), NULL, NULL, &sink), cr_errorFile);
  unsetenv("TMPDIR");
  setenv("PATH", path, 1);
  assert_message(log, cr_severityError, "no folder for temporary files can be made\n  found Not a directory");
  // one that leaves no room for the names behind it: of the log, or of the report
  for (int length = 4075; length <= 4080; length += 5) {
    char folder[4100];
    size_t used = (size_t)snprintf(folder, sizeof folder, "%s", crTestPath("."));
    while (used < (size_t)length) {
      size_t part = (size_t)length - used > 251 ? 249 : (size_t)length - used - 1;
      folder[used] = '/';
      memset(folder + used + 1, 't', part);
      used += 1 + part;
      folder[used] = '\0';
      assert_true(mkdir(folder, 0777) == 0 || errno == EEXIST);
    }
    assert_int_equal(used, length);
    crErrorLog_Clear(log);
    usePath(ANSWERS(VALUE("1"), "{}"), NULL);
    setenv("TMPDIR", folder, 1);
    assert_int_equal(crWritePng(result, crTestPath("x.png"), NULL, NULL, &sink), cr_errorFile);
    unsetenv("TMPDIR");
    setenv("PATH", path, 1);
    assert_message(log, cr_severityError, "the folder for temporary files has too long a name\n  found /");
  }
  crDestroyResult(result);
  crDestroyErrorLog(log);
}

static void options_that_cannot_be_meant_are_refused(void** state)
{
  (void)state;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crWriteTestResult(crTestPath("plain.h5"), 2, 5);
  crResult* result = crReadTestResult(crTestPath("plain.h5"));
  crPhotoOptions options = crDefaultPhotoOptions();
  options.width = 5;
  options.page = "secrets";
  options.theme = "pink";
  options.speed = -1.0;
  options.frameRate = NAN;
  assert_int_equal(crWritePng(result, crTestPath("x.png"), &options, NULL, &sink), cr_errorModel);
  assert_message(log, cr_severityError, "the picture has a size that cannot be drawn");
  assert_message(log, cr_severityError, "the report has no such page");
  assert_message(log, cr_severityError, "there is no such theme");
  assert_message(log, cr_severityError, "the speed of the film must be positive");
  assert_message(log, cr_severityError, "the number of frames a second is out of range");
  options = crDefaultPhotoOptions();
  options.from = 10.0;
  options.to = 20.0; // the run is over by then
  assert_int_equal(crWriteVideo(result, crTestPath("x.mp4"), &options, NULL, &sink), cr_errorModel);
  assert_message(log, cr_severityError, "a number of frames that cannot be made");
  crWriteTestResult(crTestPath("empty.h5"), 2, 0);
  crResult* empty = crReadTestResult(crTestPath("empty.h5"));
  assert_int_equal(crWritePng(empty, crTestPath("x.png"), NULL, NULL, &sink), cr_errorModel);
  assert_message(log, cr_severityError, "the result has no rows, so there is nothing to draw");
  crDestroyResult(empty);
  assert_int_equal(crWritePng(NULL, "x", NULL, NULL, NULL), cr_errorMisuse);
  assert_int_equal(crWriteVideo(result, NULL, NULL, NULL, NULL), cr_errorMisuse);
  crDestroyResult(result);
  crDestroyErrorLog(log);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_picture_shows_the_ball_where_it_is),
    cmocka_unit_test(a_film_has_its_frames),
    cmocka_unit_test(a_film_that_is_broken_off_leaves_nothing),
    cmocka_unit_test(a_missing_or_broken_browser_is_told),
    cmocka_unit_test(a_page_that_gives_no_picture_is_told),
    cmocka_unit_test(a_picture_is_written_as_the_browser_gives_it),
    cmocka_unit_test(a_missing_or_broken_encoder_is_told),
    cmocka_unit_test(a_temporary_folder_that_cannot_be_made_is_told),
    cmocka_unit_test(options_that_cannot_be_meant_are_refused),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
