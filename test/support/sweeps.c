#include "support/sweeps.h"

#include "support/folder.h"
#include "support/log.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

const char* crWriteDropModel(void)
{
  static const char text[] =
      "local p = parameters{ height = 0.5, cor = 0.7, kind = 'Steel', fails = 0 }\n"
      "scene{ stopTime = 0.4, interval = 0.01 }\n"
      "if p.height < p.fails then error('the ball is too low') end\n"
      "contactPair('Steel', 'DryWood', { cor = p.cor, muK = 0.4, muR = 0.001 })\n"
      "contactPair('Aluminium', 'DryWood', { cor = p.cor, muK = 0.4, muR = 0.001 })\n"
      "local room = world('room')\n"
      "object('table', { parent = room, solid{ shape = box{ size = { 1, 1, 0.1 } }, contact = 'DryWood' } })\n"
      "object('ball', { parent = room, position = { 0, 0, p.height + 0.06 }, free = true,\n"
      "  solid{ shape = sphere{ diameter = 0.02 }, material = p.kind, contact = p.kind } })\n";
  const char* path = crTestPath("drop.lua");
  crWriteTestFile(path, text, sizeof text - 1);
  return path;
}

crSweepTable* crReadTestTable(const char* name)
{
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crSweepTable* table = NULL;
  crStatus status = crReadSweepTable(crTestPath(name), NULL, &sink, &table);
  assert_no_messages(log);
  assert_int_equal(status, cr_ok);
  crDestroyErrorLog(log);
  return table;
}

void crAssertSameTable(const crSweepTable* a, const crSweepTable* b, const char* file, int line)
{
  int rows = crSweepTable_CountRows(a), inputs = crSweepTable_CountInputs(a), outputs = crSweepTable_CountOutputs(a);
  _assert_int_equal(rows, crSweepTable_CountRows(b), file, line);
  _assert_int_equal(inputs, crSweepTable_CountInputs(b), file, line);
  _assert_int_equal(outputs, crSweepTable_CountOutputs(b), file, line);
  for (int i = 0; i < rows; ++i) {
    crSweepRow x = crSweepTable_GetRow(a, i), y = crSweepTable_GetRow(b, i);
    bool isSame = x.run == y.run && x.status == y.status && x.warnings == y.warnings &&
                  strcmp(x.message, y.message) == 0 &&
                  memcmp(x.inputs, y.inputs, (size_t)inputs * sizeof(double)) == 0 &&
                  memcmp(x.outputs, y.outputs, (size_t)outputs * sizeof(double)) == 0;
    if (!isSame) {
      print_error("row %d differs: runs %lld and %lld\n", i, (long long)x.run, (long long)y.run);
    }
    _assert_true(isSame, "the rows are the same", file, line);
  }
}

// ---------------------------------------------------------------------------------------------- kills

static pid_t startTool(const char* name, int runs, const char* threads)
{
  char count[32];
  snprintf(count, sizeof count, "%d", runs);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    execl(CAROM_TOOL, "carom", "sweep", crTestPath("drop.lua"), "--vary", "height=0.1:0.5:10", "--vary",
          "cor=uniform(0.4,0.9)", "--vary", "fails=0,0.2", "--runs", count, "--stop", "1.5", "--output",
          "last(ball.position)", "--output", "count(contacts)", "--threads", threads, "--quiet", "-o", crTestPath(name),
          (char*)NULL);
    _exit(127);
  }
  return child;
}

static void awaitEnd(pid_t child)
{
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0);
}

int crKillSweep(const char* name, int runs, int kills, double seconds)
{
  crRandom random = crMakeRandom((uint64_t)time(NULL)); // another moment each time
  int died = 0;
  for (int i = 0; i < kills; ++i) {
    pid_t child = startTool(name, runs, "2");
    double wait = crRandom_Uniform(&random, 0.0, seconds);
    struct timespec pause = { (time_t)wait, (long)(1e9 * (wait - (double)(time_t)wait)) };
    int status = 0;
    nanosleep(&pause, NULL);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &status, 0), child);
    died += WIFSIGNALED(status);
  }
  awaitEnd(startTool(name, runs, "2"));
  return died;
}

void crRunCalmSweep(const char* name, int runs)
{
  awaitEnd(startTool(name, runs, "1"));
}
