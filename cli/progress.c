// The progress bar of a run: time reached, speed against real time, time left. Only on a terminal.
#include "base/clock.h"
#include "base/platform.h"
#include "run.h"

#define CR_BAR_WIDTH 32         // [columns]
#define CR_REFRESH_SECONDS 0.1  // between two drawings
#define CR_PATIENCE_SECONDS 0.3 // runs shorter than this show no bar

void crProgress_Begin(crProgress* progress, double start, double stop, bool isQuiet)
{
  progress->isShown = !isQuiet && isatty(fileno(stderr));
  progress->start = start;
  progress->stop = stop;
  progress->began = crReadClock(CLOCK_MONOTONIC);
  progress->updated = progress->began + CR_PATIENCE_SECONDS - CR_REFRESH_SECONDS;
}

static void draw(const crProgress* progress, double t, double elapsed)
{
  double share = progress->stop > progress->start ? (t - progress->start) / (progress->stop - progress->start) : 1.0;
  int filled = (int)(share * CR_BAR_WIDTH);
  fputs("\r\x1b[K  ", stderr);
  for (int i = 0; i < CR_BAR_WIDTH; ++i) {
    fputs(i < filled ? "█" : "░", stderr);
  }
  fprintf(stderr, " %3.0f %%  %.4g of %.4g s", 100.0 * share, t, progress->stop);
  if (share > 0.0 && elapsed > 0.0) {
    fprintf(stderr, "  %.3g x real time  %.0f s left", (t - progress->start) / elapsed, elapsed * (1.0 / share - 1.0));
  }
  (void)fflush(stderr);
}

void crProgress_Show(crProgress* progress, double t)
{
  double time = progress->isShown ? crReadClock(CLOCK_MONOTONIC) : 0.0;
  if (progress->isShown && time - progress->updated >= CR_REFRESH_SECONDS) {
    progress->updated = time;
    draw(progress, t, time - progress->began);
  }
}

void crProgress_End(crProgress* progress)
{
  if (progress->isShown) {
    fputs("\r\x1b[K", stderr);
  }
}
