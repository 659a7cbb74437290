// Pictures and films of a result: its report is opened in a headless browser, whose page draws at any time and size.
#include "base/file.h"
#include "base/report.h"
#include "base/text.h"
#include "carom/report.h"
#include "show/browser.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CR_SMALLEST_SIDE 16
#define CR_LARGEST_SIDE 8192
#define CR_MAX_FRAMES 1000000
#define CR_SHOW_SIZE 256
#define CR_ADDRESS_SIZE (CR_SHOW_SIZE + 64)
#define CR_FILM_SECONDS 600.0 // [s] for ffmpeg to finish its work
#define CR_PICTURE_HEAD "data:image/png;base64,"

crPhotoOptions crDefaultPhotoOptions(void)
{
  crPhotoOptions options = { .size = sizeof options };
  return options;
}

static crStatus chooseOptions(const crPhotoOptions* options, const crErrorSink* sink, crPhotoOptions* outOptions)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, "picture");
  *outOptions = crDefaultPhotoOptions();
  if (options != NULL) {
    if (!crCheckSize(&reporter, "crPhotoOptions", options->size, sizeof *options)) {
      return cr_errorMisuse;
    }
    *outOptions = *options;
  }
  outOptions->width = outOptions->width == 0 ? 1280 : outOptions->width;
  outOptions->height = outOptions->height == 0 ? 720 : outOptions->height;
  outOptions->frameRate = outOptions->frameRate == 0.0 ? 30.0 : outOptions->frameRate;
  outOptions->speed = outOptions->speed == 0.0 ? 1.0 : outOptions->speed;
  outOptions->theme = outOptions->theme == NULL ? "light" : outOptions->theme;
  return cr_ok;
}

static crStatus complain(const crErrorSink* sink, crStatus status, const char* message, const char* found,
                         const char* hint)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, "picture");
  crComplaint complaint = { .message = message, .found = found, .hint = hint };
  crReport(&reporter, cr_severityError, status, &complaint);
  return status;
}

// ------------------------------------------------------------------------------------------- options

static bool isOneOf(const char* text, const char* const* list, int count)
{
  for (int i = 0; i < count; ++i) {
    if (strcmp(text, list[i]) == 0) {
      return true;
    }
  }
  return false;
}

static crStatus checkOptions(const crResult* result, const crPhotoOptions* o, const crErrorSink* sink)
{
  static const char* const pages[] = { "plots", "objects", "contacts", "statistics", "model" };
  static const char* const themes[] = { "light", "dark" };
  static const char showLetters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.=&";
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, "picture");
  double side = o->width < o->height ? o->width : o->height, other = o->width < o->height ? o->height : o->width;
  if (side < CR_SMALLEST_SIDE || other > CR_LARGEST_SIDE) {
    crReportNumber(&reporter, "the picture has a size that cannot be drawn", side < CR_SMALLEST_SIDE ? side : other,
                   "16 to 8192", "pixels", NULL);
  }
  if (!(o->frameRate > 0.0 && o->frameRate <= 1000.0)) {
    crReportNumber(&reporter, "the number of frames a second is out of range", o->frameRate, "> 0, <= 1000", "1/s",
                   NULL);
  }
  if (!(o->speed > 0.0 && isfinite(o->speed))) {
    crReportNumber(&reporter, "the speed of the film must be positive", o->speed, "> 0", NULL, NULL);
  }
  if (o->page != NULL && !isOneOf(o->page, pages, 5)) {
    complain(sink, cr_errorModel, "the report has no such page", o->page,
             "plots, objects, contacts, statistics or model");
    ++reporter.errorCount;
  }
  if (o->theme == NULL || !isOneOf(o->theme, themes, 2)) {
    complain(sink, cr_errorModel, "there is no such theme", o->theme, "light or dark");
    ++reporter.errorCount;
  }
  if (o->show != NULL && (strlen(o->show) > CR_SHOW_SIZE || strspn(o->show, showLetters) != strlen(o->show))) {
    complain(sink, cr_errorModel, "what to show is not of the form name=value&name=value", o->show, NULL);
    ++reporter.errorCount;
  }
  if (crResult_CountRows(result) == 0) {
    crReportError(&reporter, "the result has no rows, so there is nothing to draw");
  }
  return reporter.errorCount == 0 ? cr_ok : cr_errorModel;
}

// ---------------------------------------------------------------------------------------------- page

static int addText(const char* text, size_t size, void* context)
{
  crBytes* bytes = context;
  crBytes_Add(bytes, text, size);
  return bytes->hasFailed ? -1 : 0;
}

// A script with a text as JSON, which is also JavaScript.
static crStatus evaluateWithText(crBrowser* browser, const char* before, const char* text, const char* behind,
                                 json_t** outText)
{
  json_t* value = json_string(text);
  crBytes script;
  crBytes_Init(&script, &browser->allocator);
  crBytes_Add(&script, before, strlen(before));
  bool isMade = value != NULL && json_dump_callback(value, addText, &script, JSON_ENCODE_ANY | JSON_ENSURE_ASCII) == 0;
  crBytes_Add(&script, behind, strlen(behind) + 1);
  crStatus status =
      isMade && !script.hasFailed ? crBrowser_Evaluate(browser, (const char*)script.items, outText) : cr_errorMemory;
  json_decref(value);
  crBytes_Free(&script);
  return status;
}

// Numbers in a script have points, whatever the host's locale.
static void formatNumbers(char* buffer, size_t size, const double* numbers, int count)
{
  size_t used = 0;
  for (int i = 0; i < count; ++i) {
    char digits[CR_NUMBER_SIZE];
    crFormatNumber(numbers[i], digits);
    used += (size_t)snprintf(buffer + used, size - used, "%s%s", i > 0 ? "," : "", digits);
  }
}

static crStatus aim(crBrowser* browser, const crPhotoOptions* options)
{
  json_t* answer = NULL;
  crStatus status = cr_ok;
  const double d[] = { options->direction.x, options->direction.y, options->direction.z };
  if (d[0] != 0.0 || d[1] != 0.0 || d[2] != 0.0) {
    char numbers[3 * CR_NUMBER_SIZE + 4], script[4 * CR_NUMBER_SIZE + 64];
    formatNumbers(numbers, sizeof numbers, d, 3);
    snprintf(script, sizeof script, "carom.look([%s]), 'done'", numbers);
    status = crBrowser_Evaluate(browser, script, &answer);
  }
  json_decref(answer);
  answer = NULL;
  if (status == cr_ok && options->follow != NULL) {
    status = evaluateWithText(browser, "carom.follow(", options->follow, "), 'done'", &answer);
  }
  json_decref(answer);
  return status;
}

// Opens the report of a result in a new browser.
static crStatus openReport(crBrowser* browser, const crResult* result, const crPhotoOptions* options, double time,
                           const crAllocator* allocator, const crErrorSink* sink)
{
  char path[CR_PROCESS_PATH], address[CR_ADDRESS_SIZE + CR_NUMBER_SIZE], digits[CR_NUMBER_SIZE];
  crStatus status = crStartBrowser(browser, options->width, options->height, allocator, sink);
  if (status != cr_ok) {
    return status;
  }
  if (!crBrowser_NameFile(browser, "report.html", path)) {
    return complain(sink, cr_errorFile, "the folder for temporary files has too long a name", browser->folder, NULL);
  }
  status = crWriteReport(result, path, NULL, allocator, sink, NULL);
  crFormatNumber(time, digits);
  snprintf(address, sizeof address, "time=%s&theme=%s&%s%s&%s", digits, options->theme,
           options->page != NULL ? "page=" : "bare=1", options->page != NULL ? options->page : "",
           options->show != NULL ? options->show : "");
  if (status == cr_ok) {
    status = crBrowser_Open(browser, path, address);
  }
  return status == cr_ok ? aim(browser, options) : status;
}

// ------------------------------------------------------------------------------------------ pictures

static int valueOf(char c)
{
  return c >= 'A' && c <= 'Z'   ? c - 'A'
         : c >= 'a' && c <= 'z' ? c - 'a' + 26
         : c >= '0' && c <= '9' ? c - '0' + 52
         : c == '+'             ? 62
         : c == '/'             ? 63
                                : -1;
}

// Base64 (RFC 4648). false: it is none, or out of memory.
static bool decode(const char* text, crBytes* outBytes)
{
  uint32_t bits = 0;
  int bitCount = 0;
  for (; *text != '\0' && *text != '='; ++text) {
    int value = valueOf(*text);
    if (value < 0) {
      return false;
    }
    bits = bits << 6 | (uint32_t)value;
    bitCount += 6;
    if (bitCount >= 8) {
      bitCount -= 8;
      unsigned char byte = (unsigned char)(bits >> bitCount);
      crBytes_Add(outBytes, &byte, 1);
    }
  }
  return !outBytes->hasFailed;
}

// The picture at a time, as the bytes of a PNG file.
static crStatus drawAt(crBrowser* browser, const crPhotoOptions* options, double time, crBytes* outPng)
{
  char script[CR_NUMBER_SIZE + 96], digits[CR_NUMBER_SIZE];
  json_t* answer = NULL;
  crFormatNumber(time, digits);
  snprintf(script, sizeof script, "carom.capture(%s, %d, %d)", digits, options->width, options->height);
  crStatus status =
      options->page != NULL ? crBrowser_Photograph(browser, &answer) : crBrowser_Evaluate(browser, script, &answer);
  const char* text = json_string_value(answer);
  size_t head = options->page != NULL ? 0 : strlen(CR_PICTURE_HEAD);
  outPng->size = 0;
  if (status == cr_ok && (text == NULL || strncmp(text, CR_PICTURE_HEAD, head) != 0)) {
    status = complain(browser->sink, cr_errorFile, "the page of the report gave no picture", NULL, NULL);
  } else if (status == cr_ok && !decode(text + head, outPng)) {
    status = cr_errorMemory;
  }
  json_decref(answer);
  return status;
}

static crStatus writeBytes(const crBytes* bytes, const char* path, const crAllocator* allocator,
                           const crErrorSink* sink)
{
  crOutputFile* file;
  crStatus status = crOpenOutputFile(path, allocator, sink, &file);
  if (status != cr_ok) {
    return status;
  }
  crOutputFile_Write(file, bytes->items, bytes->size);
  return crCloseOutputFile(file, true, sink);
}

crStatus crWritePng(const crResult* result, const char* path, const crPhotoOptions* options,
                    const crAllocator* allocator, const crErrorSink* sink)
{
  crPhotoOptions chosen;
  if (result == NULL || path == NULL || chooseOptions(options, sink, &chosen) != cr_ok) {
    return cr_errorMisuse;
  }
  crStatus status = checkOptions(result, &chosen, sink);
  if (status != cr_ok) {
    return status;
  }
  crAllocator ours = crChooseAllocator(allocator);
  crBrowser browser;
  crBytes png;
  double last = crResult_GetTimes(result)[crResult_CountRows(result) - 1];
  double time = chosen.time == 0.0 ? last : crResolveZero(chosen.time);
  crBytes_Init(&png, &ours);
  status = openReport(&browser, result, &chosen, time, &ours, sink);
  if (status == cr_ok) {
    status = drawAt(&browser, &chosen, time, &png);
  }
  crStopBrowser(&browser);
  if (status == cr_ok) {
    status = writeBytes(&png, path, &ours, sink);
  }
  crBytes_Free(&png);
  return status;
}

// --------------------------------------------------------------------------------------------- films

typedef struct Film {
  const crPhotoOptions* options;
  crBrowser* browser;
  crProcess encoder;
  double from;
  int frameCount;
} Film;

static bool endsWith(const char* text, const char* ending)
{
  size_t size = strlen(text), tail = strlen(ending);
  return size >= tail && strcmp(text + size - tail, ending) == 0;
}

// H.264 wants even sizes and, to play everywhere, yuv420p.
static crStatus startEncoder(Film* film, const char* target, const crErrorSink* sink)
{
  char program[CR_PROCESS_PATH], log[CR_PROCESS_PATH], rate[CR_NUMBER_SIZE];
  crFormatNumber(film->options->frameRate, rate);
  if (!crFindProgram("ffmpeg", program)) {
    return complain(sink, cr_errorFile, "films need ffmpeg, and it was not found", NULL, "install the package ffmpeg");
  }
  if (!crBrowser_NameFile(film->browser, "encoder.log", log)) {
    return complain(sink, cr_errorFile, "the folder for temporary files has too long a name", NULL, NULL);
  }
  const char* filter = endsWith(target, ".gif") ? "split[a][b];[a]palettegen[p];[b][p]paletteuse"
                                                : "pad=ceil(iw/2)*2:ceil(ih/2)*2,format=yuv420p";
  const char* arguments[] = { program,      "-nostdin", "-y", "-loglevel", "error", "-f",   "image2pipe", "-c:v", "png",
                              "-framerate", rate,       "-i", "pipe:0",    "-vf",   filter, target,       NULL };
  int error = crStartProcess(arguments, cr_plugInput, log, &film->encoder);
  return error == 0 ? cr_ok : complain(sink, cr_errorFile, "ffmpeg cannot be started", strerror(error), NULL);
}

static crStatus complainEncoder(const Film* film, const crErrorSink* sink)
{
  char path[CR_PROCESS_PATH], text[400] = "";
  FILE* file = crBrowser_NameFile(film->browser, "encoder.log", path) ? fopen(path, "r") : NULL;
  if (file != NULL) {
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    crCleanText(text);
  }
  return complain(sink, cr_errorFile, "ffmpeg could not make the film", text[0] != '\0' ? text : NULL, NULL);
}

static crStatus sendFrames(Film* film, const crErrorSink* sink)
{
  const crPhotoOptions* o = film->options;
  crBytes png;
  crBytes_Init(&png, &film->browser->allocator);
  crStatus status = cr_ok;
  for (int i = 0; i < film->frameCount && status == cr_ok; ++i) {
    if (o->shouldStop != NULL && o->shouldStop(o->context, (double)i / film->frameCount)) {
      status = cr_cancelled;
    } else {
      status = drawAt(film->browser, o, film->from + i / o->frameRate * o->speed, &png);
    }
    if (status == cr_ok && crProcess_Send(&film->encoder, png.items, png.size) != 0) {
      status = complainEncoder(film, sink);
    }
  }
  crBytes_Free(&png);
  return status;
}

// The film is made beside the browser and then brought to its place, which may be on another disk.
static crStatus makeFilm(Film* film, const char* temporary, const crErrorSink* sink)
{
  crStatus status = startEncoder(film, temporary, sink);
  if (status == cr_ok) {
    status = sendFrames(film, sink);
  }
  if (status != cr_ok) {
    crProcess_Kill(&film->encoder);
    return status;
  }
  return crProcess_End(&film->encoder, CR_FILM_SECONDS) == 0 ? cr_ok : complainEncoder(film, sink);
}

static crStatus copyFile(const char* from, const char* to, const crAllocator* allocator, const crErrorSink* sink)
{
  crOutputFile* file;
  FILE* source = fopen(from, "rb");
  if (source == NULL) {
    return crReportFile(sink, from, "the film cannot be read", errno);
  }
  crStatus status = crOpenOutputFile(to, allocator, sink, &file);
  if (status == cr_ok) {
    char buffer[65536];
    size_t size;
    while ((size = fread(buffer, 1, sizeof buffer, source)) > 0) {
      crOutputFile_Write(file, buffer, size);
    }
    status = crCloseOutputFile(file, true, sink);
  }
  (void)fclose(source);
  return status;
}

// The times of a film: what is asked for, as far as the run goes.
static crStatus planFilm(const crResult* result, const crPhotoOptions* o, const crErrorSink* sink, Film* film)
{
  const double* times = crResult_GetTimes(result);
  double first = times[0], last = times[crResult_CountRows(result) - 1];
  bool isWhole = !(o->from < o->to);
  film->from = isWhole ? first : fmax(first, o->from);
  double to = isWhole ? last : fmin(last, o->to);
  double frames = floor((to - film->from) / o->speed * o->frameRate + 1e-9) + 1.0;
  if (!(frames >= 1.0 && frames <= CR_MAX_FRAMES)) {
    crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, "picture");
    crReportNumber(&reporter, "the film has a number of frames that cannot be made", frames, "1 to 1000000", NULL,
                   "look at the times, the speed and the frames a second");
    return cr_errorModel;
  }
  film->frameCount = (int)frames;
  return cr_ok;
}

crStatus crWriteVideo(const crResult* result, const char* path, const crPhotoOptions* options,
                      const crAllocator* allocator, const crErrorSink* sink)
{
  crPhotoOptions chosen;
  if (result == NULL || path == NULL || chooseOptions(options, sink, &chosen) != cr_ok) {
    return cr_errorMisuse;
  }
  crAllocator ours = crChooseAllocator(allocator);
  crBrowser browser;
  Film film = { .options = &chosen, .browser = &browser, .encoder = { 0, -1 } };
  chosen.page = NULL;
  crStatus status = checkOptions(result, &chosen, sink);
  if (status == cr_ok) {
    status = planFilm(result, &chosen, sink, &film);
  }
  if (status != cr_ok) {
    return status;
  }
  status = openReport(&browser, result, &chosen, film.from, &ours, sink);
  if (status == cr_ok) {
    char name[64], temporary[CR_PROCESS_PATH];
    const char* dot = strrchr(path, '.');
    snprintf(name, sizeof name, "film%.16s", dot != NULL && strchr(dot, '/') == NULL ? dot : ".mp4");
    bool hasName = crBrowser_NameFile(&browser, name, temporary);
    status = hasName ? makeFilm(&film, temporary, sink) : cr_errorFile;
    status = status == cr_ok ? copyFile(temporary, path, &ours, sink) : status;
  }
  crStopBrowser(&browser);
  return status;
}
