// Lua models: the language, paths, parameters, and every mistake with its message, file and line.
#include "carom/io.h"
#include "support/lua.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const crObjectDef* getObject(const crTestModel* model, const char* path)
{
  const crObjectDef* object = crScene_GetObject(model->scene, crScene_Find(model->scene, path));
  assert_non_null(object);
  return object;
}

static const crJointDef* getJoint(const crTestModel* model, const char* path)
{
  const crJointDef* joint = crScene_GetJoint(model->scene, crScene_Find(model->scene, path));
  assert_non_null(joint);
  return joint;
}

static const crAssemblyDef* getAssembly(const crTestModel* model, const char* path)
{
  const crAssemblyDef* assembly = crScene_GetAssembly(model->scene, crScene_Find(model->scene, path));
  assert_non_null(assembly);
  return assembly;
}

static const crParameter* getParameter(const crAssemblyDef* assembly, const char* name)
{
  for (int i = 0; i < assembly->parameterCount; ++i) {
    if (strcmp(assembly->parameters[i].name, name) == 0) {
      return &assembly->parameters[i];
    }
  }
  fail_msg("no parameter %s", name);
  return NULL;
}

// ---------------------------------------------------------------------------------------- language

static void objects_hold_what_the_model_says(void** state)
{
  (void)state;
  crTestModel model = crTestModel_ReadGood(
      "scene{ gravity = { 0, 0, -1.62 }, contactDetection = false }\n"
      "local w = world('ground', { visual{ shape = coordinateSystem{ length = 1 } } })\n"
      "object('ball', { parent = w, position = { 1, 2, 3 }, free = true, velocity = { 4, 5, 6 },\n"
      "  angularVelocity = { 7, 8, 9 }, rotation = { axis = 'z', angle = pi / 2 }, canCollide = false,\n"
      "  solid{ shape = sphere{ diameter = 0.5 }, material = 'Steel', contact = 'DryWood', visual = 'red', group = 2,\n"
      "         mask = 5 },\n"
      "  mass{ mass = 2, com = { 0.1, 0, 0 }, inertia = { 1, 1, 1 } } })\n");
  const crSceneOptions* options = crScene_GetOptions(model.scene);
  assert_true(options->gravity.acceleration.z == -1.62 && options->ignoresContacts);
  assert_int_equal(getObject(&model, "ground")->mobility, cr_mobilityWorld);
  const crObjectDef* ball = getObject(&model, "ball");
  assert_int_equal(ball->mobility, cr_mobilityFree);
  assert_string_equal(ball->parent, "ground");
  assert_string_equal(ball->source.file, "model.lua");
  assert_int_equal(ball->source.line, 3);
  assert_vec_close(ball->position, crMakeVec3(1, 2, 3), 0.0);
  assert_vec_close(ball->velocity, crMakeVec3(4, 5, 6), 0.0);
  assert_vec_close(ball->angularVelocity, crMakeVec3(7, 8, 9), 0.0);
  assert_close(ball->rotation.w, sqrt(0.5), 1e-15);
  assert_true(ball->neverCollides);
  assert_int_equal(ball->featureCount, 2);
  const crSolidDef* solid = &ball->features[0].as.solid;
  assert_int_equal(solid->shape.kind, cr_shapeSphere);
  assert_true(solid->shape.as.sphere.radius == 0.25 && solid->group == 2 && solid->ignored == ~5u);
  assert_string_equal(solid->material, "Steel");
  assert_string_equal(solid->contact, "DryWood");
  assert_string_equal(solid->visual, "red");
  assert_int_equal(ball->features[1].kind, cr_featureMass);
  assert_true(ball->features[1].as.mass.com.x == 0.1);
  crTestModel_Free(&model);
}

static void joints_forces_and_materials_are_made(void** state)
{
  (void)state;
  crTestModel model = crTestModel_ReadGood(
      "local a, b = world('a'), object('b')\n"
      "revolute('r', a, b, { axis = 'x', start = 0.5, startRate = 2, fixed = true, canCollide = true })\n"
      "prismatic('p', 'a', 'b')\n"
      "fix('f', a, b)\n"
      "freeMotion('m', a, b, { start = { 1, 2, 3, 1, 0, 0, 0 } })\n"
      "springDamper('s', a, b, { stiffness = 10, damping = 1, length = 0.1, table = { { 0, 0 }, { 1, 5 } } })\n"
      "bushing('mount', a, b, { stiffness = 7, angularDamping = { 1, 2, 3 } })\n"
      "force('push', b, { force = { 1, 2, 3 }, frame = b, objectB = a })\n"
      "torque('turn', b, { torque = { 4, 5, 6 } })\n"
      "local rubber = solidMaterial('Rubber 1.4', { density = 1100, E = 5e6, nu = 0.48 })\n"
      "contactPair(rubber, 'Steel', { cor = 0.3, muK = 0.9, muR = 0.01 })\n"
      "local look = visualMaterial('look', { color = { 1, 0.5, 0 }, transparency = 0.5 })\n"
      "exclude(a, 'b')\n"
      "object('c', { parent = a, solid{ shape = box{ size = { 1, 1, 1 } }, material = rubber, visual = look } })\n");
  const crJointDef* r = getJoint(&model, "r");
  assert_int_equal(r->kind, cr_jointRevolute);
  assert_true(r->axis.x == 1.0 && r->start[0] == 0.5 && r->startRate[0] == 2.0 && r->fixed[0] &&
              r->collision == cr_collisionAllowed);
  assert_int_equal(r->source.line, 2);
  assert_int_equal(getJoint(&model, "p")->kind, cr_jointPrismatic);
  assert_int_equal(getJoint(&model, "f")->kind, cr_jointFix);
  assert_true(getJoint(&model, "m")->start[2] == 3.0);
  const crForceDef* s = crScene_GetForce(model.scene, crScene_Find(model.scene, "s"));
  assert_true(s != NULL && s->as.springDamper.stiffness == 10.0 && s->as.springDamper.damping == 1.0);
  assert_true(s->as.springDamper.length == 0.1 && s->as.springDamper.tableCount == 2);
  assert_true(s->as.springDamper.table[1].x == 1.0 && s->as.springDamper.table[1].y == 5.0);
  const crForceDef* mount = crScene_GetForce(model.scene, crScene_Find(model.scene, "mount"));
  assert_true(mount->as.bushing.stiffness.z == 7.0 && mount->as.bushing.angularDamping.y == 2.0);
  const crForceDef* push = crScene_GetForce(model.scene, crScene_Find(model.scene, "push"));
  assert_true(push->kind == cr_forceForce && push->as.force.vector.y == 2.0);
  assert_string_equal(push->as.force.frame, "b");
  assert_string_equal(push->objectB, "a");
  const crForceDef* turn = crScene_GetForce(model.scene, crScene_Find(model.scene, "turn"));
  assert_true(turn->kind == cr_forceTorque && turn->objectB == NULL && turn->as.torque.frame == NULL);
  crId rubber = crScene_FindSolidMaterial(model.scene, "Rubber 1.4");
  assert_true(crScene_GetSolidMaterial(model.scene, rubber)->density == 1100.0);
  crId pair = crScene_FindContactPair(model.scene, "Steel", "Rubber 1.4");
  assert_true(crScene_GetContactPair(model.scene, pair)->muK == 0.9);
  crId look = crScene_FindVisualMaterial(model.scene, "look");
  assert_true(crScene_GetVisualMaterial(model.scene, look)->color.g == 0.5);
  assert_int_equal(crScene_Count(model.scene, cr_elementExclusion), 1);
  assert_string_equal(getObject(&model, "c")->features[0].as.solid.material, "Rubber 1.4");
  assert_string_equal(getObject(&model, "c")->features[0].as.solid.visual, "look");
  crTestModel_Free(&model);
}

static void every_shape_has_a_constructor(void** state)
{
  (void)state;
  crTestModel model = crTestModel_ReadGood(
      "local shapes = { sphere{ radius = 1 }, ellipsoid{ radii = { 1, 2, 3 } }, box{ size = { 1, 1, 1 } },\n"
      "  cylinder{ radius = 1, length = 2 }, cone{ radius = 1, length = 2 }, capsule{ radius = 1, length = 2 },\n"
      "  beam{ length = 3, width = 1, height = 1 }, halfSpace(),\n"
      "  hull{ points = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } }, coordinateSystem{ length = 1 },\n"
      "  grid{ width = 1, length = 1, spacing = 0.1 }, coil{ radius = 1, length = 2, wireRadius = 0.1, windings = 5 "
      "},\n"
      "  gearWheel{ radius = 1, length = 0.2, teeth = 9 }, text{ string = 'Übung', height = 0.1 } }\n"
      "local features = {}\n"
      "for i, shape in ipairs(shapes) do features[i] = visual{ shape = shape, visual = 'blue' } end\n"
      "features[#features + 1] = light{ kind = 'spot' }\n"
      "features[#features + 1] = camera()\n"
      "object('all', features)\n"
      "object('again', features) -- shapes and features may be used again\n");
  assert_int_equal(getObject(&model, "all")->featureCount, 16);
  assert_int_equal(getObject(&model, "again")->features[13].as.visual.shape.kind, cr_shapeText);
  crTestModel_Free(&model);
}

static void elements_are_in_the_order_of_the_calls(void** state)
{
  (void)state;
  crTestModel model = crTestModel_ReadGood("for i = 100, 1, -1 do object('o' .. i) end");
  for (int i = 0; i < 100; ++i) {
    char name[16];
    snprintf(name, sizeof name, "o%d", 100 - i);
    crId id = crScene_GetId(model.scene, cr_elementObject, i);
    assert_string_equal(crScene_GetObject(model.scene, id)->name, name);
  }
  crTestModel_Free(&model);
}

static void elements_are_handles(void** state)
{
  (void)state;
  assert_reads("local w = world('w')\n"
               "assert(w.path == 'w' and w.kind == 'object' and tostring(w) == \"object 'w'\")\n"
               "local a = assembly('a', nil, function() return { o = object('o') } end)\n"
               "assert(a.o.path == 'a.o' and a.o == a.o and a.o ~= w)\n"
               "assert(tostring(fix('j', w, a.o)) == \"joint 'j'\")\n"
               "assert(contactPair('Steel', 'Aluminium', { cor = 0, muK = 0, muR = 0 }) == nil)\n"
               "assert(exclude(w, a.o) == nil)",
               cr_ok, NULL);
  assert_reads("print(world('w').mass)", cr_errorModel, "an element has no field 'mass', only 'path' and 'kind'");
}

static void print_gives_notes(void** state)
{
  (void)state;
  crTestModel model =
      crTestModel_ReadGood("\nprint('a', 1, 2.5, nil, true)\nprint()\nprint(('x'):rep(9000))\nprint('\\27[31m\\xff')");
  assert_int_equal(crErrorLog_CountOf(model.log, cr_severityNote), 4);
  assert_string_equal(crErrorLog_Get(model.log, 0)->message, "a\t1\t2.5\tnil\ttrue");
  assert_int_equal(crErrorLog_Get(model.log, 0)->source.line, 2);
  assert_string_equal(crErrorLog_Get(model.log, 1)->message, "");
  assert_true(strlen(crErrorLog_Get(model.log, 2)->message) < 5000);
  assert_string_equal(crErrorLog_Get(model.log, 3)->message, "?[31m?");
  crTestModel_Free(&model);
}

// --------------------------------------------------------------------------------------- assemblies

static const char robot[] = "local p = parameters{ n = 2, speed = 3.0, name = 'abc', on = true }\n"
                            "assembly('robot', { length = 0.3, offset = { 1, 2, 3 } }, function(q)\n"
                            "  object('base', { position = { q.length, p.n, p.speed } })\n"
                            "  assembly('arm', { angle = 0 }, function(r)\n"
                            "    local link = object('link')\n"
                            "    revolute('joint1', 'robot.base', link, { start = r.angle })\n"
                            "  end)\n"
                            "end)\n"
                            "print(p.n, p.speed, p.name, p.on)\n";

static void assemblies_make_paths_and_record_parameters(void** state)
{
  (void)state;
  crTestModel model = crTestModel_ReadGood(robot);
  assert_string_equal(getJoint(&model, "robot.arm.joint1")->objectB, "robot.arm.link");
  assert_int_equal(getJoint(&model, "robot.arm.joint1")->source.line, 6);
  const crAssemblyDef* top = getAssembly(&model, "");
  assert_int_equal(top->parameterCount, 4);
  assert_true(getParameter(top, "n")->number == 2.0 && getParameter(top, "on")->kind == cr_parameterBool);
  assert_string_equal(getParameter(top, "name")->string, "abc");
  const crAssemblyDef* assembly = getAssembly(&model, "robot");
  assert_int_equal(assembly->parameterCount, 1); // tables are not recorded
  assert_true(getParameter(assembly, "length")->number == 0.3);
  assert_int_equal(getAssembly(&model, "robot.arm")->source.line, 4);
  crTestModel_Free(&model);
}

static void assemblies_give_back_what_their_function_does(void** state)
{
  (void)state;
  assert_reads("assert(assembly('a', {}, function() return 7 end) == 7)\n"
               "assert(type(assembly('b', nil, function() end)) == 'table')\n"
               "assert(next(assembly('c', {}, function() end)) == nil)\n"
               "local d = { x = 1, t = { 5 } }\n"
               "assembly('d', d, function(p) assert(p ~= d and p.x == 1 and p.t == d.t); p.x = 2 end)\n"
               "assert(d.x == 1)\n"
               "assembly('e', { w = world('w') }, function(p) object('o', { parent = p.w }) end)",
               cr_ok, NULL);
}

static crReadOptions withSettings(const crSetting* settings, int count)
{
  crReadOptions options = crDefaultReadOptions();
  options.settings = settings;
  options.settingCount = count;
  return options;
}

static void settings_override_defaults(void** state)
{
  (void)state;
  const crSetting settings[] = {
    { "n", "7" },     { "n", "8.0" },  { "robot.length", "5e-1" }, { "robot.arm.angle", "1.5" },
    { "speed", "4" }, { "name", "8" }, { "on", "false" }
  };
  crReadOptions options = withSettings(settings, 7);
  crTestModel model = crTestModel_Read(robot, &options);
  assert_int_equal(model.status, cr_ok);
  assert_int_equal(crErrorLog_Count(model.log), 1);
  assert_string_equal(crErrorLog_Get(model.log, 0)->message, "8\t4.0\t8\tfalse"); // the last of two; kinds are kept
  assert_vec_close(getObject(&model, "robot.base")->position, crMakeVec3(0.5, 8, 4), 0.0);
  assert_true(getJoint(&model, "robot.arm.joint1")->start[0] == 1.5);
  assert_true(getParameter(getAssembly(&model, ""), "n")->number == 8.0);
  assert_true(getParameter(getAssembly(&model, "robot.arm"), "angle")->number == 1.5);
  crTestModel_Free(&model);
}

static void settings_that_do_not_fit_are_errors(void** state)
{
  (void)state;
  const struct {
    crSetting setting;
    const char* says;
  } cases[] = {
    { { "n", "many" }, "model.lua:1: error: n: the parameter is a number\n  found many, allowed: a number" },
    { { "n", "" }, "n: the parameter is a number" },
    { { "n", "nan" }, "n: the parameter is a number" },
    { { "on", "1" }, "on: the parameter is true or false\n  found 1, allowed: true, false" },
    { { "robot.offset", "1" }, "model.lua:2: error: robot.offset: the parameter is a table" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    crReadOptions options = withSettings(&cases[i].setting, 1);
    assert_reads_with(robot, &options, cr_errorModel, cases[i].says);
  }
  const crSetting nothing = { NULL, "1" };
  crReadOptions options = withSettings(&nothing, 1);
  assert_reads_with(robot, &options, cr_errorMisuse, NULL);
  options.settings = NULL;
  assert_reads_with(robot, &options, cr_errorMisuse, NULL);
}

static void parameters_have_ranges_units_and_labels(void** state)
{
  (void)state;
  static const char text[] =
      "local p = parameters{ length = { value = 0.3, min = 0.1, max = 2, unit = 'm', label = 'of the arm' },\n"
      "  n = { value = 3, min = 1 }, plain = 4, name = { value = 'abc', label = 'who' } }\n"
      "assembly('arm', { mass = { value = 1, max = 5, unit = 'kg' } }, function(q)\n"
      "  print(p.length, p.n, p.plain, p.name, q.mass) end)\n";
  crTestModel model = crTestModel_Read(text, NULL);
  assert_int_equal(model.status, cr_ok);
  assert_string_equal(crErrorLog_Get(model.log, 0)->message, "0.3\t3\t4\tabc\t1"); // models see plain values
  assert_int_equal(crScene_CountParameters(model.scene), 5);
  int length = crScene_FindParameter(model.scene, "length"), mass = crScene_FindParameter(model.scene, "arm.mass");
  const crParameter *l = crScene_GetParameter(model.scene, length), *m = crScene_GetParameter(model.scene, mass);
  assert_true(l->number == 0.3 && l->min == 0.1 && l->max == 2.0);
  assert_string_equal(l->unit, "m");
  assert_string_equal(l->label, "of the arm");
  assert_true(m->min == -HUGE_VAL && m->max == 5.0 && m->label == NULL);
  char name[64];
  assert_int_equal(crScene_GetParameterName(model.scene, mass, name, sizeof name), 8);
  assert_int_equal(crScene_GetParameterName(model.scene, mass, NULL, 0), 8); // how long it would be
  assert_int_equal(crScene_GetParameterName(model.scene, -1, NULL, sizeof name), 0);
  assert_string_equal(name, "arm.mass");
  const crParameter* plain = crScene_GetParameter(model.scene, crScene_FindParameter(model.scene, "plain"));
  assert_true(plain->min == 0.0 && plain->max == 0.0 && plain->unit == NULL);
  assert_null(crScene_GetParameter(model.scene, 5));
  assert_null(crScene_GetParameter(model.scene, -1));
  assert_int_equal(crScene_FindParameter(model.scene, "arm.length"), -1);
  assert_int_equal(crScene_FindParameter(model.scene, "arm"), -1);
  crTestModel_Free(&model);
}

static void numbers_outside_the_range_of_a_parameter_are_errors(void** state)
{
  (void)state;
  static const char text[] = "local p = parameters{ length = { value = 0.3, min = 0.1, max = 2, unit = 'm' },\n"
                             "  n = { value = 3, min = 1 } }\n"
                             "assembly('arm', { mass = { value = 1, max = 5 } }, function() end)\n";
  const struct {
    crSetting setting;
    const char* says;
  } cases[] = {
    { { "length", "2.5" },
      "model.lua:1: error: length: the parameter was set to a number outside its range\n  found 2.5, allowed: 0.1 .. 2 "
      "m" },
    { { "n", "0" }, "n: the parameter was set to a number outside its range\n  found 0, allowed: >= 1" },
    { { "arm.mass", "6" },
      "model.lua:3: error: arm.mass: the parameter was set to a number outside its range\n  found 6, allowed: <= 5" },
    { { "n", "many" }, "n: the parameter is a number" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    crReadOptions options = withSettings(&cases[i].setting, 1);
    assert_reads_with(text, &options, cr_errorModel, cases[i].says);
  }
  const crSetting good[] = { { "length", "2" }, { "n", "1e9" }, { "arm.mass", "-5" } };
  crReadOptions options = withSettings(good, 3);
  crTestModel model = crTestModel_Read(text, &options);
  assert_int_equal(model.status, cr_ok);
  assert_true(crScene_GetParameter(model.scene, crScene_FindParameter(model.scene, "length"))->number == 2.0);
  crTestModel_Free(&model);
  assert_reads("parameters{ a = { value = 3, max = 2 } }", cr_errorModel,
               "model.lua:1: error: the parameter 'a' is outside its range\n  found 3, allowed: <= 2");
  assert_reads("parameters{ a = { value = 3, min = 4, max = 2 } }", cr_errorModel,
               "the parameter 'a' has a max that is not above its min 4\n  found 2, allowed: min < max");
  assert_reads("parameters{ a = { value = 0, min = 0, max = 0 } }", cr_errorModel, "a max that is not above its min");
  assert_reads("parameters{ a = { value = true, min = 0 } }", cr_errorModel, "'a' is no number, so it has neither min");
  assert_reads("parameters{ a = { value = 'x', unit = 'm' } }", cr_errorModel,
               "'a' is no number, so it has neither min");
  assert_reads("parameters{ a = { value = 1, min = 'x' } }", cr_errorModel, "a.min is of the wrong type");
  assert_reads("parameters{ a = { value = 1, unit = 2 } }", cr_errorModel, "a.unit is of the wrong type");
  assert_reads("parameters{ a = { value = 1, most = 2 } }", cr_errorModel,
               "a.most is no field of a parameter\n  allowed: value, min, max, unit, label");
  assert_reads("parameters{ a = { value = {} } }", cr_errorModel, "a is not a parameter\n  found a list");
}

// They were warnings, and a run with the default in place of what was meant looked like any other.
static void settings_that_no_parameter_takes_are_errors(void** state)
{
  (void)state;
  const crSetting settings[] = { { "robot.arm.angel", "1" }, { "zzzzzzzz", "2" }, { "n", "1" } };
  crReadOptions options = withSettings(settings, 3);
  crTestModel model = crTestModel_Read(robot, &options);
  assert_int_equal(model.status, cr_errorModel);
  assert_non_null(model.scene);
  assert_int_equal(crScene_CountErrors(model.scene), 2);
  assert_int_equal(crErrorLog_CountOf(model.log, cr_severityError), 2);
  assert_true(crTestModel_Says(&model, "error: robot.arm.angel: this was set, but the model has no such parameter\n"
                                       "  hint: did you mean 'robot.arm.angle'?"));
  assert_true(crTestModel_Says(&model, "error: zzzzzzzz: this was set, but the model has no such parameter\n"
                                       "  hint: parameters{...} and assembly(...) in the model declare them"));
  crTestModel_Free(&model);
  // up to three, nearest first
  const crSetting near = { "abcdeX", "1" };
  options = withSettings(&near, 1);
  assert_reads_with("parameters{ abcdYZ = 1, abcdef = 1, abcdeg = 1, abcd = 1, other = 1 }", &options, cr_errorModel,
                    "did you mean 'abcdef', 'abcdeg' or 'abcd");
}

static void misused_assemblies_are_reported(void** state)
{
  (void)state;
  assert_reads("assembly('a', { 1, 2 }, function() end)", cr_errorModel,
               "model.lua:1: error: a: parameters are given by name");
  assert_reads("assembly('a', 5, function() end)", cr_errorModel, "parameters are given by name\n  found a number");
  assert_reads("assembly('a', { f = print }, function() end)", cr_errorModel,
               "the parameter 'f' has a default that cannot be one\n  found a function");
  assert_reads("assembly('a', { ['x.y'] = 1 }, function() end)", cr_errorModel,
               "a: the name of a parameter holds a '.'\n  found x.y");
  assert_reads("assembly('a', {})", cr_errorModel,
               "a: an assembly needs a function as its third argument\n  found nothing");
  assert_reads("assembly('a', function() end)", cr_errorModel, "needs a function as its third argument");
  assert_reads("assembly('a.b', {}, function() object('x') end)", cr_errorModel, "paths are made by assembly");
  assert_reads("assembly(nil, {}, function() object('x') end)", cr_errorModel, "assembly needs a name");
  assert_reads("assembly('a', {}, function() end, 4)", cr_errorModel, "assembly takes at most 3 arguments, and got 4");
  assert_reads("assembly('a', {}, function() end)\nassembly('a', {}, function() end)", cr_errorModel,
               "model.lua:2: error: a: the name is taken already by an assembly");
  assert_reads("parameters{}\nparameters{}", cr_errorModel, "model.lua:2: error: parameters: a model has one table");
  assert_reads("assembly('a', {}, function() parameters{ x = 1 } end)", cr_errorModel,
               "belongs to the top of the model");
  assert_reads("parameters{ 1 }", cr_errorModel, "parameters are given by name");
  assert_reads("parameters({}, 2)", cr_errorModel, "parameters takes at most 1 arguments");
  assert_reads("local function f() assembly('a', {}, f) end f()", cr_errorModel,
               "assemblies are nested more than 150 deep");
  // the elements of an assembly without a usable name are not reported for that
  crTestModel model = crTestModel_Read("for i = 1, 2 do assembly('a.b', {}, function() object('x') end) end", NULL);
  assert_int_equal(crErrorLog_CountOf(model.log, cr_severityError), 2);
  crTestModel_Free(&model);
}

static void assemblies_nest_a_hundred_deep(void** state)
{
  (void)state;
  crTestModel model = crTestModel_ReadGood("local function f(n)\n"
                                           "  if n == 0 then return object('leaf') end\n"
                                           "  return assembly('a', {}, function() return f(n - 1) end)\n"
                                           "end\n"
                                           "assert(#f(140).path == 2 * 140 + 4)");
  crTestModel_Free(&model);
}

// ------------------------------------------------------------------------------------------ mistakes

static void bad_names_are_reported(void** state)
{
  (void)state;
  assert_reads("\nobject('a.b')", cr_errorModel,
               "model.lua:2: error: a.b: a name holds a '.'\n  found a.b, allowed: a single name\n  hint: paths");
  assert_reads("object()", cr_errorModel,
               "model.lua:1: error: object needs a name as its first argument\n  found nothing");
  assert_reads("object{ parent = 'w' }", cr_errorModel, "object needs a name as its first argument\n  found a table");
  assert_reads("object(5)", cr_errorModel, "object needs a name as its first argument\n  found a number");
  assert_reads("object(world('w'))", cr_errorModel, "needs a name as its first argument\n  found an object");
  assert_reads("object('')", cr_errorModel, "this name has an empty part");
  assert_reads("object(' x')", cr_errorModel, "begins or ends with a space");
  assert_reads("object('a\\nb')", cr_errorModel, "holds a control character\n  found 'a?b'");
  assert_reads("object('a\\0b')", cr_errorModel, "found a string with a zero byte");
  assert_reads("object('\\xff')", cr_errorModel, "found a string that is not valid UTF-8");
  assert_reads("object(('x'):rep(300))", cr_errorModel, "this name is too long");
  assert_reads("revolute(print, 'a', 'b')", cr_errorModel,
               "revolute needs a name as its first argument\n  found a function");
  assert_reads("solidMaterial(nil, {})", cr_errorModel, "solidMaterial needs a name");
  assert_reads("assembly('robot', {}, function() object() end)", cr_errorModel, "error: robot: object needs a name");
}

static void bad_arguments_are_reported(void** state)
{
  (void)state;
  assert_reads("object('a', 'b')", cr_errorModel,
               "model.lua:1: error: a: object takes a table of fields as argument 2\n  found a string");
  assert_reads("object('a', {}, {})", cr_errorModel, "a: object takes at most 2 arguments, and got 3");
  assert_reads("revolute('j', 'a', 'b', 1)", cr_errorModel, "j: revolute takes a table of fields as argument 4");
  assert_reads("revolute('j', 'a')", cr_errorModel,
               "j: objectB is of the wrong type\n  found nothing, allowed: an object");
  assert_reads("revolute('j', {}, 'b')", cr_errorModel, "j: objectA is of the wrong type\n  found a list");
  assert_reads("exclude('a', 'b', {})", cr_errorModel, "exclude takes at most 2 arguments, and got 3");
  assert_reads("exclude('a')", cr_errorModel, "objectB is of the wrong type");
  assert_reads("contactPair('a', 'b')", cr_errorModel, "cor is missing");
  assert_reads("scene()", cr_errorModel, "scene is of the wrong type\n  found nothing");
  assert_reads("scene{ gravity = 9.81 }", cr_errorModel, "model.lua:1: error: scene: gravity is of the wrong type");
  assert_reads(
      "sphere(0.3)", cr_errorModel,
      "model.lua:1: error: sphere: sphere takes a table of named fields\n  found a number, allowed: sphere{ radius");
  assert_reads("sphere({}, {})", cr_errorModel, "sphere takes at most 1 arguments");
  assert_reads("solid(sphere{ radius = 1 })", cr_errorModel, "solid has no field 'type'");
}

static void bad_fields_are_reported(void** state)
{
  (void)state;
  assert_reads("object('a', { positon = { 0, 0, 0 } })", cr_errorModel,
               "a: positon: an object has no such field\n  hint: did you mean 'position'?");
  assert_reads("object('a', { name = 'b' })", cr_errorModel, "a: name is given twice");
  assert_reads("object('a', { free = true, mobility = 'free' })", cr_errorModel, "a: mobility is given twice");
  assert_reads("object('a', { free = 3 })", cr_errorModel, "a: free is of the wrong type\n  found a number");
  assert_reads("object('a', { free = false })", cr_ok, NULL);
  assert_reads("world('a', { free = true })", cr_errorModel, "a: mobility is given twice");
  assert_reads("object('a', { position = { 1, 2 } })", cr_errorModel,
               "a: position is of the wrong type\n  found a list");
  assert_reads("object('a', { position = { 1, nil, 3 } })", cr_errorModel, "found a list with nothing at position 2");
  assert_reads("object('a', { position = { [0] = 1, 2, 3 } })", cr_errorModel, "found a list with a position below 1");
  assert_reads("object('a', { position = { [1.5] = 1 } })", cr_errorModel,
               "a key that is neither a name nor a position");
  assert_reads("object('a', { position = { [true] = 1 } })", cr_errorModel,
               "a key that is neither a name nor a position");
  assert_reads("object('a', { position = { ['\\xff'] = 1 } })", cr_errorModel, "a name that is not valid UTF-8");
  assert_reads("object('a', { ['x\\0y'] = 1 })", cr_errorModel, "a name that is not valid UTF-8");
  assert_reads("object('a', { position = print })", cr_errorModel, "found a function");
  assert_reads("object('a', { position = { 0, 0, 0 / 0 } })", cr_errorModel, "a: position.z must be finite");
  assert_reads("object('a', { position = { 0, 0, math.huge } })", cr_errorModel, "a: position.z must be finite");
  assert_reads("object('a', { parent = 'b\\xff' })", cr_errorModel, "found a string that is not valid UTF-8");
  assert_reads("local t = {}; t[1] = t; object('a', { position = t })", cr_errorModel,
               "a: position is of the wrong type\n");
  assert_reads("local t = {}; t.t = t; object('a', t)", cr_errorModel, "a: t: an object has no such field");
  assert_reads("object('a', { solid{ shape = sphere{ radius = 1 }, density = 7 } })", cr_errorModel,
               "a: solid1.density: a solid has no such field\n  hint: it has shape, ");
  assert_reads("object('a', { nil, solid{ shape = sphere{ radius = 1 } } })", cr_errorModel,
               "found a list with nothing at position 1");
  assert_reads("object('a', { parent = fix('j', 'a', 'b') })", cr_errorModel,
               "a: parent is of the wrong type\n  found a joint, allowed: an object or its path");
  assert_reads("object('a', { solid{ shape = sphere{ radius = 1 }, material = object('b') } })", cr_errorModel,
               "solid1.material is of the wrong type\n  found an object, allowed: a material or its name");
}

static void shapes_and_features_are_not_mixed_up(void** state)
{
  (void)state;
  assert_reads("object('a', { sphere{ radius = 1 } })", cr_errorModel,
               "a: features[1] is a shape where a feature is expected");
  assert_reads("object('a', { solid{ shape = mass{ mass = 1 } } })", cr_errorModel,
               "a: solid1.shape is a feature where a shape is expected\n  found mass");
  assert_reads("object('a', { world('w') })", cr_errorModel, "a: features[1] is of the wrong type\n  found an object");
  assert_reads("object('a', { solid{ shape = 'sphere' } })", cr_errorModel, "solid1.shape is of the wrong type");
  assert_reads("object('a', { solid{ shape = { type = 'shpere' } } })", cr_errorModel, "there is no such shape");
  assert_reads("object('a', { solid{ shape = sphere{} } })", cr_errorModel, "a: solid1.shape.radius is missing");
  assert_reads("object('a', { solid{ shape = sphere{ radius = -1 } } })", cr_errorModel, "-1");
}

static void errors_come_all_at_once_and_name_their_lines(void** state)
{
  (void)state;
  crTestModel model = crTestModel_Read("object('a', { foo = 1 })\n"
                                       "local function ball(name, r)\n"
                                       "  return object(name, { solid{ shape = sphere{ radius = r } } })\n"
                                       "end\n"
                                       "ball('b', -1)\n"
                                       "object('c')\n"
                                       "revolute('j', 'a',\n"
                                       "         5)\n",
                                       NULL);
  assert_int_equal(model.status, cr_errorModel);
  assert_int_equal(crErrorLog_CountOf(model.log, cr_severityError), 3);
  assert_int_equal(crErrorLog_Get(model.log, 0)->source.line, 1);
  assert_int_equal(crErrorLog_Get(model.log, 1)->source.line, 3);
  assert_int_equal(crErrorLog_Get(model.log, 2)->source.line, 7);
  assert_non_null(model.scene); // with what could be added, to be checked further
  assert_int_equal(crScene_Count(model.scene, cr_elementObject), 1);
  assert_int_equal(crScene_CountErrors(model.scene), 3);
  crTestModel_Free(&model);
}

static void what_was_reported_once_is_not_reported_again(void** state)
{
  (void)state;
  static const char* const texts[] = {
    "local o = object(5)\nrevolute('j', o, 'b')\nobject('c', { parent = o })",
    "local s = sphere(5)\nobject('a', { solid{ shape = s } })\nobject('b', { visual{ shape = s } })",
    "object('a', { solid(5) })",
    "object('a', { foo = 1 })\nobject('b', { parent = 'a' })",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    crTestModel model = crTestModel_Read(texts[i], NULL);
    assert_int_equal(model.status, cr_errorModel);
    assert_int_equal(crErrorLog_CountOf(model.log, cr_severityError), 1);
    crTestModel_Free(&model);
  }
}

static void errors_of_lua_have_lines_and_callers(void** state)
{
  (void)state;
  crTestModel model = crTestModel_Read(
      "local function f(x)\n  return x.y.z\nend\nlocal function g()\n  f({})\n  return 1\nend\ng()", NULL);
  assert_int_equal(model.status, cr_errorModel);
  assert_null(model.scene);
  assert_int_equal(crErrorLog_Count(model.log), 1);
  const crError* error = crErrorLog_Get(model.log, 0);
  assert_int_equal(error->source.line, 2);
  assert_string_equal(error->message, "attempt to index a nil value (field 'y')");
  assert_string_equal(error->hint, "called from model.lua:5, model.lua:8");
  crTestModel_Free(&model);
  assert_reads("\n\nerror('my message')", cr_errorModel, "model.lua:3: error: my message");
  assert_reads("\nerror('my message', 0)", cr_errorModel, "model.lua:2: error: my message");
  assert_reads("local function f() error('bad', 2) end\n\nf()", cr_errorModel, "model.lua:3: error: bad");
  assert_reads("\nassert(false, 'no way')", cr_errorModel, "model.lua:2: error: no way");
  assert_reads("assert(1 == 2)", cr_errorModel, "assertion failed!");
  assert_reads("error({})", cr_errorModel, "error was called with a table instead of a message");
  assert_reads("error()", cr_errorModel, "error was called with a nil instead of a message");
  assert_reads("error('\\27\\xff')", cr_errorModel, "error: ??");
  assert_reads("shpere{}", cr_errorModel, "global 'shpere')\n  hint: did you mean 'sphere'?");
  assert_reads("local function f() return f() + 1 end f()", cr_errorModel, "model.lua:1: error: stack overflow");
  assert_reads("string.rep()", cr_errorModel, "bad argument #1 to 'rep'");
  assert_reads("table.insert(1, 2)", cr_errorModel, "bad argument #1 to 'insert' (table expected, got number)");
}

static void syntax_errors_have_lines(void** state)
{
  (void)state;
  assert_reads("local x = 1\nobject('a' {)", cr_errorSyntax, "model.lua:2: error: ");
  assert_reads("x = = 1", cr_errorSyntax, "model.lua:1: error: unexpected symbol near '='");
  assert_reads("local s = 'abc\n'", cr_errorSyntax, "model.lua:1: error: unfinished string");
  assert_reads("for i = 1, 2 do", cr_errorSyntax, "'end' expected near <eof>");
  assert_reads("local x <const> = 1; x = 2", cr_errorSyntax, "attempt to assign to const variable 'x'");
  assert_reads("goto nowhere", cr_errorSyntax, "no visible label 'nowhere'");
}

static void misuse_is_told_apart(void** state)
{
  (void)state;
  crScene* scene = NULL;
  assert_int_equal(crReadLua("", 0, "x", NULL, NULL, NULL, NULL, NULL), cr_errorMisuse);
  assert_int_equal(crReadLua(NULL, 1, "x", NULL, NULL, NULL, NULL, &scene), cr_errorMisuse);
  assert_int_equal(crReadLua(NULL, 0, NULL, NULL, NULL, NULL, NULL, &scene), cr_ok);
  crDestroyScene(scene);
  assert_int_equal(crReadLua("error()", 7, NULL, NULL, NULL, NULL, NULL, &scene), cr_errorModel);
  assert_null(scene);
  assert_int_equal(crReadModel(NULL, NULL, NULL, NULL, &scene), cr_errorMisuse);
  assert_int_equal(crReadModel("x.lua", NULL, NULL, NULL, NULL), cr_errorMisuse);
}

// ------------------------------------------------------------------------------------------- files

static void models_are_read_by_the_ending_of_their_name(void** state)
{
  (void)state;
  crErrorLog* log = crCreateErrorLog(NULL);
  crTestModel model = { .log = log, .sink = crErrorLog_GetSink(log) };
  assert_int_equal(crReadModel("/no/such/file.lua", NULL, NULL, &model.sink, &model.scene), cr_errorFile);
  assert_true(crTestModel_Says(&model, "/no/such/file.lua"));
  assert_int_equal(crReadModel("model.txt", NULL, NULL, &model.sink, &model.scene), cr_errorFile);
  assert_true(crTestModel_Says(&model, "model.txt: error: the name does not tell what kind of model this is"));
  assert_int_equal(crReadModel("/no.lua/model", NULL, NULL, &model.sink, &model.scene), cr_errorFile);
  crErrorLog_Clear(log);
  assert_int_equal(crReadModel(CAROM_ROOT "/examples/pendulum.lua", NULL, NULL, &model.sink, &model.scene), cr_ok);
  assert_int_equal(crErrorLog_Count(log), 0);
  assert_string_equal(getObject(&model, "rod")->source.file, CAROM_ROOT "/examples/pendulum.lua");
  crTestModel_Free(&model);
}

static void meshes_are_looked_up_beside_the_model(void** state)
{
  (void)state;
  char folder[] = "/tmp/carom-lua-XXXXXX", path[128], command[128];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/part.obj", folder);
  FILE* file = fopen(path, "w");
  assert_non_null(file);
  fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", file);
  fclose(file);
  snprintf(path, sizeof path, "%s/model.lua", folder);
  file = fopen(path, "w");
  assert_non_null(file);
  fputs("object('part', { solid{ shape = mesh{ file = 'part.obj', scale = 2 }, material = 'Steel' } })\n", file);
  fclose(file);
  crErrorLog* log = crCreateErrorLog(NULL);
  crTestModel model = { .log = log, .sink = crErrorLog_GetSink(log) };
  assert_int_equal(crReadModel(path, NULL, NULL, &model.sink, &model.scene), cr_ok);
  crInertia inertia;
  assert_int_equal(crScene_ComputeFeatureInertia(model.scene, crScene_Find(model.scene, "part"), 0, &inertia), cr_ok);
  assert_close(inertia.mass, 8000.0 * 8.0 / 6.0, 1e-9);
  crTestModel_Free(&model);
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0);
  assert_reads("object('part', { solid{ shape = mesh{ file = 'none.stl' } } })", cr_errorModel, "none.stl");
}

// ---------------------------------------------------------------------------------------- resources

static void every_allocation_may_fail(void** state)
{
  (void)state;
  const crSetting settings[] = { { "n", "3" }, { "robot.arm.angle", "1" } };
  crReadOptions options = withSettings(settings, 2);
  for (long failAt = 0;; ++failAt) {
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    counter.failAt = failAt;
    crScene* scene = NULL;
    crStatus status = crReadLua(robot, strlen(robot), "model.lua", NULL, &options, &allocator, NULL, &scene);
    if (status == cr_ok) {
      crDestroyScene(scene);
      assert_int_equal(counter.liveBlocks, 0);
      assert_true(failAt > 100);
      break;
    }
    assert_int_equal(status, cr_errorMemory);
    assert_null(scene);
    assert_int_equal(counter.liveBlocks, 0);
    assert_int_equal(counter.liveBytes, 0);
  }
}

static double readMany(int count, const char* body)
{
  char text[512];
  snprintf(text, sizeof text, "local w = world('w')\nfor i = 1, %d do\n%s\nend", count, body);
  struct timespec start, end;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
  crTestModel model = crTestModel_Read(text, NULL);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  crTestModel_Free(&model);
  return (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}

// Times are of this thread's processor, and the bound is loose: quadratic growth would be a factor of ten.
static void time_grows_with_the_number_of_elements(void** state)
{
  (void)state;
  const char* good =
      "  object('o' .. i, { parent = w, free = true, solid{ shape = sphere{ radius = 1 }, material = 'Steel' } })";
  const char* bad = "  object('o', { parent = w, foo = 1, solid{ shape = sphere{ radius = -1 } } })";
  assert_true(readMany(40000, good) < 3.0 * 10.0 * readMany(4000, good));
  assert_true(readMany(40000, bad) < 3.0 * 10.0 * readMany(4000, bad));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(objects_hold_what_the_model_says),
    cmocka_unit_test(joints_forces_and_materials_are_made),
    cmocka_unit_test(every_shape_has_a_constructor),
    cmocka_unit_test(elements_are_in_the_order_of_the_calls),
    cmocka_unit_test(elements_are_handles),
    cmocka_unit_test(print_gives_notes),
    cmocka_unit_test(assemblies_make_paths_and_record_parameters),
    cmocka_unit_test(assemblies_give_back_what_their_function_does),
    cmocka_unit_test(settings_override_defaults),
    cmocka_unit_test(settings_that_do_not_fit_are_errors),
    cmocka_unit_test(settings_that_no_parameter_takes_are_errors),
    cmocka_unit_test(parameters_have_ranges_units_and_labels),
    cmocka_unit_test(numbers_outside_the_range_of_a_parameter_are_errors),
    cmocka_unit_test(misused_assemblies_are_reported),
    cmocka_unit_test(assemblies_nest_a_hundred_deep),
    cmocka_unit_test(bad_names_are_reported),
    cmocka_unit_test(bad_arguments_are_reported),
    cmocka_unit_test(bad_fields_are_reported),
    cmocka_unit_test(shapes_and_features_are_not_mixed_up),
    cmocka_unit_test(errors_come_all_at_once_and_name_their_lines),
    cmocka_unit_test(what_was_reported_once_is_not_reported_again),
    cmocka_unit_test(errors_of_lua_have_lines_and_callers),
    cmocka_unit_test(syntax_errors_have_lines),
    cmocka_unit_test(misuse_is_told_apart),
    cmocka_unit_test(models_are_read_by_the_ending_of_their_name),
    cmocka_unit_test(meshes_are_looked_up_beside_the_model),
    cmocka_unit_test(every_allocation_may_fail),
    cmocka_unit_test(time_grows_with_the_number_of_elements),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
