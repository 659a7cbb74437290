// Killing and resuming: the tool in processes of its own, results compared bit by bit.
#include "support/kill_resume.h"

#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_WORDS 32
#define MOST_ROUNDS 4 // resumed runs that are killed in turn, then one goes on to its end
#define CALL_SIZE 4096
#define SHORTEST_PAUSE 1e-4 // [s]
#define LONGEST_PAUSE 0.02  // [s]

const char* crKillTool = CAROM_TOOL;

const crKillModel crKillModels[CR_KILL_MODELS] = {
  { "examples/bouncing_ball.lua", "--stop 2 --interval 0.01" },
  { "examples/billiards.lua", "--stop 2 --interval 0.01" },
  { "examples/newtons_cradle.lua", "--stop 1 --interval 0.005" },
  { "examples/four_cubes.lua", "--stop 2 --interval 0.01" },
  { "examples/double_pendulum_obstacle.lua", "--stop 2 --interval 0.01" },
  { "examples/dominoes.lua", "--stop 0.2 --interval 0.002" },
  { "examples/marble_run.lua", "--stop 1 --interval 0.005" },
  { "examples/stewart.lua", "--stop 1 --interval 0.005" },
  { "examples/servo_arm.lua", "--stop 2 --interval 0.01" },
  { "examples/inverted_pendulum.lua", "--stop 2 --interval 0.01" },
  { "examples/rattleback.lua", "--stop 2 --interval 0.01" },
  { "examples/pick_and_place.lua", "--stop 4.5 --interval 0.02" },
  { "examples/slider_crank.lua", "--stop 1 --interval 0.005 --solver radau5" },
  { "bench/scenes/pile.lua", "--stop 0.4 --interval 0.004" },
  { "bench/scenes/box_stack.lua", "--stop 1 --interval 0.005" },
  { "bench/scenes/geneva.lua", "--stop 1 --interval 0.005" },
  { "bench/scenes/drum_chain.lua", "--stop 0.5 --interval 0.005" },
  { "bench/scenes/wheel_rig.lua", "--stop 0.5 --interval 0.005" },
  { "bench/scenes/settling.lua", "--stop 0.2 --interval 0.002" },
  { "examples/double_pendulum.lua", "--stop 2 --interval 0.01 --solver ida" },
  { "examples/governor.lua", "--stop 1 --interval 0.005 --solver cvode-bdf" },
};

// ----------------------------------------------------------------------------------------- processes

// [s] of processors that all children that ended have used.
static double readChildren(void)
{
  struct rusage usage;
  getrusage(RUSAGE_CHILDREN, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

// Starts the tool; what it prints goes to a file. The call is cut at its spaces.
static pid_t start(const char* log, const char* format, ...) __attribute__((format(printf, 2, 3)));
static pid_t start(const char* log, const char* format, ...)
{
  char call[CALL_SIZE];
  char* words[MOST_WORDS + 1] = { "carom" };
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(call, sizeof call, format, arguments);
  va_end(arguments);
  int count = 1;
  for (char* word = strtok(call, " "); word != NULL && count < MOST_WORDS; word = strtok(NULL, " ")) {
    words[count++] = word;
  }
  pid_t child = fork();
  if (child == 0) {
    int file = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    execv(crKillTool, words);
    _exit(127);
  }
  return child;
}

static double readTime(clockid_t clock)
{
  struct timespec now = { 0 };
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void pauseFor(double seconds)
{
  nanosleep(&(struct timespec){ 0, (long)(1e9 * seconds) }, NULL);
}

static int exitCode(int status)
{
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// The exit code, or -1: killed, once it has used so many seconds of processors (< 0: never). By the clock on the wall
// a busy machine would choose the points.
static int await(pid_t child, double seconds)
{
  int status = 0;
  clockid_t clock;
  bool isTimed = seconds >= 0.0 && clock_getcpuclockid(child, &clock) == 0;
  for (double left; isTimed && (left = seconds - readTime(clock)) > 0.0;) {
    if (waitpid(child, &status, WNOHANG) == child) {
      return exitCode(status);
    }
    pauseFor(fmin(fmax(0.25 * left, SHORTEST_PAUSE), LONGEST_PAUSE)); // some threads use time at once
  }
  if (seconds >= 0.0) {
    kill(child, SIGKILL);
  }
  waitpid(child, &status, 0);
  return exitCode(status);
}

static bool says(const char* log, const char* words)
{
  char text[8192];
  FILE* file = fopen(log, "r");
  size_t size = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file != NULL) {
    fclose(file);
  }
  text[size] = '\0';
  return strstr(text, words) != NULL;
}

static bool explain(char* outMessage, const char* what, int code, const char* log)
{
  char text[300];
  FILE* file = fopen(log, "r");
  size_t size = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file != NULL) {
    fclose(file);
  }
  text[size] = '\0';
  snprintf(outMessage, CR_DIFFERENCE_SIZE, "%s: exit %d, %s", what, code, text);
  return false;
}

// ----------------------------------------------------------------------------------------- reference

bool crMakeKillFolder(char outFolder[CR_KILL_FOLDER_SIZE])
{
  const char* place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  snprintf(outFolder, CR_KILL_FOLDER_SIZE, "%s/carom_kill_XXXXXX", place);
  return mkdtemp(outFolder) != NULL;
}

static void namePath(char* buffer, const char* folder, const char* name)
{
  snprintf(buffer, CALL_SIZE, "%s/%s", folder, name);
}

bool crMakeKillReference(const crKillModel* model, const char* folder, crKillReference* outReference,
                         char outMessage[CR_DIFFERENCE_SIZE])
{
  char log[CALL_SIZE];
  namePath(log, folder, "reference.log");
  *outReference = (crKillReference){ .model = model, .folder = folder };
  int code = await(start(log, "run %s/%s %s --no-report --quiet --out %s/reference.run", CAROM_ROOT, model->file,
                         model->options, folder),
                   -1.0);
  for (int threads = 1; threads <= 2 && code == 0; ++threads) {
    double began = readChildren();
    code = await(start(log, "run %s/%s %s --no-report --quiet --checkpoint 0 --threads %d --out %s/killed.run",
                       CAROM_ROOT, model->file, model->options, threads, folder),
                 -1.0);
    outReference->seconds[threads - 1] = readChildren() - began;
  }
  return code == 0 ? true : explain(outMessage, "the undisturbed run", code, log);
}

// --------------------------------------------------------------------------------------- comparison

// Without what depends on the machine's mood, and on who took the steps.
static json_t* readRunJson(const char* path)
{
  json_t* root = json_load_file(path, 0, NULL);
  const char* const names[] = { "cpuSeconds", "wallSeconds", "startSeconds" };
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    json_object_del(root, names[i]);
  }
  json_object_del(json_object_get(root, "options"), "threads");
  return root;
}

static bool compareRunJson(const char* folder, char* outMessage)
{
  char pathA[CALL_SIZE], pathB[CALL_SIZE];
  namePath(pathA, folder, "reference.run/run.json");
  namePath(pathB, folder, "killed.run/run.json");
  json_t *a = readRunJson(pathA), *b = readRunJson(pathB);
  bool isAlike = a != NULL && b != NULL && json_equal(a, b);
  if (!isAlike) {
    snprintf(outMessage, CR_DIFFERENCE_SIZE, "run.json differs, or is missing");
  }
  json_decref(a);
  json_decref(b);
  return isAlike;
}

static bool compare(const crKillReference* reference, char* outMessage)
{
  char pathA[CALL_SIZE], pathB[CALL_SIZE];
  namePath(pathA, reference->folder, "reference.run/result.h5");
  namePath(pathB, reference->folder, "killed.run/result.h5");
  return crAreDatasetsAlike(pathA, pathB, outMessage) && compareRunJson(reference->folder, outMessage);
}

// ------------------------------------------------------------------------------------------ one point

typedef enum Outcome { outcomeEnded, outcomeKilled, outcomeEarly, outcomeWrong } Outcome;

static void removeFolder(const char* folder)
{
  char command[CALL_SIZE + 16];
  snprintf(command, sizeof command, "rm -rf '%s/killed.run'", folder);
  if (system(command) != 0) {
    fprintf(stderr, "cannot remove %s/killed.run\n", folder);
  }
}

static Outcome resume(const crKillReference* reference, int threads, double seconds, const char* log, char* outMessage)
{
  int code = await(
      start(log, "resume %s/killed.run --no-report --quiet --checkpoint 0 --threads %d", reference->folder, threads),
      seconds);
  if (code == 0 || (code == 1 && says(log, "the run is complete"))) {
    return outcomeEnded;
  }
  if (code == -1) {
    return outcomeKilled;
  }
  if (code == 1 && (says(log, "there is no checkpoint") || says(log, "the folder cannot be opened"))) {
    return outcomeEarly;
  }
  explain(outMessage, "carom resume", code, log);
  return outcomeWrong;
}

// A run, killed; then resumed and killed as chance has it, then resumed to its end.
static Outcome tryPoint(const crKillReference* reference, int threads, crRandom* random, crKillCounts* counts,
                        char* outMessage)
{
  char log[CALL_SIZE];
  namePath(log, reference->folder, "killed.log");
  removeFolder(reference->folder);
  double whole = reference->seconds[threads - 1];
  int code = await(start(log, "run %s/%s %s --no-report --quiet --checkpoint 0 --threads %d --out %s/killed.run",
                         CAROM_ROOT, reference->model->file, reference->model->options, threads, reference->folder),
                   crRandom_Uniform(random, 0.0, whole));
  counts->kills += code == -1;
  counts->late += code != -1;
  Outcome outcome = outcomeKilled;
  for (int round = 0; round <= MOST_ROUNDS && outcome == outcomeKilled; ++round) {
    bool isLast = round == MOST_ROUNDS || crRandom_Uniform(random, 0.0, 1.0) < 0.6;
    outcome = resume(reference, threads, isLast ? -1.0 : crRandom_Uniform(random, 0.0, whole), log, outMessage);
    counts->kills += outcome == outcomeKilled;
  }
  return outcome;
}

bool crKillAndResume(const crKillReference* reference, int threads, crRandom* random, crKillCounts* counts,
                     char outMessage[CR_DIFFERENCE_SIZE])
{
  Outcome outcome = outcomeEarly;
  for (int tries = 0; tries < 100 && outcome == outcomeEarly; ++tries) {
    outcome = tryPoint(reference, threads, random, counts, outMessage);
    counts->early += outcome == outcomeEarly;
  }
  if (outcome == outcomeEarly) {
    snprintf(outMessage, CR_DIFFERENCE_SIZE, "a hundred runs were killed before their first checkpoint");
  }
  return outcome == outcomeEnded && compare(reference, outMessage);
}
