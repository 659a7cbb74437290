// The time of a simulation without its output.
#include "support/test.h"

#include "base/clock.h"
#include "sim/stopwatch.h"

#include <time.h>

// Works until this thread has used so much of the processor.
static void work(double seconds)
{
  double until = crReadClock(CLOCK_THREAD_CPUTIME_ID) + seconds;
  while (crReadClock(CLOCK_THREAD_CPUTIME_ID) < until) {
  }
}

static crStopwatch measure(int turns, double counted, double other)
{
  crStopwatch watch = { 0 };
  crStopwatch_Open(&watch);
  for (int i = 0; i < turns; ++i) {
    crStopwatch_Turn(&watch, true);
    work(counted);
    crStopwatch_Turn(&watch, false);
    work(other);
  }
  crStopwatch_Close(&watch);
  return watch;
}

// Turns that are longer than the time between two readings of the CPU clock are told apart by it.
static void work_is_counted_and_output_is_not(void** state)
{
  (void)state;
  crStopwatch watch = measure(20, 1e-3, 2e-3);
  assert_close(watch.cpuSeconds, 20e-3, 2e-3);
  assert_true(watch.wallSeconds >= 0.999 * watch.cpuSeconds);
}

// Short turns are shared out. Other processes can make that wrong by what output took, never more.
static void short_turns_are_shared_out(void** state)
{
  (void)state;
  double before = crReadClock(CLOCK_THREAD_CPUTIME_ID);
  crStopwatch watch = measure(2000, 20e-6, 5e-6);
  double all = crReadClock(CLOCK_THREAD_CPUTIME_ID) - before;
  assert_true(watch.cpuSeconds >= 0.99 * 2000 * 20e-6);
  assert_true(watch.cpuSeconds <= all);
}

static void waiting_in_output_is_not_counted(void** state)
{
  (void)state;
  crStopwatch watch = { 0 };
  crStopwatch_Open(&watch);
  for (int i = 0; i < 5; ++i) {
    crStopwatch_Turn(&watch, true);
    work(50e-6);
    crStopwatch_Turn(&watch, false);
    nanosleep(&(struct timespec){ 0, 2000000 }, NULL);
  }
  crStopwatch_Close(&watch);
  assert_true(watch.cpuSeconds >= 0.99 * 5 * 50e-6);
  assert_true(watch.cpuSeconds < 5e-3);
}

static void calls_add_up(void** state)
{
  (void)state;
  crStopwatch watch = measure(1, 1e-3, 0.0);
  double first = watch.cpuSeconds;
  work(2e-3); // between two calls
  crStopwatch_Open(&watch);
  crStopwatch_Turn(&watch, true);
  work(1e-3);
  crStopwatch_Close(&watch);
  assert_close(watch.cpuSeconds - first, 1e-3, 3e-4);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(work_is_counted_and_output_is_not),
    cmocka_unit_test(short_turns_are_shared_out),
    cmocka_unit_test(waiting_in_output_is_not_counted),
    cmocka_unit_test(calls_add_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
