// Sweeps as arrays of Slurm: a script whose tasks take blocks of runs in turns, each into a file of its own.
#include "sweep.h"

#include "base/file.h"
#include "base/platform.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// A word between quotes, for a shell.
static void writeWord(crOutputFile* file, const char* word)
{
  crOutputFile_Write(file, "'", 1);
  for (const char* c = word; *c != '\0'; ++c) {
    *c == '\'' ? crOutputFile_Write(file, "'\\''", 4) : crOutputFile_Write(file, c, 1);
  }
  crOutputFile_Write(file, "'", 1);
}

static void writeText(crOutputFile* file, const char* text)
{
  crOutputFile_Write(file, text, strlen(text));
}

static crStatus writeScript(const char* path, const char* folder, const crSweepArguments* arguments,
                            const crErrorSink* sink)
{
  char tool[CR_PATH_SIZE], text[1024];
  ssize_t length = readlink("/proc/self/exe", tool, sizeof tool - 1);
  if (length < 0) {
    return crReportFile(sink, "/proc/self/exe", "the place of the tool cannot be found", errno);
  }
  tool[length] = '\0';
  crOutputFile* file = NULL;
  crStatus status = crOpenOutputFile(path, NULL, sink, &file);
  if (status != cr_ok) {
    return status;
  }
  int threads = arguments->options.threads > 0 ? arguments->options.threads : 1;
  snprintf(text, sizeof text,
           "#!/bin/sh\n"
           "# Written by carom sweep --slurm. Submitted again it runs what is missing.\n"
           "#SBATCH --job-name=carom-sweep\n"
           "#SBATCH --array=0-%d\n"
           "#SBATCH --cpus-per-task=%d\n"
           "#SBATCH --output=slurm-%%A-%%a.log\n"
           "exec ",
           arguments->slurmTasks - 1, threads);
  writeText(file, text);
  writeWord(file, tool);
  writeText(file, " sweep ");
  writeWord(file, folder);
  snprintf(text, sizeof text, " --task \"$SLURM_ARRAY_TASK_ID/%d\" --threads %d%s%s\n", arguments->slurmTasks, threads,
           arguments->options.retriesFailed ? " --retry-failed" : "", arguments->allowsFmus ? " --allow-fmu" : "");
  writeText(file, text);
  return crCloseOutputFile(file, true, sink);
}

// sbatch in the folder, where its logs then lie. The exit code.
static int submit(const char* folder, const char* script)
{
  pid_t child = fork();
  if (child == 0) {
    if (chdir(folder) == 0) {
      execlp("sbatch", "sbatch", script, (char*)NULL);
    }
    fprintf(stderr, "carom: sbatch cannot be started: %s\n", strerror(errno));
    _exit(CR_EXIT_MODEL);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) {
    fprintf(stderr, "carom: sbatch cannot be started: %s\n", strerror(errno));
    return CR_EXIT_MODEL;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? CR_EXIT_OK : CR_EXIT_MODEL;
}

int crWriteSlurm(const crSweepPlan* plan, const char* folder, const crSweepArguments* arguments,
                 const crErrorSink* sink)
{
  char path[CR_PATH_SIZE], absolute[CR_PATH_SIZE];
  if (crPrepareSweep(plan, folder, NULL, sink) != cr_ok) {
    return CR_EXIT_MODEL;
  }
  bool isFound = realpath(folder, absolute) != NULL;
  if (!isFound || snprintf(path, sizeof path, "%s/sweep.slurm", absolute) >= (int)sizeof path) {
    crReportFile(sink, folder, "the folder of the sweep cannot be found", isFound ? ENAMETOOLONG : errno);
    return CR_EXIT_MODEL;
  }
  if (writeScript(path, absolute, arguments, sink) != cr_ok) {
    return CR_EXIT_MODEL;
  }
  if (!arguments->isQuiet) {
    printf("%s\n", path);
    (void)fflush(stdout); // main looks for errors
  }
  return arguments->isSubmitted ? submit(absolute, path) : CR_EXIT_OK;
}
