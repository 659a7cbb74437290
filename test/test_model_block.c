// The block of a model: it holds neither addresses nor chance, so it can be moved, and hashed.
#include "model/model.h"
#include "support/test.h"
#include "support/test_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATES 4096

// -------------------------------------------------------------------------------------------- moving

static char* allocateBlock(size_t size, char** outMemory)
{
  *outMemory = malloc(size + 3 * CR_BLOCK_ALIGNMENT);
  assert_non_null(*outMemory);
  char* place = *outMemory + CR_BLOCK_ALIGNMENT;
  return place + (0u - (uintptr_t)place) % CR_BLOCK_ALIGNMENT;
}

static int runModel(const crModel* model, double stop, double* outY)
{
  crSimulationOptions options = crDefaultSimulationOptions();
  crSimulation* simulation;
  int count = crModel_GetSize(model).stateCount;
  assert_true(count <= STATES);
  options.stopTime = stop;
  assert_int_equal(crCreateSimulation(model, &options, NULL, NULL, &simulation), cr_ok);
  assert_int_equal(crSimulation_Advance(simulation, stop), cr_ok);
  crInstance_GetState(crSimulation_GetInstance(simulation), crModel_GetAllTrees(model), outY);
  crDestroySimulation(simulation);
  return count;
}

// While the copy runs, the block that it was copied from is full of rubbish.
static void a_block_that_was_moved_gives_the_same_bits(void** state)
{
  (void)state;
  static const struct {
    const char* example;
    double stop;
  } cases[] = { { "gripper.lua", 0.3 },      { "robot_arm.lua", 0.3 }, { "inverted_pendulum.lua", 0.3 },
                { "n_four_bar.lua", 0.2 },   { "wishbone.lua", 0.2 },  { "rattleback.lua", 0.3 },
                { "bouncing_box.lua", 0.5 }, { "governor.lua", 0.3 },  { "bushing.lua", 0.3 },
                { "marble_run.lua", 0.1 },   { "servo_arm.lua", 0.3 }, { "billiards.lua", 0.3 } };
  crSimulationOptions options = crDefaultSimulationOptions();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    crTestRun run = crOpenTestRun(&(crTestPlan){ .example = cases[i].example, .options = &options });
    static double y[STATES], moved[STATES];
    int count = runModel(run.model, cases[i].stop, y);
    size_t size = run.model->block->byteCount;
    char *memory, *copy = allocateBlock(size, &memory), *saved = malloc(size);
    memcpy(copy, run.model->block, size);
    memcpy(saved, copy, size);
    crModel handle = *run.model;
    crModel_Bind(&handle, (crModelHead*)(void*)copy);
    memset(run.model->block, 0xa5, size);
    int movedCount = runModel(&handle, cases[i].stop, moved);
    memcpy(run.model->block, saved, size);
    assert_int_equal(movedCount, count);
    assert_memory_equal(moved, y, (size_t)count * sizeof *y);
    crCloseTestRun(&run);
    free(memory);
    free(saved);
  }
}

// -------------------------------------------------------------------------------------------- chance

// New memory is full of a byte, in whatever place.
static void* fillAndReallocate(void* context, void* block, size_t oldSize, size_t newSize)
{
  if (newSize == 0) {
    free(block);
    return NULL;
  }
  char* memory = realloc(block, newSize);
  if (memory != NULL && newSize > oldSize) {
    memset(memory + (block != NULL ? oldSize : 0), *(const int*)context, newSize - (block != NULL ? oldSize : 0));
  }
  return memory;
}

static void compileFilled(const char* example, int filling, crModel** outModel)
{
  char path[512];
  crAllocator allocator = { fillAndReallocate, &filling };
  crScene* scene;
  snprintf(path, sizeof path, "%s/examples/%s", CAROM_ROOT, example);
  assert_int_equal(crReadModel(path, NULL, &allocator, NULL, &scene), cr_ok);
  assert_int_equal(crCompile(scene, NULL, &allocator, NULL, outModel), cr_ok);
  (*outModel)->allocator = crDefaultAllocator(); // the filling ends with this function
  crDestroyScene(scene);
}

static void a_block_depends_on_its_scene_alone(void** state)
{
  (void)state;
  static const char* const examples[] = { "gripper.lua",      "robot_arm.lua", "inverted_pendulum.lua", "stewart.lua",
                                          "bouncing_box.lua", "governor.lua",  "bushing.lua",           "planet.lua",
                                          "rattleback.lua",   "servo_arm.lua", "super_objects.lua" };
  for (size_t i = 0; i < sizeof examples / sizeof *examples; ++i) {
    crModel *a, *b;
    char hashA[CR_HASH_TEXT], hashB[CR_HASH_TEXT];
    compileFilled(examples[i], 0xa5, &a);
    compileFilled(examples[i], 0x3c, &b);
    assert_int_equal(a->block->byteCount, b->block->byteCount);
    assert_memory_equal(a->block, b->block, a->block->byteCount);
    assert_int_equal(crModel_GetHash(a, hashA), cr_ok);
    assert_int_equal(crModel_GetHash(b, hashB), cr_ok);
    assert_string_equal(hashA, hashB);
    crDestroyModel(a);
    crDestroyModel(b);
  }
}

// -------------------------------------------------------------------------------------------- hashes

typedef struct Words {
  const char *gravity, *tip, *cor, *code, *name;
} Words;

static void hashOf(const Words* words, char outHash[CR_HASH_TEXT])
{
  char text[2048];
  snprintf(text, sizeof text,
           "scene{ gravity = { 0, 0, %s } }\n"
           "contactPair('Steel', 'Steel', { cor = %s, muK = 0.1, muR = 0 })\n"
           "local room = world('room')\n"
           "object('rock', { parent = room, solid{ contact = 'Steel', shape = hull{\n"
           "  points = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, %s } } } } })\n"
           "local ball = object('ball', { parent = room, free = true, position = { 0, 0, 3 },\n"
           "  solid{ shape = sphere{ radius = 0.1 }, material = 'Steel', contact = 'Steel' } })\n"
           "local push = userFunction('%s', { inputs = {}, code = 'return %s' })\n"
           "force('wind', ball, { force = { 1, 0, 0 }, factor = push })\n",
           words->gravity, words->cor, words->tip, words->name, words->code);
  crTestRun run = crOpenTestRun(&(crTestPlan){ .text = text, .stop = 1.0 });
  assert_int_equal(crModel_GetHash(run.model, outHash), cr_ok);
  assert_int_equal(strlen(outHash), CR_HASH_TEXT - 1);
  crCloseTestRun(&run);
}

static void models_that_differ_have_different_hashes(void** state)
{
  (void)state;
  static const Words words[] = {
    { "-9.81", "1", "0.5", "1", "push" }, { "-9.8", "1", "0.5", "1", "push" },  { "-9.81", "1.5", "0.5", "1", "push" },
    { "-9.81", "1", "0.6", "1", "push" }, { "-9.81", "1", "0.5", "2", "push" }, { "-9.81", "1", "0.5", "1", "pull" },
  };
  enum { count = sizeof words / sizeof *words };
  char hashes[count][CR_HASH_TEXT], again[CR_HASH_TEXT];
  for (int i = 0; i < count; ++i) {
    hashOf(&words[i], hashes[i]);
    for (int k = 0; k < i; ++k) {
      assert_string_not_equal(hashes[i], hashes[k]);
    }
  }
  hashOf(&words[0], again);
  assert_string_equal(again, hashes[0]);
  assert_int_equal(crModel_GetHash(NULL, again), cr_errorMisuse);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_block_that_was_moved_gives_the_same_bits),
    cmocka_unit_test(a_block_depends_on_its_scene_alone),
    cmocka_unit_test(models_that_differ_have_different_hashes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
