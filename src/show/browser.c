// Chromium without a window. Messages are JSON with a zero byte behind, each call has a number that its answer repeats.
//
// https://chromedevtools.github.io/devtools-protocol/ describes the calls.
#include "show/browser.h"

#include "base/clock.h"
#include "base/platform.h"
#include "base/report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define CR_ANSWER_SECONDS 60.0  // [s] for any answer: software drawing of a large picture takes a while
#define CR_READY_PAUSE 20000000 // [ns] between two questions whether a page is ready
#define CR_READY_QUESTIONS 6000 // 120 s of them
#define CR_END_SECONDS 3.0      // [s] to close by itself
#define CR_LOG_TAIL 300         // [bytes] of what the browser said, for a message

// -------------------------------------------------------------------------------------- complaints

static crStatus complain(const crBrowser* browser, const char* message, const char* found, const char* hint)
{
  crReporter reporter = crMakeReporter(browser->sink, (crSource){ 0 }, "picture");
  crComplaint complaint = { .message = message, .found = found, .hint = hint };
  crReport(&reporter, cr_severityError, cr_errorFile, &complaint);
  return cr_errorFile;
}

// The end of what the browser printed.
static void readLog(const crBrowser* browser, char tail[CR_LOG_TAIL])
{
  char path[CR_PROCESS_PATH];
  tail[0] = '\0';
  FILE* file = crBrowser_NameFile(browser, "log", path) ? fopen(path, "r") : NULL;
  if (file != NULL) {
    long start = fseek(file, 0, SEEK_END) == 0 ? ftell(file) - CR_LOG_TAIL + 1 : 0;
    (void)fseek(file, start > 0 ? start : 0, SEEK_SET);
    size_t size = fread(tail, 1, CR_LOG_TAIL - 1, file);
    tail[size] = '\0';
    (void)fclose(file);
    crCleanText(tail);
  }
}

static crStatus complainEnd(const crBrowser* browser, int error)
{
  char tail[CR_LOG_TAIL], hint[128] = "does chromium --headless work here?";
  readLog(browser, tail);
  if (error == ETIMEDOUT) {
    snprintf(hint, sizeof hint, "it was given %g s; fewer pixels than %dx%d, or a less busy machine, take less",
             CR_ANSWER_SECONDS, browser->width, browser->height);
  }
  return complain(browser, error == ETIMEDOUT ? "the browser does not answer" : "the browser has ended",
                  tail[0] != '\0' ? tail : NULL, hint);
}

// ----------------------------------------------------------------------------------------- messages

static int addText(const char* text, size_t size, void* context)
{
  crBytes* bytes = context;
  crBytes_Add(bytes, text, size);
  return bytes->hasFailed ? -1 : 0;
}

// Puts a call together and sends it. `parameters` is taken over.
static crStatus sendCall(crBrowser* browser, const char* method, json_t* parameters)
{
  crBytes text;
  crBytes_Init(&text, &browser->allocator);
  json_t* call = json_pack("{s:i, s:s, s:o}", "id", ++browser->lastId, "method", method, "params", parameters);
  if (call != NULL && browser->session[0] != '\0') {
    json_object_set_new(call, "sessionId", json_string(browser->session));
  }
  crStatus status =
      call != NULL && json_dump_callback(call, addText, &text, JSON_COMPACT) == 0 ? cr_ok : cr_errorMemory;
  crBytes_Add(&text, "", 1);
  if (status == cr_ok && !text.hasFailed) {
    int error = crProcess_Send(&browser->process, text.items, text.size);
    status = error == 0 ? cr_ok : complainEnd(browser, error);
  }
  status = text.hasFailed ? cr_errorMemory : status;
  crBytes_Free(&text);
  json_decref(call);
  return status;
}

// The next message. The browser's own messages are much shorter than a picture.
static crStatus receive(crBrowser* browser, json_t** outMessage)
{
  for (;;) {
    unsigned char* end = browser->pending.size > 0 ? memchr(browser->pending.items, 0, browser->pending.size) : NULL;
    if (end != NULL) {
      size_t size = (size_t)(end - browser->pending.items);
      *outMessage = json_loadb((const char*)browser->pending.items, size, 0, NULL);
      browser->pending.size -= size + 1;
      memmove(browser->pending.items, end + 1, browser->pending.size);
      return *outMessage != NULL ? cr_ok : complain(browser, "the browser says what cannot be understood", NULL, NULL);
    }
    char buffer[65536];
    double left = browser->deadline - crReadClock(CLOCK_MONOTONIC);
    ssize_t count = crProcess_Receive(&browser->process, buffer, sizeof buffer, left > 0.0 ? left : 0.0);
    if (count <= 0 && !(count < 0 && errno == EINTR)) {
      return complainEnd(browser, count < 0 ? errno : 0);
    }
    crBytes_Add(&browser->pending, buffer, count > 0 ? (size_t)count : 0);
    if (browser->pending.hasFailed) {
      return cr_errorMemory;
    }
  }
}

// Calls, and waits for the answer, letting pass all events. outResult may be NULL.
static crStatus call(crBrowser* browser, const char* method, json_t* parameters, json_t** outResult)
{
  crStatus status = sendCall(browser, method, parameters);
  browser->deadline = crReadClock(CLOCK_MONOTONIC) + CR_ANSWER_SECONDS; // whatever else it tells meanwhile
  while (status == cr_ok) {
    json_t* message = NULL;
    status = receive(browser, &message);
    if (status == cr_ok && json_integer_value(json_object_get(message, "id")) == browser->lastId) {
      json_t* error = json_object_get(message, "error");
      if (error != NULL) {
        status = complain(browser, "the browser refuses", json_string_value(json_object_get(error, "message")), NULL);
      } else if (outResult != NULL) {
        *outResult = json_incref(json_object_get(message, "result"));
      }
      json_decref(message);
      return status;
    }
    json_decref(message);
  }
  return status;
}

// ----------------------------------------------------------------------------------------- starting

static bool findBrowser(char outPath[CR_PROCESS_PATH])
{
  static const char* const names[] = { "chromium", "chromium-browser", "google-chrome" };
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (crFindProgram(names[i], outPath)) {
      return true;
    }
  }
  return false;
}

bool crBrowser_NameFile(const crBrowser* browser, const char* name, char outPath[CR_PROCESS_PATH])
{
  return snprintf(outPath, CR_PROCESS_PATH, "%s/%s", browser->folder, name) < CR_PROCESS_PATH;
}

// Nothing but the page is wanted: no network, no sound, no first-run page. WebGL is drawn in software, so that the same
// picture comes out on every machine. Chromium's own sandbox does not start for root.
static crStatus startProcess(crBrowser* browser, const char* program)
{
  char profile[CR_PROCESS_PATH + 32], log[CR_PROCESS_PATH];
  const char* arguments[] = { program,
                              "--headless",
                              "--remote-debugging-pipe",
                              profile,
                              "--use-gl=angle",
                              "--use-angle=swiftshader",
                              "--enable-unsafe-swiftshader",
                              "--disable-quic",
                              "--disable-background-networking",
                              "--disable-component-update",
                              "--disable-default-apps",
                              "--disable-dev-shm-usage",
                              "--disable-extensions",
                              "--disable-sync",
                              "--hide-scrollbars",
                              "--mute-audio",
                              "--no-default-browser-check",
                              "--no-first-run",
                              "--force-color-profile=srgb",
                              geteuid() == 0 ? "--no-sandbox" : "--disable-breakpad",
                              "about:blank",
                              NULL };
  snprintf(profile, sizeof profile, "--user-data-dir=%s/profile", browser->folder);
  if (!crBrowser_NameFile(browser, "log", log)) {
    return complain(browser, "the folder for temporary files has too long a name", browser->folder, NULL);
  }
  int error = crStartProcess(arguments, cr_plugDevTools, log, &browser->process);
  return error == 0 ? cr_ok : complain(browser, "the browser cannot be started", strerror(error), NULL);
}

static crStatus openWindow(crBrowser* browser, int width, int height)
{
  json_t *target = NULL, *session = NULL;
  crStatus status = call(browser, "Target.createTarget", json_pack("{s:s}", "url", "about:blank"), &target);
  if (status == cr_ok) {
    const char* id = json_string_value(json_object_get(target, "targetId"));
    status = call(browser, "Target.attachToTarget",
                  json_pack("{s:s, s:b}", "targetId", id != NULL ? id : "", "flatten", true), &session);
  }
  if (status == cr_ok) {
    const char* id = json_string_value(json_object_get(session, "sessionId"));
    snprintf(browser->session, sizeof browser->session, "%s", id != NULL ? id : "");
    status = call(
        browser, "Emulation.setDeviceMetricsOverride",
        json_pack("{s:i, s:i, s:i, s:b}", "width", width, "height", height, "deviceScaleFactor", 1, "mobile", false),
        NULL);
  }
  json_decref(target);
  json_decref(session);
  return status;
}

crStatus crStartBrowser(crBrowser* browser, int width, int height, const crAllocator* allocator,
                        const crErrorSink* sink)
{
  char program[CR_PROCESS_PATH];
  *browser =
      (crBrowser){ .allocator = *allocator, .sink = sink, .process = { 0, -1 }, .width = width, .height = height };
  crBytes_Init(&browser->pending, allocator);
  if (!findBrowser(program)) {
    return complain(browser, "pictures need Chromium, and none was found", NULL,
                    "install the package chromium, or open the report in a browser");
  }
  int error = crMakeTemporaryFolder(browser->folder);
  if (error != 0) {
    browser->folder[0] = '\0';
    return complain(browser, "no folder for temporary files can be made", strerror(error), NULL);
  }
  crStatus status = startProcess(browser, program);
  return status == cr_ok ? openWindow(browser, width, height) : status;
}

void crStopBrowser(crBrowser* browser)
{
  if (browser->process.id > 0) {
    browser->session[0] = '\0';
    sendCall(browser, "Browser.close", json_object());
    crProcess_End(&browser->process, CR_END_SECONDS);
  }
  if (browser->folder[0] != '\0') {
    crRemoveFolder(browser->folder);
  }
  crBytes_Free(&browser->pending);
}

// --------------------------------------------------------------------------------------------- page

// "file://" and the path with all but letters, digits and a few signs as %xx.
static bool makeUrl(const char* path, const char* address, crBytes* outUrl)
{
  crBytes_Add(outUrl, "file://", 7);
  for (; *path != '\0'; ++path) {
    char escape[4];
    bool isPlain = (*path >= 'a' && *path <= 'z') || (*path >= 'A' && *path <= 'Z') || (*path >= '0' && *path <= '9') ||
                   strchr("/-_.~", *path) != NULL;
    snprintf(escape, sizeof escape, "%%%02X", (unsigned char)*path);
    crBytes_Add(outUrl, isPlain ? path : escape, isPlain ? 1 : 3);
  }
  crBytes_Add(outUrl, "#", 1);
  crBytes_Add(outUrl, address, strlen(address) + 1);
  return !outUrl->hasFailed;
}

// Waits for data-ready of the root element: "1", or "failed".
static crStatus waitForPage(crBrowser* browser)
{
  static const char question[] = "String(document.documentElement?.dataset.ready)";
  crStatus status = cr_ok;
  for (int i = 0; i < CR_READY_QUESTIONS; ++i) {
    json_t* answer = NULL;
    status = crBrowser_Evaluate(browser, question, &answer);
    const char* text = json_string_value(answer);
    bool isReady = text != NULL && strcmp(text, "1") == 0, hasFailed = text != NULL && strcmp(text, "failed") == 0;
    json_decref(answer);
    if (status != cr_ok || isReady) {
      return status;
    }
    if (hasFailed) {
      return complain(browser, "the page of the report could not be shown", NULL, "open the report in a browser");
    }
    nanosleep(&(struct timespec){ 0, CR_READY_PAUSE }, NULL);
  }
  return complain(browser, "the page of the report does not get ready", NULL, NULL);
}

crStatus crBrowser_Open(crBrowser* browser, const char* path, const char* address)
{
  crBytes url;
  crBytes_Init(&url, &browser->allocator);
  crStatus status = makeUrl(path, address, &url)
                        ? call(browser, "Page.navigate", json_pack("{s:s}", "url", (const char*)url.items), NULL)
                        : cr_errorMemory;
  crBytes_Free(&url);
  return status == cr_ok ? waitForPage(browser) : status;
}

crStatus crBrowser_Evaluate(crBrowser* browser, const char* script, json_t** outText)
{
  json_t* answer = NULL;
  crStatus status =
      call(browser, "Runtime.evaluate",
           json_pack("{s:s, s:b, s:b}", "expression", script, "returnByValue", true, "awaitPromise", true), &answer);
  if (status == cr_ok && json_object_get(answer, "exceptionDetails") != NULL) {
    const json_t* exception = json_object_get(json_object_get(answer, "exceptionDetails"), "exception");
    status = complain(browser, "the page of the report cannot do that",
                      json_string_value(json_object_get(exception, "description")), NULL);
  }
  if (status == cr_ok) {
    *outText = json_incref(json_object_get(json_object_get(answer, "result"), "value"));
  }
  json_decref(answer);
  return status;
}

crStatus crBrowser_Photograph(crBrowser* browser, json_t** outText)
{
  json_t* answer = NULL;
  crStatus status = call(browser, "Page.captureScreenshot", json_pack("{s:s}", "format", "png"), &answer);
  if (status == cr_ok) {
    *outText = json_incref(json_object_get(answer, "data"));
  }
  json_decref(answer);
  return status;
}
