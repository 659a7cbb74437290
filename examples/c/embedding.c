// Carom inside another program: its own allocator and messages, a model from a text, frames at the pace of the host,
// a run that calls back, and two runs in two threads.
#include <carom/carom.h>
#include <carom/io.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------- allocator and messages

// Counts the bytes in use. A host with an arena or a pool of its own puts it here.
static void* countedReallocate(void* context, void* block, size_t oldSize, size_t newSize)
{
  size_t* used = context;
  size_t before = block != NULL ? oldSize : 0;
  void* moved = newSize > 0 ? realloc(block, newSize) : NULL;
  if (newSize == 0) {
    free(block);
  }
  if (newSize == 0 || moved != NULL) {
    *used += newSize - before;
  }
  return moved;
}

static void printMessage(void* context, const crError* error)
{
  char text[1024];
  crError_Format(error, text, sizeof text);
  fprintf(context, "%s\n", text);
}

// -------------------------------------------------------------------------------- the host's own clock

// As a game or a viewer would: advance to the time of the next frame, read poses, draw.
static crStatus showFrames(const crModel* model, const crErrorSink* sink)
{
  crSimulation* simulation = NULL;
  crPose pose = crIdentityPose();
  crStatus status = crCreateSimulation(model, NULL, NULL, sink, &simulation);
  for (int frame = 1; frame <= 120 && status == cr_ok; ++frame) {
    status = crSimulation_Advance(simulation, frame / 60.0);
    pose = crInstance_GetPose(crSimulation_GetInstance(simulation), crModel_FindObject(model, "ball"));
  }
  printf("frame 120: ball at (%.4f, %.4f, %.4f)\n", pose.p.x, pose.p.y, pose.p.z);
  crDestroySimulation(simulation);
  return status;
}

// ------------------------------------------------------------------------------- runs that call back

typedef struct Job {
  const crModel* model; // shared: nobody changes it
  int outputs;
  double highest; // [m/s] speed of the ball
  crStatus status;
} Job;

static crStatus atOutput(void* context, double t, const crInstance* instance)
{
  (void)t;
  Job* job = context;
  crMotion motion = crInstance_GetMotion(instance, crModel_FindObject(job->model, "ball"));
  job->highest = fmax(job->highest, crLength(motion.v));
  ++job->outputs;
  return cr_ok; // anything else ends the run
}

static void* runJob(void* context)
{
  Job* job = context;
  crSimulation* simulation = NULL;
  crSimulationOptions options = crDefaultSimulationOptions();
  options.tolerance = 1e-9;
  crObserver observer = { .context = job, .atOutput = atOutput };
  crRunEnd end;
  job->status = crCreateSimulation(job->model, &options, NULL, NULL, &simulation);
  if (job->status == cr_ok) {
    job->status = crSimulation_Run(simulation, &observer, &end);
  }
  crDestroySimulation(simulation);
  return NULL;
}

static void runInThreads(const crModel* model)
{
  Job jobs[2] = { { .model = model }, { .model = model } };
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) {
    pthread_create(&threads[i], NULL, runJob, &jobs[i]);
  }
  for (int i = 0; i < 2; ++i) {
    pthread_join(threads[i], NULL);
    printf("thread %d: %s, %d outputs, at most %.4f m/s\n", i + 1, crStatus_GetText(jobs[i].status), jobs[i].outputs,
           jobs[i].highest);
  }
  printf("%s\n", jobs[0].highest == jobs[1].highest ? "the same bits" : "different bits");
}

// ------------------------------------------------------------------------------------------- model

static const char text[] = "world('ground')\n"
                           "local rod = object('rod')\n"
                           "object('ball', { parent = rod, position = { 0, 0, -1 }, mass{ mass = 1 } })\n"
                           "revolute('hinge', 'ground', rod, { axis = 'y', start = 0.5 })\n";

int main(void)
{
  size_t used = 0;
  crAllocator allocator = { countedReallocate, &used };
  crErrorSink sink = { printMessage, stderr };
  crScene* scene = NULL;
  crModel* model = NULL;
  crStatus status = crReadLua(text, strlen(text), "pendulum", NULL, NULL, &allocator, &sink, &scene);
  if (status == cr_ok) {
    status = crCompile(scene, NULL, &allocator, &sink, &model);
  }
  crDestroyScene(scene); // a model does not need its scene
  if (status == cr_ok) {
    status = showFrames(model, &sink);
    runInThreads(model);
  }
  crDestroyModel(model);
  printf("%zu bytes left\n", used);
  return status == cr_ok ? 0 : 1;
}
