// A run that branches: from one point of a bouncing ball on, pushes of different strength, each in a simulation of its
// own. And a run that is saved there, and goes on in a simulation that knows nothing but those bytes.
#include <carom/carom.h>
#include <carom/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = "local ground = world('ground', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
                           "local ball = object('ball', { parent = ground, free = true, position = { 0, 0, 0.3 },\n"
                           "  solid{ shape = sphere{ radius = 0.05 }, material = 'Steel', contact = 'Steel' } })\n"
                           "force('wind', ball, { force = { 1, 0, 0 }, factor = input('push', { unit = 'N' }) })\n";

typedef struct Bytes {
  void* data;
  size_t size;
} Bytes;

static crStatus keep(void* context, const void* bytes, size_t size)
{
  Bytes* kept = context;
  kept->data = malloc(size);
  kept->size = size;
  if (kept->data == NULL) {
    return cr_errorMemory;
  }
  memcpy(kept->data, bytes, size);
  return cr_ok;
}

static double getPlace(const crModel* model, crSimulation* simulation)
{
  return crInstance_GetPose(crSimulation_GetInstance(simulation), crModel_FindObject(model, "ball")).p.x;
}

// Goes on from where the simulation is, which stays there.
static crStatus branch(const crModel* model, const crSimulation* simulation, double push)
{
  crSimulation* copy = NULL;
  crStatus status = crSimulation_Copy(simulation, NULL, NULL, &copy);
  status = status == cr_ok ? crSimulation_SetInput(copy, crModel_FindInput(model, "push"), push) : status;
  status = status == cr_ok ? crSimulation_Advance(copy, 1.0) : status;
  if (status == cr_ok) {
    printf("pushed by %g N: %.3f m\n", push, getPlace(model, copy));
  }
  crDestroySimulation(copy);
  return status;
}

static crStatus saveAndLoad(const crModel* model, crSimulation* simulation)
{
  Bytes saved = { NULL, 0 };
  crSimulation* loaded = NULL;
  crStatus status = crSimulation_Save(simulation, NULL, 0, (crByteWriter){ keep, &saved });
  status = status == cr_ok ? crLoadSimulation(model, saved.data, saved.size, NULL, NULL, NULL, &loaded) : status;
  status = status == cr_ok ? crSimulation_Advance(simulation, 1.0) : status;
  status = status == cr_ok ? crSimulation_Advance(loaded, 1.0) : status;
  if (status == cr_ok) {
    printf("%s\n", getPlace(model, loaded) == getPlace(model, simulation) ? "the same bits" : "other bits");
  }
  crDestroySimulation(loaded);
  free(saved.data);
  return status;
}

int main(void)
{
  crScene* scene = NULL;
  crModel* model = NULL;
  crSimulation* simulation = NULL;
  crStatus status = crReadLua(text, strlen(text), "ball.lua", NULL, NULL, NULL, NULL, &scene);
  status = status == cr_ok ? crCompile(scene, NULL, NULL, NULL, &model) : status;
  status = status == cr_ok ? crCreateSimulation(model, NULL, NULL, NULL, &simulation) : status;
  status = status == cr_ok ? crSimulation_Advance(simulation, 0.5) : status;
  for (int i = 1; i <= 3 && status == cr_ok; ++i) {
    status = branch(model, simulation, i);
  }
  status = status == cr_ok ? saveAndLoad(model, simulation) : status;
  crDestroySimulation(simulation);
  crDestroyModel(model);
  crDestroyScene(scene);
  return status == cr_ok ? 0 : 1;
}
