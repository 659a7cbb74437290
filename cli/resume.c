// carom resume: goes on with a run that was killed or interrupted.
#include "run.h"

#include <getopt.h>
#include <stdlib.h>

enum { optionThreads = 1000, optionCheckpoint, optionNoReport, optionQuiet, optionJson, optionHelp };

static const struct option options[] = {
  { "threads", required_argument, NULL, optionThreads },
  { "checkpoint", required_argument, NULL, optionCheckpoint },
  CR_FMU_OPTION,
  { "no-report", no_argument, NULL, optionNoReport },
  { "quiet", no_argument, NULL, optionQuiet },
  { "json", no_argument, NULL, optionJson },
  { "help", no_argument, NULL, optionHelp },
  { NULL, 0, NULL, 0 },
};

typedef struct Resume {
  const char* folder;
  crResumeOptions options;
  bool isQuiet, isJson;
  crProgress progress;
} Resume;

static bool applyOption(Resume* resume, int option, int* outExit)
{
  switch (option) {
    case optionThreads: return crParseThreads("resume", optarg, &resume->options.threads, outExit);
    case optionCheckpoint: return crParseCheckpoint("resume", optarg, &resume->options.checkpointSeconds, outExit);
    case cr_optionAllowFmu: crAllowFmus(true); return true;
    case optionNoReport: resume->options.omitsReport = true; return true;
    case optionQuiet: resume->isQuiet = true; return true;
    case optionJson: resume->isJson = true; return true;
    default:
      fputs(crResumeVerb.help, stdout);
      *outExit = CR_EXIT_OK;
      return false;
  }
}

// false: the exit code is in outExit.
static bool parse(Resume* resume, int argc, char** argv, int* outExit)
{
  opterr = 0;
  optind = 1;
  int option;
  while ((option = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
    if (option == ':' || option == '?') {
      const char* text = argv[optind - 1];
      *outExit = option == ':' ? crUsageError("resume", "%s needs a value", text)
                               : crUsageError("resume", "unknown option '%s'", text);
      return false;
    }
    if (!applyOption(resume, option, outExit)) {
      return false;
    }
  }
  if (argc - optind != 1) {
    *outExit = argc == optind ? crUsageError("resume", "the folder is missing")
                              : crUsageError("resume", "one argument too many: '%s'", argv[optind + 1]);
    return false;
  }
  resume->folder = argv[optind];
  return true;
}

static void begin(void* context, const crSimulation* simulation)
{
  Resume* resume = context;
  crSimulationOptions chosen = crSimulation_GetOptions(simulation);
  if (!resume->isQuiet && !resume->isJson) {
    crPrintName(stdout, resume->folder);
    printf(": goes on at %.6g of %.6g s\n", crSimulation_GetTime(simulation), chosen.stopTime);
    (void)fflush(stdout); // main looks for errors
  }
  crProgress_Begin(&resume->progress, chosen.startTime, chosen.stopTime, resume->isQuiet);
}

static bool shouldStop(void* context, double t)
{
  crProgress_Show(&((Resume*)context)->progress, t);
  return crWasInterrupted();
}

static int runVerb(int argc, char** argv)
{
  Resume resume = { .options = crDefaultResumeOptions() };
  int code;
  if (!parse(&resume, argc, argv, &code)) {
    return code;
  }
  resume.options.context = &resume;
  resume.options.begin = begin;
  resume.options.shouldStop = shouldStop;
  crCatchInterrupts();
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crRunFacts facts;
  crStatus status = crResumeRun(resume.folder, &resume.options, NULL, &sink, &facts);
  crProgress_End(&resume.progress);
  code = crTellRun(status, &facts, resume.isJson, resume.isQuiet);
  crPrintLog(log, cr_severityWarning);
  crDestroyErrorLog(log);
  return code;
}

const crVerb crResumeVerb = {
  .name = "resume",
  .summary = "go on with a run that was killed or interrupted",
  .help = "usage: carom resume DIR [options]\n"
          "\n"
          "Goes on with a run that `carom run --checkpoint` has left in its folder, from the newer\n"
          "of its two checkpoints that is whole. result.h5 loses what lies behind that, grows to the\n"
          "end of the run, and is then that of an undisturbed run, bit by bit; report.html and\n"
          "run.json are written as well. The model is the one that the run began with: if its file\n"
          "has changed, the scene in the result takes its place.\n"
          "\n"
          "  --threads N        that take steps of islands; else as before\n"
          "  --checkpoint S     seconds of wall time between checkpoints, 0: at every output point;\n"
          "                     else as before\n"
          "  --no-report        do not write report.html\n"
          "  --allow-fmu        let FMUs that the model names run: code of others, with your rights\n"
          "  --quiet            no progress and no summary\n"
          "  --json             print the summary as JSON\n"
          "\n"
          "Exit codes: 0 ok, 1 it cannot go on (no checkpoint, damaged ones, another build, the run\n"
          "is complete), 2 wrong usage, 3 the simulation failed, 130 interrupted.\n"
          "\n"
          "example: carom resume billiards.run\n",
  .run = runVerb,
};
