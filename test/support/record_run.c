// Runs a Lua model into a result file.
#include "support/record_run.h"

#include "support/log.h"
#include "support/lua.h"
#include "support/results.h"

#include <stdlib.h>
#include <string.h>

#define MAX_MESHES 8

typedef struct Text {
  char bytes[1 << 18];
  size_t size;
} Text;

static void collect(void* context, const char* bytes, size_t size)
{
  Text* text = context;
  assert_true(text->size + size < sizeof text->bytes);
  memcpy(text->bytes + text->size, bytes, size);
  text->size += size;
  text->bytes[text->size] = '\0';
}

typedef struct Recording {
  crRecorder* recorder;
  crResultWriter* writer;
} Recording;

static crStatus record(void* context, double t, const crInstance* instance)
{
  Recording* recording = context;
  return crResultWriter_AddRow(recording->writer,
                               &(crRow){ .time = t,
                                         .values = crRecorder_Read(recording->recorder, instance),
                                         .poses = crRecorder_ReadPoses(recording->recorder, instance) });
}

static crResultDef describe(const crRecorder* recorder, const char* path, const char* source, const char* json,
                            const crMeshFile* meshes, int meshCount)
{
  crResultDef def = { .size = sizeof def,
                      .path = path,
                      .columns = crRecorder_GetColumns(recorder),
                      .columnCount = crRecorder_CountColumns(recorder),
                      .modelName = "models/test model.lua",
                      .sceneJson = json,
                      .sourceText = source,
                      .bodies = crRecorder_GetBodies(recorder),
                      .bodyCount = crRecorder_CountBodies(recorder),
                      .meshes = meshes,
                      .meshCount = meshCount };
  return def;
}

static void simulate(const crModel* model, Recording* recording, double stop, double interval)
{
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = stop;
  options.interval = interval;
  options.ignoresContacts = true;
  crSimulation* simulation = NULL;
  assert_int_equal(crCreateSimulation(model, &options, NULL, NULL, &simulation), cr_ok);
  crObserver observer = { .context = recording, .atOutput = record };
  crRunEnd end;
  assert_int_equal(crSimulation_Run(simulation, &observer, &end), cr_ok);
  crDestroySimulation(simulation);
}

crResult* crRecordTestRun(const char* source, const char* path, double stop, double interval)
{
  static const char run[] =
      "{\"exit\": \"ok\", \"cpuSeconds\": 0.25, \"solver\": {\"name\": \"dopri5\", \"rejectedSteps\": 3},"
      " \"energy\": {\"startKinetic\": 1, \"endKinetic\": 0.25, \"startPotential\": 2,"
      " \"endPotential\": 2.5, \"dissipated\": 0.2}}";
  crReadOptions options = { .size = sizeof options, .allowedPath = "/" };
  crTestModel test = crTestModel_Read(source, &options);
  crModel* model = NULL;
  Text* json = calloc(1, sizeof *json);
  Recording recording = { NULL, NULL };
  assert_int_equal(test.status, cr_ok);
  assert_int_equal(crCompile(test.scene, NULL, NULL, &test.sink, &model), cr_ok);
  assert_int_equal(crWriteJson(test.scene, NULL, &test.sink, (crTextWriter){ collect, json }), cr_ok);
  assert_int_equal(crCreateRecorder(model, NULL, 0, NULL, &test.sink, &recording.recorder), cr_ok);
  crMeshFile meshes[MAX_MESHES];
  int meshCount = crScene_CountMeshFiles(test.scene);
  assert_true(meshCount <= MAX_MESHES);
  for (int i = 0; i < meshCount; ++i) {
    meshes[i] = crScene_GetMeshFile(test.scene, i);
  }
  crResultDef def = describe(recording.recorder, path, source, json->bytes, meshes, meshCount);
  assert_int_equal(crCreateResultWriter(&def, NULL, &test.sink, &recording.writer), cr_ok);
  simulate(model, &recording, stop, interval);
  assert_int_equal(crResultWriter_Close(recording.writer, true, "ok", run), cr_ok);
  crDestroyRecorder(recording.recorder);
  crDestroyModel(model);
  crTestModel_Free(&test);
  free(json);
  return crReadTestResult(path);
}

const char crHostileModel[] =
    "local p = parameters{ ['</script><script>alert(1)</script>'] = 1, plain = 'a \"b\" <c>', yes = true }\n"
    "scene{ gravity = { 0, 0, -1.5 } }\n"
    "visualMaterial('<img src=x onerror=alert(1)>', { color = 'Crimson', transparency = 0.25, shininess = 0.125 })\n"
    "local w = world('world', { light{ kind = 'ambient', intensity = 0.5 }, visual{ shape = grid{ width = 2, length = "
    "3, "
    "spacing = 0.5 } } })\n"
    "object('eye', { parent = w, position = { 0, -3, 1 }, camera{ fieldOfView = 0.75 } })\n"
    "object('</script>', { parent = w, free = true, position = { 1, 2, 3 }, velocity = { 0.5, 0, 2 },\n"
    "  angularVelocity = { 0, 0, 1 },\n"
    "  solid{ shape = sphere{ radius = 0.25 }, material = 'Steel', contact = 'Steel',\n"
    "         visual = '<img src=x onerror=alert(1)>' },\n"
    "  visual{ shape = text{ string = '<!-- \"quoted\" & größer \\\\ \\u{2028} 🎱', height = 0.125 } } })\n"
    "local names = { 'a\"b', \"it's\", '&amp;', 'Körper φ̇', '🎱', string.rep('lang', 60) }\n"
    "local shapes = { ellipsoid{ radii = { 0.1, 0.2, 0.3 } }, box{ size = { 0.1, 0.2, 0.3 } },\n"
    "  cylinder{ radius = 0.1, length = 0.4, boreRadius = 0.05, axis = 'x' },\n"
    "  cone{ radius = 0.2, topRadius = 0.1, length = 0.3, axis = { 0, 1, 1 } },\n"
    "  capsule{ radius = 0.1, length = 0.4, axis = 'y' }, beam{ length = 0.5, width = 0.1, height = 0.05 } }\n"
    "for i, name in ipairs(names) do\n"
    "  object(name, { parent = w, free = true, position = { i, 0, 1 }, angularVelocity = { 1, i, 0 },\n"
    "    solid{ shape = shapes[i], material = 'Steel', visual = 'SteelBlue' } })\n"
    "end\n"
    "object('hull', { parent = w, free = true, position = { 0, 4, 0 },\n"
    "  solid{ shape = hull{ points = { {0,0,0}, {1,0,0}, {0,1,0}, {0,0,1}, {0.1,0.1,0.1} } }, material = 'Steel',\n"
    "         visual = '#102030' } })\n"
    "local arm = object('arm', { solid{ shape = box{ size = { 1, 0.1, 0.1 } }, mass = 2, visual = 'Gold' },\n"
    "  visual{ shape = coordinateSystem{ length = 0.2 } }, visual{ shape = coil{ radius = 0.1, length = 0.5,\n"
    "  wireRadius = 0.01, windings = 6 } }, visual{ shape = gearWheel{ radius = 0.3, boreRadius = 0.05, length = 0.1,\n"
    "  teeth = 12 } } })\n"
    "revolute('hin<ge', w, arm, { axis = 'y', start = 0.5 })\n"
    "springDamper('sp\"ring', w, arm, { stiffness = 10, length = 0.25 })\n"
    "object('invisible', { parent = arm, solid{ shape = sphere{ radius = 0.1 } } })\n"
    "object('floor', { parent = w, visual{ shape = halfSpace{}, visual = 'Gray' } })\n";
