// carom view: results as a report, as pictures, as a film, as a scene for other programs.
#include "base/platform.h"
#include "result.h"
#include "run.h"

#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CR_LARGEST_RUN_JSON (1 << 20) // [bytes]

#define CR_MAX_RESULTS 16 // over each other; more curves cannot be told apart

// What to make of results. Files are NULL when they are not asked for.
typedef struct ViewArguments {
  const char* results[CR_MAX_RESULTS]; // as they were given: files, or folders of runs
  int resultCount;
  const char* output; // .html or .glb
  const char* png;
  const char* video;
  crPhotoOptions photo;
} ViewArguments;

static volatile sig_atomic_t wasInterrupted;

static void onInterrupt(int signal)
{
  (void)signal;
  wasInterrupted = 1;
}

// ------------------------------------------------------------------------------------------- report

// run.json beside a result that a run wrote has the times of the run, which the result has not; NULL: there is none.
static char* readRunJson(const char* result)
{
  char path[CR_MAX_RESULT_PATH];
  const char* slash = strrchr(result, '/');
  const char* name = slash != NULL ? slash + 1 : result;
  int size = snprintf(path, sizeof path, "%.*srun.json", (int)(name - result), result);
  FILE* file = strcmp(name, "result.h5") == 0 && size < (int)sizeof path ? fopen(path, "r") : NULL;
  char* text = file != NULL ? calloc(CR_LARGEST_RUN_JSON + 1, 1) : NULL;
  if (text != NULL && fread(text, 1, CR_LARGEST_RUN_JSON, file) == CR_LARGEST_RUN_JSON) {
    text[0] = '\0'; // no file of ours
  }
  if (file != NULL) {
    (void)fclose(file);
  }
  return text;
}

static int tellReport(crStatus status, const crReportFacts* facts)
{
  if (status != cr_ok) {
    fprintf(stderr, "carom: the report could not be written%s\n", status == cr_errorMemory ? ": out of memory" : "");
    return CR_EXIT_MODEL;
  }
  if (facts->every > 1) {
    fprintf(stderr, "carom: the report has 1 row in %d, to keep it below 20 MB; result.h5 has all\n", facts->every);
  }
  if (facts->note[0] != '\0') {
    fputs("carom: report: ", stderr);
    crPrintName(stderr, facts->note);
    fputs("\n", stderr);
  }
  return CR_EXIT_OK;
}

// The last part of a path, which tells results of one model apart; with its folder where runs have named it.
static const char* nameResult(const char* path)
{
  size_t size = strlen(path);
  size_t start = size - (crEndsWith(path, "/result.h5") ? strlen("/result.h5") : size > 1 && path[size - 1] == '/');
  while (start > 0 && path[start - 1] != '/') {
    --start;
  }
  return path + start;
}

static int writeReport(const ViewArguments* arguments, const char* target)
{
  crErrorSink sink = crMakePrintingSink();
  crResult* results[CR_MAX_RESULTS] = { NULL };
  crReportOther others[CR_MAX_RESULTS];
  crReportFacts facts = { .every = 1 };
  crStatus status = cr_ok;
  char file[CR_MAX_RESULT_PATH];
  char* runJson = readRunJson(crFindResultFile(arguments->results[0], file));
  for (int i = 0; i < arguments->resultCount && status == cr_ok; ++i) {
    status = crReadResult(crFindResultFile(arguments->results[i], file), NULL, &sink, &results[i]);
    others[i] = (crReportOther){ results[i], nameResult(arguments->results[i]) };
  }
  if (status == cr_ok) {
    crReportOptions options = crDefaultReportOptions();
    options.runJson = runJson != NULL && runJson[0] == '{' ? runJson : NULL;
    options.name = arguments->resultCount > 1 ? others[0].name : NULL;
    options.others = others + 1;
    options.otherCount = arguments->resultCount - 1;
    status = crWriteReport(results[0], target, &options, NULL, &sink, &facts);
  }
  for (int i = 0; i < arguments->resultCount; ++i) {
    crDestroyResult(results[i]);
  }
  free(runJson);
  return tellReport(status, &facts);
}

// ---------------------------------------------------------------------------------------- arguments

// report.html beside the result.
static bool nameReport(const char* result, char* buffer, size_t size)
{
  const char* slash = strrchr(result, '/');
  int folder = slash != NULL ? (int)(slash - result) + 1 : 0;
  return snprintf(buffer, size, "%.*sreport.html", folder, result) < (int)size;
}

enum {
  optionOutput = 1000,
  optionPng,
  optionTime,
  optionVideo,
  optionFps,
  optionFrom,
  optionTo,
  optionSpeed,
  optionSize,
  optionCamera,
  optionFollow,
  optionTheme,
  optionShow,
  optionPage,
  optionHelp
};

static const struct option options[] = {
  { "output", required_argument, NULL, optionOutput }, { "png", required_argument, NULL, optionPng },
  { "time", required_argument, NULL, optionTime },     { "video", required_argument, NULL, optionVideo },
  { "fps", required_argument, NULL, optionFps },       { "from", required_argument, NULL, optionFrom },
  { "to", required_argument, NULL, optionTo },         { "speed", required_argument, NULL, optionSpeed },
  { "size", required_argument, NULL, optionSize },     { "camera", required_argument, NULL, optionCamera },
  { "follow", required_argument, NULL, optionFollow }, { "theme", required_argument, NULL, optionTheme },
  { "show", required_argument, NULL, optionShow },     { "page", required_argument, NULL, optionPage },
  { "help", no_argument, NULL, optionHelp },           { NULL, 0, NULL, 0 },
};

// Numbers with commas between, all of the text.
static bool parseNumbers(const char* text, double* outNumbers, int count)
{
  for (int i = 0; i < count; ++i) {
    char* end;
    outNumbers[i] = strtod(text, &end);
    if (end == text || !isfinite(outNumbers[i]) || *end != (i < count - 1 ? ',' : '\0')) {
      return false;
    }
    text = end + 1;
  }
  return true;
}

static bool parseNumber(const char* name, const char* text, double* outNumber, int* outExit)
{
  if (parseNumbers(text, outNumber, 1)) {
    return true;
  }
  *outExit = crUsageError("view", "%s needs a number, not '%s'", name, text);
  return false;
}

static bool parsePositive(const char* name, const char* text, double* outNumber, int* outExit)
{
  if (!parseNumber(name, text, outNumber, outExit)) {
    return false;
  }
  if (!(*outNumber > 0.0)) {
    *outExit = crUsageError("view", "%s needs a number above 0, not '%s'", name, text);
    return false;
  }
  return true;
}

// In the options 0 is the end of the run.
static bool parseTime(const char* text, double* outTime, int* outExit)
{
  bool isNumber = parseNumber("--time", text, outTime, outExit);
  *outTime = *outTime == 0.0 ? CR_ZERO : *outTime;
  return isNumber;
}

// "1280x720"
static bool parseSize(const char* text, crPhotoOptions* photo, int* outExit)
{
  char *middle, *end;
  long width = strtol(text, &middle, 10), height = *middle == 'x' ? strtol(middle + 1, &end, 10) : 0;
  if (*middle != 'x' || end == middle + 1 || *end != '\0' || width == 0 || height == 0 || labs(width) > INT_MAX ||
      labs(height) > INT_MAX) {
    *outExit = crUsageError("view", "--size needs WIDTHxHEIGHT, e.g. 1280x720, not '%s'", text);
    return false;
  }
  photo->width = (int)width;
  photo->height = (int)height;
  return true;
}

static bool parseCamera(const char* text, crPhotoOptions* photo, int* outExit)
{
  double numbers[3];
  if (!parseNumbers(text, numbers, 3)) {
    *outExit = crUsageError("view", "--camera needs a direction to look from, e.g. 1,-2,1, not '%s'", text);
    return false;
  }
  photo->direction = (crVec3){ numbers[0], numbers[1], numbers[2] };
  return true;
}

static bool applyOption(ViewArguments* arguments, int option, const char* value, int* outExit)
{
  crPhotoOptions* photo = &arguments->photo;
  switch (option) {
    case 'o':
    case optionOutput: arguments->output = value; return true;
    case optionPng: arguments->png = value; return true;
    case optionVideo: arguments->video = value; return true;
    case optionTime: return parseTime(value, &photo->time, outExit);
    case optionFps: return parsePositive("--fps", value, &photo->frameRate, outExit);
    case optionFrom: return parseNumber("--from", value, &photo->from, outExit);
    case optionTo: return parseNumber("--to", value, &photo->to, outExit);
    case optionSpeed: return parsePositive("--speed", value, &photo->speed, outExit);
    case optionSize: return parseSize(value, photo, outExit);
    case optionCamera: return parseCamera(value, photo, outExit);
    case optionFollow: photo->follow = value; return true;
    case optionTheme: photo->theme = value; return true;
    case optionShow: photo->show = value; return true;
    case optionPage: photo->page = value; return true;
    default: return false;
  }
}

static bool takeResults(int argc, char** argv, ViewArguments* arguments, int* outExit)
{
  int count = argc - optind;
  bool isOne = arguments->png != NULL || arguments->video != NULL ||
               (arguments->output != NULL && crEndsWith(arguments->output, ".glb"));
  if (count == 0) {
    *outExit = crUsageError("view", "the result is missing");
  } else if (count > CR_MAX_RESULTS) {
    *outExit =
        crUsageError("view", "%d results are too many: up to %d are shown over each other", count, CR_MAX_RESULTS);
  } else if (count > 1 && isOne) {
    *outExit =
        crUsageError("view", "pictures, films and scenes are of one result: '%s' is one too many", argv[optind + 1]);
  }
  if (count == 0 || count > CR_MAX_RESULTS || (count > 1 && isOne)) {
    return false;
  }
  arguments->resultCount = count;
  for (int i = 0; i < count; ++i) {
    arguments->results[i] = argv[optind + i];
  }
  return true;
}

static bool parseView(int argc, char** argv, ViewArguments* outArguments, int* outExit)
{
  *outArguments = (ViewArguments){ .photo = crDefaultPhotoOptions() };
  opterr = 0;
  optind = 1;
  int option;
  while ((option = getopt_long(argc, argv, ":ho:", options, NULL)) != -1) {
    if (option == 'h' || option == optionHelp) {
      fputs(crViewVerb.help, stdout);
      *outExit = CR_EXIT_OK;
      return false;
    }
    if (option == ':' || option == '?') {
      const char* text = argv[optind - 1];
      *outExit = option == ':' ? crUsageError("view", "%s needs a value", text)
                               : crUsageError("view", "unknown option '%s'", text);
      return false;
    }
    if (!applyOption(outArguments, option, optarg, outExit)) {
      return false;
    }
  }
  return takeResults(argc, argv, outArguments, outExit);
}

// ----------------------------------------------------------------------------------------- pictures

// Shows how far a film is, and asks whether it shall go on.
static bool shouldStop(void* context, double share)
{
  if (isatty(fileno(stderr)) != 0) {
    fprintf(stderr, "\r%s %3.0f %%", (const char*)context, 100.0 * share);
  }
  return wasInterrupted != 0;
}

static int finishPicture(const char* path, crStatus status)
{
  if (status == cr_errorMemory) {
    fputs("carom: out of memory\n", stderr);
  }
  if (status == cr_ok) {
    crPrintName(stdout, path);
    printf("\n");
  }
  return status == cr_ok ? CR_EXIT_OK : status == cr_cancelled ? CR_EXIT_INTERRUPTED : CR_EXIT_MODEL;
}

static int writePictures(const ViewArguments* arguments)
{
  crErrorSink sink = crMakePrintingSink();
  char file[CR_MAX_RESULT_PATH];
  crResult* result = crLoadResult(crFindResultFile(arguments->results[0], file));
  crPhotoOptions photo = arguments->photo;
  int code = result != NULL ? CR_EXIT_OK : CR_EXIT_MODEL;
  if (code == CR_EXIT_OK && arguments->png != NULL) {
    code = finishPicture(arguments->png, crWritePng(result, arguments->png, &photo, NULL, &sink));
  }
  if (code == CR_EXIT_OK && arguments->video != NULL) {
    struct sigaction action = { .sa_handler = onInterrupt };
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    photo.shouldStop = shouldStop;
    photo.context = (void*)arguments->video;
    crStatus status = crWriteVideo(result, arguments->video, &photo, NULL, &sink);
    fputs(isatty(fileno(stderr)) != 0 ? "\r" : "", stderr);
    code = finishPicture(arguments->video, status);
  }
  crDestroyResult(result);
  return code;
}

static int writeScene(const char* path, const char* output)
{
  crErrorSink sink = crMakePrintingSink();
  crResult* result = crLoadResult(path);
  crStatus status = result != NULL ? crWriteGlb(result, output, NULL, &sink) : cr_errorFile;
  if (status == cr_errorMemory) {
    fputs("carom: out of memory\n", stderr);
  }
  crDestroyResult(result);
  return status == cr_ok ? CR_EXIT_OK : CR_EXIT_MODEL;
}

static int writeOutput(const ViewArguments* arguments, const char* output)
{
  char file[CR_MAX_RESULT_PATH];
  bool isScene = crEndsWith(output, ".glb");
  if (!isScene && !crEndsWith(output, ".html")) {
    return crUsageError("view", "cannot write '%s': a report is .html, a scene .glb", output);
  }
  int code =
      isScene ? writeScene(crFindResultFile(arguments->results[0], file), output) : writeReport(arguments, output);
  if (code == CR_EXIT_OK) {
    crPrintName(stdout, output);
    printf("\n");
  }
  return code;
}

// --live makes of the rest a run.
static bool takeLive(int* argc, char** argv)
{
  for (int i = 1; i < *argc; ++i) {
    if (strcmp(argv[i], "--live") == 0) {
      memmove(argv + i, argv + i + 1, (size_t)(*argc - i) * sizeof *argv); // with the NULL behind
      --*argc;
      return true;
    }
  }
  return false;
}

static int runView(int argc, char** argv)
{
  if (takeLive(&argc, argv)) {
    return crRunWith(argc, argv, true);
  }
  ViewArguments arguments;
  char report[4096], file[CR_MAX_RESULT_PATH];
  int code = CR_EXIT_USAGE;
  if (!parseView(argc, argv, &arguments, &code)) {
    return code;
  }
  if (arguments.output == NULL && (arguments.png != NULL || arguments.video != NULL)) {
    return writePictures(&arguments);
  }
  if (arguments.output == NULL) {
    if (!nameReport(crFindResultFile(arguments.results[0], file), report, sizeof report)) {
      return crUsageError("view", "the result has too long a name");
    }
    arguments.output = report;
  }
  code = writeOutput(&arguments, arguments.output);
  bool hasPictures = arguments.png != NULL || arguments.video != NULL;
  return code == CR_EXIT_OK && hasPictures ? writePictures(&arguments) : code;
}

const crVerb crViewVerb = {
  .name = "view",
  .summary = "show a result: as a report for the browser, a picture, a film",
  .help = "usage: carom view RESULT... [-o OUTPUT.html|OUTPUT.glb] [--png FILE] [--video FILE] ...\n"
          "       carom view --live MODEL [options of run]\n"
          "\n"
          "Writes a report of a result (result.h5, or the folder of a run): one file with animation,\n"
          "plots, contacts and statistics that any browser opens, without network. Without -o it is\n"
          "report.html beside the result. Several results are shown over each other, in motion and\n"
          "in plots. A file that ends in .glb gets the moving scene as binary glTF, for Blender and\n"
          "slides.\n"
          "\n"
          "  --live             simulate a model and show it meanwhile: prints an address on this\n"
          "                     machine that a browser opens. Nobody else can; Ctrl-C ends it. A\n"
          "                     browser that is slow or closed changes nothing. Options of\n"
          "                     `carom run`; results are kept with --out DIR only, and what is to be\n"
          "                     written needs that\n"
          "  --png FILE         a picture, drawn by a headless Chromium\n"
          "  --time T           of the picture [s]; else the end of the run\n"
          "  --page NAME        the whole page instead, with its plots, objects, contacts, statistics\n"
          "                     or model\n"
          "  --video FILE       a film (.mp4, .webm, .gif), made by ffmpeg\n"
          "  --fps N            frames a second, 30\n"
          "  --from T --to T    of the film [s]; else the whole run\n"
          "  --speed X          of the film: 1 is real time, 0.1 slow motion\n"
          "  --size WxH         pixels, 1280x720\n"
          "  --camera X,Y,Z     direction to look from; else the model's camera, or one that shows all\n"
          "  --follow PATH      keep an object in the middle\n"
          "  --theme NAME       light or dark\n"
          "  --show NAME=0|1    forces, points, normals, trails, frames, joints, centres, inertia,\n"
          "                     contactShapes, floor, shadows; several with & between\n"
          "\n"
          "example: carom view pendulum.run --png pendulum.png --time 1.5\n",
  .run = runView,
};
