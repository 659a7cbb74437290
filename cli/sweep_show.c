// How far a sweep is, and what came of it.
#include "sweep.h"

#include "base/platform.h"
#include "text/json_text.h"

#include <inttypes.h>

#define CR_BAR_WIDTH 32      // [columns]
#define CR_LINE_SECONDS 10.0 // between two lines without a terminal

void crSweepShow_Begin(crSweepShow* show, bool isQuiet)
{
  *show = (crSweepShow){ .isTerminal = isatty(fileno(stderr)), .isQuiet = isQuiet };
}

// "850 a second", "0.0123 a second"
static void printRate(FILE* out, double rate)
{
  fprintf(out, rate < 1000.0 ? "%.3g a second" : "%.0f a second", rate);
}

// "1200 of 10000 runs, 3 failed, 850 a second, 10 s left"
static void printProgress(const crSweepProgress* p)
{
  double rate = p->wallSeconds > 0.0 ? (double)p->ran / p->wallSeconds : 0.0;
  fprintf(stderr, "%" PRId64 " of %" PRId64 " runs, %" PRId64 " failed", p->done, p->runs, p->failed);
  if (rate > 0.0) {
    fputs(", ", stderr);
    printRate(stderr, rate);
    fprintf(stderr, ", %.0f s left", (double)(p->runs - p->done) / rate);
  }
}

void crSweepShow_Tell(crSweepShow* show, const crSweepProgress* p)
{
  if (show->isQuiet) {
    return;
  }
  if (show->isTerminal) {
    int filled = p->runs > 0 ? (int)(p->done * CR_BAR_WIDTH / p->runs) : 0;
    fputs("\r\x1b[K  ", stderr);
    for (int i = 0; i < CR_BAR_WIDTH; ++i) {
      fputs(i < filled ? "█" : "░", stderr);
    }
    fputs(" ", stderr);
    printProgress(p);
    (void)fflush(stderr);
  } else if (p->wallSeconds - show->told >= CR_LINE_SECONDS) {
    show->told = p->wallSeconds;
    printProgress(p);
    fputs("\n", stderr);
  }
}

void crSweepShow_End(crSweepShow* show)
{
  if (show->isTerminal && !show->isQuiet) {
    fputs("\r\x1b[K", stderr);
  }
}

static void printJson(crStatus status, const crSweepProgress* p, const char* folder)
{
  crJsonText text;
  crJsonText_Init(&text, crMakeStreamWriter(stdout));
  crJsonText_BeginObjectLines(&text);
  crJsonText_KeyString(&text, "folder", folder);
  crJsonText_KeyNumber(&text, "runs", (double)p->runs);
  crJsonText_KeyNumber(&text, "done", (double)p->done);
  crJsonText_KeyNumber(&text, "failed", (double)p->failed);
  crJsonText_KeyNumber(&text, "ran", (double)p->ran);
  crJsonText_KeyNumber(&text, "wallSeconds", p->wallSeconds);
  crJsonText_KeyString(&text, "end", status == cr_ok ? "ok" : status == cr_cancelled ? "interrupted" : "failed");
  crJsonText_EndObject(&text);
  crJsonText_Finish(&text);
}

int crTellSweep(crStatus status, const crSweepProgress* p, const char* folder, const crSweepArguments* arguments)
{
  enum { exitFailed = 3 };
  if (arguments->isJson) {
    printJson(status, p, folder);
  } else if (!arguments->isQuiet && (status == cr_ok || status == cr_cancelled)) {
    crPrintName(stdout, folder);
    printf(": %" PRId64 " of %" PRId64 " runs", p->done, p->runs);
    if (p->failed > 0) {
      printf(", %" PRId64 " failed", p->failed);
    }
    if (p->ran > 0) {
      printf("; %" PRId64 " in %.3g s, ", p->ran, p->wallSeconds);
      printRate(stdout, (double)p->ran / p->wallSeconds);
    }
    printf("\n");
  }
  if (status == cr_cancelled) {
    return CR_EXIT_INTERRUPTED;
  }
  return status != cr_ok ? CR_EXIT_MODEL : p->failed == p->runs ? exitFailed : CR_EXIT_OK;
}
