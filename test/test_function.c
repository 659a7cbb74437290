// Functions in Lua and in C, called all the time or at a fixed rate, against closed forms; and their mistakes.
#include "base/clock.h"
#include "support/lua.h"
#include "support/test_run.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void startBench(crTestRun* bench, double stop, double tolerance)
{
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = stop;
  options.tolerance = tolerance;
  crTestRun_Start(bench, &options);
}

static crTestRun openGood(const char* text, double stop, double tolerance)
{
  return crOpenTestText(text, stop, tolerance, cr_solverAuto);
}

// Of a model that may be wrong: the log tells.
static crTestRun openBench(const char* text, double stop, double tolerance)
{
  crTestRun bench = { .log = crCreateErrorLog(NULL) };
  bench.sink = crErrorLog_GetSink(bench.log);
  crReadLua(text, strlen(text), "model.lua", NULL, NULL, NULL, &bench.sink, &bench.scene);
  startBench(&bench, stop, tolerance);
  return bench;
}

#define CART                                                                                                           \
  "scene{ gravity = 'none' }\n"                                                                                        \
  "local w = world('w')\n"                                                                                             \
  "local cart = object('cart', { mass{ mass = 2, inertia = { 1, 1, 1 } } })\n"                                         \
  "jointSensor('x', { joint = 'slide' })\n"                                                                            \
  "jointSensor('v', { joint = 'slide', quantity = 'rate' })\n"

// --------------------------------------------------------------------------------------- functions

// m x'' = -k x - c x': the same cart with a joint law of its own.
static void a_law_in_lua_moves_as_the_law_of_a_joint(void** state)
{
  (void)state;
  crTestRun lua =
      openGood(CART "userFunction('law', { inputs = { x = 'x', v = 'v' }, parameters = { k = 18, c = 0.8 },\n"
                    "  code = [[ return -k * x - c * v ]] })\n"
                    "prismatic('slide', w, cart, { start = 0.5, force = 'law' })\n",
               5.0, 1e-10);
  double d = 0.2, w = sqrt(9.0 - d * d);
  for (int i = 1; i <= 10; ++i) {
    double t = 0.5 * i, x = 0.5 * exp(-d * t) * (cos(w * t) + d / w * sin(w * t));
    assert_close(crTestRun_ValueAt(&lua, t, "slide.position"), x, 1e-8);
    assert_close(crTestRun_Value(&lua, "law.value"),
                 -18.0 * crTestRun_Value(&lua, "x.value") - 0.8 * crTestRun_Value(&lua, "v.value"), 1e-14);
  }
  crCloseTestRun(&lua);
}

// A ball on a Duffing spring between two points: the energy k e^2 / 2 + b e^4 / 4 stays.
static void a_user_law_of_a_spring_conserves_its_energy(void** state)
{
  (void)state;
  crTestRun bench =
      openGood("scene{ gravity = 'none' }\n"
               "local w = world('w')\n"
               "local ball = object('ball', { free = true, position = { 1.3, 0.2, 0 }, velocity = { 0, 0.7, 0.4 "
               "}, mass{ mass = 2, inertia = { 1, 1, 1 } } })\n"
               "frameSensor('length', { objectA = w, objectB = ball, quantity = 'distance' })\n"
               "frameSensor('lengthening', { objectA = w, objectB = ball, quantity = 'distanceRate' })\n"
               "userFunction('law', { inputs = { l = 'length' }, code = [[\n"
               "  local e = l - 1\n"
               "  return 30 * e + 200 * e^3 ]] })\n"
               "springDamper('spring', w, ball, { tension = 'law' })\n",
               3.0, 1e-11);
  double energy = NAN;
  for (int i = 0; i <= 30; ++i) {
    double e = crTestRun_ValueAt(&bench, 0.1 * i, "length.value") - 1.0;
    double v[3] = { crTestRun_Value(&bench, "ball.velocity.x"), crTestRun_Value(&bench, "ball.velocity.y"),
                    crTestRun_Value(&bench, "ball.velocity.z") };
    double now = v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + 15.0 * e * e + 50.0 * e * e * e * e;
    energy = i == 0 ? now : energy;
    assert_close(now, energy, 1e-8);
    double p[3] = { crTestRun_Value(&bench, "ball.position.x"), crTestRun_Value(&bench, "ball.position.y"),
                    crTestRun_Value(&bench, "ball.position.z") };
    double rate = (p[0] * v[0] + p[1] * v[1] + p[2] * v[2]) / (e + 1.0);
    assert_close(crTestRun_Value(&bench, "lengthening.value"), rate, 1e-13);
  }
  crCloseTestRun(&bench);
}

// Both are multiplied by a signal: v = F t^2 / 2 m, w = T t^2 / 2 J.
static void forces_and_torques_are_scaled_by_signals(void** state)
{
  (void)state;
  crTestRun bench = openGood("scene{ gravity = 'none' }\n"
                             "local w = world('w')\n"
                             "local box = object('box', { free = true, mass{ mass = 2, inertia = { 4, 4, 4 } } })\n"
                             "userFunction('t', { code = 'return time' })\n"
                             "force('push', box, { force = { 3, 0, 0 }, factor = 't' })\n"
                             "torque('turn', box, { torque = { 0, 0, 5 }, factor = 't' })\n",
                             2.0, 1e-10);
  assert_close(crTestRun_ValueAt(&bench, 2.0, "box.velocity.x"), 3.0 * 2.0 / 2.0, 1e-9);
  assert_close(crTestRun_Value(&bench, "box.angularVelocity.z"), 5.0 * 2.0 / 4.0, 1e-9);
  crCloseTestRun(&bench);
}

typedef struct Law {
  double k;
  int calls;
} Law;

static crStatus callLaw(void* caller, double t, const double* arguments, double* states, double* outValue)
{
  (void)t;
  Law* law = caller;
  assert_null(states);
  ++law->calls;
  *outValue = -law->k * arguments[0];
  return cr_ok;
}

// Adds to a scene what makes `signal` a function in C of `input`.
static crStatus addCall(crScene* scene, crSignalKind kind, const char* name, const char* input, crFunction function,
                        double period, int stateCount)
{
  crArgument argument = { NULL, input };
  crNamedNumber states[2] = { { "a", 0.0 }, { "b", 0.0 } };
  crSignalDef def = crDefaultSignalDef(kind, name);
  if (kind == cr_signalFunction) {
    def.as.function.arguments = &argument;
    def.as.function.argumentCount = 1;
    def.as.function.function = function;
  } else {
    def.as.sampled.arguments = &argument;
    def.as.sampled.argumentCount = 1;
    def.as.sampled.function = function;
    def.as.sampled.period = period;
    def.as.sampled.states = states;
    def.as.sampled.stateCount = stateCount;
  }
  return crScene_AddSignal(scene, &def, NULL);
}

static void a_function_in_c_gives_the_same_bits_as_one_in_lua(void** state)
{
  (void)state;
  const char* text = CART "prismatic('slide', w, cart, { start = 0.5, force = 'law' })\n";
  char lua[1000];
  snprintf(lua, sizeof lua, "%suserFunction('law', { inputs = { x = 'x' }, code = 'return -18 * x' })\n", text);
  crTestRun first = openGood(lua, 3.0, 1e-8);
  crTestRun second = { .log = crCreateErrorLog(NULL) };
  second.sink = crErrorLog_GetSink(second.log);
  crReadLua(text, strlen(text), "model.lua", NULL, NULL, NULL, &second.sink, &second.scene);
  Law law = { 18.0, 0 };
  crFunction function = { .call = callLaw, .context = &law };
  assert_int_equal(addCall(second.scene, cr_signalFunction, "law", "x", function, NAN, 0), cr_ok);
  startBench(&second, 3.0, 1e-8);
  assert_no_messages(second.log);
  for (int i = 1; i <= 6; ++i) {
    double a = crTestRun_ValueAt(&first, 0.5 * i, "slide.position"),
           b = crTestRun_ValueAt(&second, 0.5 * i, "slide.position");
    assert_memory_equal(&a, &b, sizeof a);
  }
  assert_true(law.calls > 100);
  crCloseTestRun(&first);
  crCloseTestRun(&second);
}

// ----------------------------------------------------------------------------------------- sampled

// Between ticks the force is constant, so the motion of a mass is a parabola and can be followed by hand.
static void a_sampled_controller_follows_the_difference_equation(void** state)
{
  (void)state;
  crTestRun bench = openGood(CART "sampled('control', { period = 0.1, start = 0.05, inputs = { x = 'x', v = 'v' },\n"
                                  "  parameters = { kp = 30, kd = 8, ki = 12 }, state = { integral = 0, count = 10 },\n"
                                  "  value = 0.5, code = [[\n"
                                  "  integral = integral + period * x\n"
                                  "  count = count + 1\n"
                                  "  return -kp * x - kd * v - ki * integral ]] })\n"
                                  "prismatic('slide', w, cart, { start = 0.4, startRate = 0.3, force = 'control' })\n",
                             3.0, 1e-6);
  double x = 0.4, v = 0.3, u = 0.5, integral = 0.0;
  double t = 0.0;
  for (int k = 0; k < 25; ++k) {
    double tick = 0.05 + 0.1 * k, h = tick - t;
    x += h * v + 0.5 * h * h * u / 2.0;
    v += h * u / 2.0;
    t = tick;
    double middle = tick - 0.02;
    assert_close(crTestRun_ValueAt(&bench, middle, "control.value"), u, 1e-12);
    integral += 0.1 * x;
    u = -30.0 * x - 8.0 * v - 12.0 * integral;
    assert_close(crTestRun_ValueAt(&bench, tick, "slide.position"), x, 1e-12);
    assert_close(crTestRun_Value(&bench, "slide.velocity"), v, 1e-12);
    assert_close(crTestRun_Value(&bench, "control.value"), u, 1e-11); // at a tick what holds from it on
    assert_close(crTestRun_Value(&bench, "control.integral"), integral, 1e-12);
    assert_close(crTestRun_Value(&bench, "control.count"), 11.0 + k, 0.0);
  }
  crCloseTestRun(&bench);
}

// The same run must not depend on when it is looked at.
static void output_points_do_not_change_a_sampled_run(void** state)
{
  (void)state;
  const char* text = CART "sampled('control', { period = 0.07, inputs = { x = 'x', v = 'v' },\n"
                          "  code = 'return -200 * x^3 - 8 * v' })\n"
                          "prismatic('slide', w, cart, { start = 0.4, force = 'control', stiffness = 50 })\n";
  crTestRun coarse = openGood(text, 2.0, 1e-6), fine = openGood(text, 2.0, 1e-6);
  for (int i = 1; i < 100; ++i) {
    crTestRun_ValueAt(&fine, 0.02 * i, "slide.position");
  }
  double a = crTestRun_ValueAt(&coarse, 2.0, "slide.position"), b = crTestRun_ValueAt(&fine, 2.0, "slide.position");
  assert_memory_equal(&a, &b, sizeof a);
  crCloseTestRun(&coarse);
  crCloseTestRun(&fine);
}

// Counters of two rates whose ticks nearly coincide: 3 x 0.1 is not 0.3. All that tick together see what was before.
static void ticks_that_coincide_are_one_event(void** state)
{
  (void)state;
  crTestRun bench =
      openGood("world('w')\n"
               "sampled('fast', { period = 0.1, inputs = { slow = 'slow' }, state = { n = 0 },\n"
               "  code = [[ n = n + 1 return slow ]] })\n"
               "sampled('slow', { period = 0.3, inputs = { fast = 'fast', t = 'clock' }, state = { n = 0 },\n"
               "  code = [[ n = n + 1 return n ]] })\n"
               "userFunction('clock', { code = 'return time' })\n",
               30.0, 1e-6);
  assert_close(crModel_GetNextTimeEvent(bench.model, 0.25), 0.3, 1e-12);
  assert_close(crModel_GetNextTimeEvent(bench.model, 0.3), 0.4, 1e-12);
  assert_close(crModel_GetNextTimeEvent(bench.model, 0.1 * 3), 0.4, 1e-12);
  for (int k = 0; k <= 90; ++k) {
    assert_close(crTestRun_ValueAt(&bench, 0.3 * k + 0.01, "slow.n"), k + 1.0, 0.0);
    assert_close(crTestRun_Value(&bench, "fast.n"), 3.0 * k + 1.0, 0.0);
    assert_close(crTestRun_Value(&bench, "fast.value"), k, 0.0); // one period behind
  }
  crCloseTestRun(&bench);
}

// An accelerometer may be sampled: in the next period the thrust carries the weight that was felt.
static void accelerations_and_reactions_may_be_sampled(void** state)
{
  (void)state;
  crTestRun bench = openGood("local w = world('w')\n"
                             "local box = object('box', { mass{ mass = 2, inertia = { 1, 1, 1 } } })\n"
                             "prismatic('lift', w, box, { axis = 'z', force = 'thrust' })\n"
                             "jointSensor('a', { joint = 'lift', quantity = 'acceleration' })\n"
                             "sampled('thrust', { period = 0.5, inputs = { a = 'a' }, state = { f = 0 },\n"
                             "  code = [[ f = f - 2 * a return f ]] })\n",
                             2.0, 1e-8);
  assert_close(crTestRun_Value(&bench, "thrust.value"), 19.62, 1e-12); // of the free fall before the first tick
  assert_close(crTestRun_ValueAt(&bench, 1.2, "lift.position"), 0.0, 1e-12);
  crCloseTestRun(&bench);
}

static crStatus callCounter(void* caller, double t, const double* arguments, double* states, double* outValue)
{
  (void)caller;
  states[0] += 1.0;
  states[1] = t;
  *outValue = arguments[0] * states[0];
  return cr_ok;
}

static void a_sampled_function_in_c_keeps_its_states(void** state)
{
  (void)state;
  crTestRun bench = { .log = crCreateErrorLog(NULL) };
  bench.sink = crErrorLog_GetSink(bench.log);
  const char* text = "world('w')\nconstant('two', { value = 2 })\n";
  crReadLua(text, strlen(text), "model.lua", NULL, NULL, NULL, &bench.sink, &bench.scene);
  crFunction function = { .call = callCounter };
  assert_int_equal(addCall(bench.scene, cr_signalSampled, "counter", "two", function, 0.25, 2), cr_ok);
  startBench(&bench, 2.0, 1e-6);
  assert_no_messages(bench.log);
  assert_close(crTestRun_ValueAt(&bench, 1.1, "counter.value"), 10.0, 0.0);
  assert_close(crTestRun_Value(&bench, "counter.a"), 5.0, 0.0);
  assert_close(crTestRun_Value(&bench, "counter.b"), 1.0, 0.0);
  crCloseTestRun(&bench);
}

// What is held can be taken out and put back: the run then goes on as before.
static void discrete_numbers_are_saved_and_restored(void** state)
{
  (void)state;
  crTestRun bench =
      openGood(CART "sampled('control', { period = 0.1, inputs = { x = 'x' }, state = { last = 0, n = 0 },\n"
                    "  code = [[ n = n + 1 last = x return -20 * x - 3 * (x - last) ]] })\n"
                    "prismatic('slide', w, cart, { start = 0.4, force = 'control' })\n",
               1.0, 1e-8);
  crInstance* instance = crTestInstance(bench.simulation);
  crTreeSet all = crModel_GetAllTrees(bench.model);
  double before[3], y[2], after[3], zero[3] = { 0.0, 0.0, 0.0 };
  assert_int_equal(crModel_CountDiscrete(bench.model, all), 3);
  crTestRun_ValueAt(&bench, 0.55, "slide.position");
  crInstance_GetDiscrete(instance, all, before);
  crInstance_GetState(instance, all, y);
  assert_close(before[2], 6.0, 0.0);
  crInstance_SetDiscrete(instance, all, zero);
  assert_int_equal(crInstance_Eval(instance, all, cr_stageReport), cr_ok);
  assert_close(crTestRun_Value(&bench, "control.value"), 0.0, 0.0);
  crInstance_SetDiscrete(instance, all, before);
  crInstance_SetState(instance, all, 0.6, y);
  assert_int_equal(crInstance_Sample(instance, all), cr_ok);
  crInstance_GetDiscrete(instance, all, after);
  assert_close(after[2], 7.0, 0.0);
  assert_close(after[1], y[0], 0.0);
  crInstance_SetState(instance, all, 0.65, y);
  assert_int_equal(crInstance_Sample(instance, all), cr_ok); // no tick
  crInstance_GetDiscrete(instance, all, before);
  assert_memory_equal(before, after, sizeof before);
  crCloseTestRun(&bench);
}

// The ready-made controller against the same one in Lua, through its limits and back.
static void a_pid_controller_does_what_its_equations_say(void** state)
{
  (void)state;
  crTestRun bench = openGood(
      CART "step('goal', { height = 1, start = 0.25 })\n"
           "pid('ready', { input = 'x', reference = 'goal', period = 0.02, gain = 40, integralGain = 25,\n"
           "  derivativeGain = 12, filterTime = 0.03, min = -15, max = 15 })\n"
           "sampled('own', { period = 0.02, inputs = { x = 'x', goal = 'goal' }, state = { i = 0, d = 0, last = 0 },\n"
           "  code = [[\n"
           "    local e = goal - x\n"
           "    d = (0.03 * d - 12 * (x - last)) / 0.05\n"
           "    last = x\n"
           "    local free = 40 * e + i + 25 * period * e + d\n"
           "    if math.abs(free) <= 15 or free * e < 0 then i = i + 25 * period * e end\n"
           "    return math.max(-15, math.min(15, 40 * e + i + d)) ]] })\n"
           "prismatic('slide', w, cart, { force = 'ready', damping = 0.5 })\n",
      8.0, 1e-8);
  double largest = 0.0;
  for (int k = 0; k < 400; ++k) {
    double value = crTestRun_ValueAt(&bench, 0.02 * k, "ready.value");
    largest = fmax(largest, fabs(value));
    assert_close(value, crTestRun_Value(&bench, "own.value"), 1e-10);
    assert_close(crTestRun_Value(&bench, "ready.integral"), crTestRun_Value(&bench, "own.i"), 1e-10);
    assert_close(crTestRun_Value(&bench, "ready.derivative"), crTestRun_Value(&bench, "own.d"), 1e-10);
  }
  assert_close(largest, 15.0, 0.0);
  assert_close(crTestRun_ValueAt(&bench, 8.0, "slide.position"), 1.0, 1e-3);
  crCloseTestRun(&bench);
}

// A controller with two outputs: the second is a state. And the current of a motor, which is one of the same system.
static void states_of_signals_can_be_picked(void** state)
{
  (void)state;
  crTestRun bench = openGood("scene{ gravity = 'none' }\n"
                             "local w = world('w')\n"
                             "local wheel = object('wheel', { mass{ mass = 1, inertia = { 0.5, 0.5, 0.5 } } })\n"
                             "local control = sampled('control', { period = 0.1, state = { second = 3, unused = 0 },\n"
                             "  code = [[ second = 2 * time return time ]] })\n"
                             "pick('volts', { signal = control, state = 'second' })\n"
                             "revolute('r', w, wheel, { torque = dcMotor('m', { input = 'volts', joint = 'r',\n"
                             "  resistance = 2, inductance = 0.05, torqueConstant = 0.1 }) })\n"
                             "pick('amperes', { signal = 'm', state = 'current', unit = 'A' })\n"
                             "userFunction('losses', { inputs = { i = 'amperes' }, code = 'return 2 * i^2' })\n",
                             1.0, 1e-8);
  for (int k = 1; k < 10; ++k) {
    assert_close(crTestRun_ValueAt(&bench, 0.1 * k + 0.05, "volts.value"), 0.2 * k, 1e-14);
    double i = crTestRun_Value(&bench, "m.current");
    assert_true(i > 0.0);
    assert_close(crTestRun_Value(&bench, "amperes.value"), i, 0.0);
    assert_close(crTestRun_Value(&bench, "losses.value"), 2.0 * i * i, 1e-15);
  }
  crCloseTestRun(&bench);
}

// A function that nobody uses, made before what it reads: it belongs to the tree that it reads, and couples no other.
static void a_sampled_function_couples_no_tree_that_it_does_not_read(void** state)
{
  (void)state;
  crTestRun bench = openGood("scene{ gravity = 'none' }\n"
                             "local w = world('w')\n"
                             "sampled('watch', { period = 0.1, inputs = { s = 'twice' }, code = 'return s' })\n"
                             "sum('twice', { inputs = { 'x', 'x' } })\n"
                             "for i = 1, 3 do\n"
                             "  local o = object('o' .. i, { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
                             "  prismatic('p' .. i, w, o, { startRate = i })\n"
                             "end\n"
                             "jointSensor('x', { joint = 'p2' })\n",
                             1.0, 1e-8);
  for (int t = 0; t < 3; ++t) {
    crTreeSet one = { .trees = &t, .treeCount = 1 };
    assert_true(crModel_IsClosed(bench.model, one));
    assert_int_equal(crModel_CountDiscrete(bench.model, one), t == 1 ? 1 : 0);
  }
  assert_close(crTestRun_ValueAt(&bench, 0.55, "watch.value"), 2.0 * 2.0 * 0.5, 1e-12);
  crCloseTestRun(&bench);
}

// ----------------------------------------------------------------------------------------- threads

typedef struct Job {
  const crModel* model;
  double end[3];
  crStatus status;
} Job;

static void* runJob(void* context)
{
  Job* job = context;
  crSimulation* simulation = NULL;
  crRunEnd end;
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = 4.0;
  job->status = crCreateSimulation(job->model, &options, NULL, NULL, &simulation);
  if (job->status == cr_ok) {
    job->status = crSimulation_Run(simulation, NULL, &end);
    crInstance_GetState(crSimulation_GetInstance(simulation), crModel_GetAllTrees(job->model), job->end);
    crInstance_GetDiscrete(crSimulation_GetInstance(simulation), crModel_GetAllTrees(job->model), job->end + 2);
  }
  crDestroySimulation(simulation);
  return NULL;
}

static void runs_side_by_side_give_the_same_bits(void** state)
{
  (void)state;
  crTestRun bench =
      openGood(CART "userFunction('law', { inputs = { x = 'x' }, code = 'return -18 * math.sin(x)' })\n"
                    "sampled('brake', { period = 0.05, inputs = { v = 'v' }, code = 'return -0.3 * v' })\n"
                    "prismatic('slide', w, cart, { start = 0.5, force = sum('f', { inputs = { 'law', 'brake' } }) })\n",
               1.0, 1e-6);
  Job jobs[4];
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) {
    jobs[i] = (Job){ .model = bench.model };
    assert_int_equal(pthread_create(&threads[i], NULL, runJob, &jobs[i]), 0);
  }
  for (int i = 0; i < 4; ++i) {
    pthread_join(threads[i], NULL);
    assert_int_equal(jobs[i].status, cr_ok);
    assert_memory_equal(jobs[i].end, jobs[0].end, sizeof jobs[0].end);
  }
  crCloseTestRun(&bench);
}

// ---------------------------------------------------------------------------------------- mistakes

static void mistakes_in_code_are_told_with_their_line(void** state)
{
  (void)state;
  static const struct {
    const char *text, *says;
  } cases[] = {
    { "userFunction('f', { code = 'return 1 +' })", "line 1 of the code: unexpected symbol near <eof>" },
    { "userFunction('f', { code = 'local a = 1\\nreturn a end' })", "line 2 of the code" },
    { "userFunction('f', { code = 'return 1 end local function g() return 2' })", "<eof> expected near 'end'" },
    { "userFunction('f', { code = 'k = 2 return k', parameters = { k = 1 } })",
      "attempt to assign to const variable 'k'" },
    { "userFunction('f', { code = 'return ...' })", "cannot use '...'" },
    { "userFunction('f', { inputs = { ['2x'] = 's' }, code = 'return 1' })", "no name that Lua knows" },
    { "userFunction('f', { inputs = { ['end'] = 's' }, code = 'return 1' })", "no name that Lua knows" },
    { "userFunction('f', { inputs = { time = 's' }, code = 'return 1' })", "cannot be called 'time'" },
    { "userFunction('f', { inputs = { a = 's' }, parameters = { a = 1 }, code = 'return 1' })", "have the name 'a'" },
    { "userFunction('f', { inputs = { 's' }, code = 'return 1' })", "signals by name" },
    { "userFunction('f', { parameters = { a = 's' }, code = 'return 1' })", "a is not a number" },
    { "userFunction('f', {})", "code is missing" },
    { "sampled('f', { code = 'return 1' })", "period is missing" },
    { "pid('f', { input = 'a', reference = 'b', period = 1, gain = 1, min = 2, max = 1 })", "min is not below max" },
    { "pid('f', { input = 'a', period = 1, gain = 1 })", "reference is missing" },
    { "sampled('f', { period = 0, code = 'return 1' })", "period" },
    { "sampled('f', { period = 1, state = { a = 1/0 }, code = 'return 1' })", "a must be finite" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    assert_reads(cases[i].text, cr_errorModel, cases[i].says);
  }
}

static void assertRunFails(const char* text, const char* says)
{
  crTestRun bench = openBench(text, 1.0, 1e-6);
  if (bench.simulation != NULL) {
    assert_true(crSimulation_Advance(bench.simulation, 1.0) < 0);
    assert_int_equal(crSimulation_Advance(bench.simulation, 1.0), cr_errorMisuse);
  }
  assert_message(bench.log, cr_severityError, says);
  crCloseTestRun(&bench);
}

#define DRIVEN(code)                                                                                                   \
  CART "prismatic('slide', w, cart, { start = 0.4, force = userFunction('law', { inputs = { x = 'x', v = 'v' }, "      \
       "code = [[" code "]] }) })\n"

// Makes the function of x, with the parameter k = 3 and the state s, and calls it five times with the same numbers.
typedef enum Memory { memoryNone, memoryNotMade, memoryFails, memoryKept } Memory;

static Memory tryMemory(const char* code, crErrorLog* log)
{
  crErrorSink sink = crErrorLog_GetSink(log);
  const crFunction* lua = crGetLuaFunction();
  crArgument x = { "x", "signal" };
  crNamedNumber k = { "k", 3.0 }, s = { "s", 5.0 };
  crFunctionSource source = { .path = "f",
                              .source = { "model.lua", 7, 0 },
                              .code = code,
                              .arguments = &x,
                              .argumentCount = 1,
                              .constants = &k,
                              .constantCount = 1,
                              .states = &s,
                              .stateCount = 1,
                              .period = 0.1 };
  void* caller = NULL;
  if (lua->create(lua->context, &source, NULL, &sink, &caller) != cr_ok) {
    return memoryNotMade;
  }
  double first = NAN;
  Memory memory = memoryNone;
  for (int i = 0; i < 5 && memory == memoryNone; ++i) {
    double argument = 2.0, held = 5.0, value = NAN;
    memory = lua->call(caller, 1.0, &argument, &held, &value) != cr_ok ? memoryFails : memoryNone;
    first = i == 0 ? value : first;
    memory = memory == memoryNone && memcmp(&first, &value, sizeof value) != 0 ? memoryKept : memory;
  }
  lua->destroy(caller);
  return memory;
}

// What a function keeps outside its states is lost by islands that step back, by checkpoints, and by another thread:
// every way to keep something that was ever thought of.
static void nothing_but_states_outlives_a_call(void** state)
{
  (void)state;
  static const struct {
    const char* code;
    Memory memory;
    const char* says;
  } attacks[] = {
    // the environment
    { "_ENV = { n = 0 } return 1", memoryNotMade, "model.lua:7" },
    { "\n_ENV = { n = 0 } return 1", memoryNotMade, "line 2 of the code: attempt to assign to const variable '_ENV'" },
    { "local function f() _ENV = { n = 0 } end f() return 1", memoryNotMade, "const variable '_ENV'" },
    { "_ENV, x = { n = 0 }, 1 return 1", memoryNotMade, "const variable '_ENV'" },
    { "for i = 1, 3 do _ENV = nil end return 1", memoryNotMade, "const variable '_ENV'" },
    { "function _ENV() end return 1", memoryNotMade, "const variable '_ENV'" },
    { "_ENV.n = 1 return 1", memoryFails, NULL },
    { "n = (n or 0) + 1 return n", memoryNotMade, "line 1 of the code: nothing has the name 'n'" },
    { "function n() end return 1", memoryNotMade, "nothing has the name 'n'" },
    { "local _ENV = { n = 0 } n = n + 1 return n", memoryNone, NULL },
    { "math.n = 1 return 1", memoryNotMade, "nothing has the name 'math.n'" },
    { "math = { n = 1 } return 1", memoryFails, NULL },
    { "math.sin = math.cos return 1", memoryFails, NULL },
    { "_ENV.math.pi = 3 return 1", memoryFails, NULL },
    { "pi = 3 return 1", memoryFails, NULL },
    // the function itself, by whatever name it has
    { "local n = 0 body = function() n = n + 1 return n end return n", memoryNotMade, "'body'" },
    { "local n = 0 body0 = function() n = n + 1 return n end return n", memoryNotMade, "'body0'" },
    { "local n = 0 _ENV.body0 = function() n = n + 1 return n end return n", memoryFails, NULL },
    { "value0 = 1 return 1", memoryNotMade, "'value0'" },
    { "return 1 end x = 1 do", memoryNotMade, NULL },
    { "return 1 end, function() return 2", memoryNotMade, NULL },
    { "return 1 --[[", memoryNotMade, NULL },
    // variables: each call begins with its own numbers
    { "local was = x x = x + 1 time = time + 1 return was", memoryNone, NULL },
    { "local kind = type(x) == 'number' and type(time) == 'number' x = {} time = 'kept' return kind and 1 or 2",
      memoryNone, NULL },
    { "x = function() s = s + 1 end x() return s", memoryNone, NULL },
    { "k = 4 return k", memoryNotMade, "const variable 'k'" },
    { "period = 4 return k", memoryNotMade, "const variable 'period'" },
    { "local function f() k = k + 1 end f() return k", memoryNotMade, "const variable 'k'" },
    { "return select('#', ...)", memoryNotMade, "'...'" },
    { "s = { 1 } return 1", memoryFails, NULL },
    // what strings have in common
    { "('').n = 1 return 1", memoryFails, NULL },
    { "local m = ('').__index m.n = 1 return 1", memoryFails, NULL },
    { "('').rep = nil return 1", memoryFails, NULL },
    // the object behind ^ remembers an exponent between its two halves: no code can ask it for the last one
    { "local y = 2 ^ (x + time) return y", memoryNone, NULL },
    { "_carom_power_ = 1 return 1", memoryNotMade, "const variable '_carom_power_'" },
    { "return 2 ^ _carom_power_", memoryFails, NULL },
    { "local p = _carom_power_ return 2 ^ p", memoryFails, NULL },
    { "local p = _carom_power_ ^ 2 return 2 ^ p", memoryFails, NULL },
    { "local p = _carom_power_ ^ 2 return p ^ 2", memoryFails, NULL },
    { "_carom_power_.n = 1 return 1", memoryFails, NULL },
  };
  for (size_t i = 0; i < sizeof attacks / sizeof *attacks; ++i) {
    crErrorLog* log = crCreateErrorLog(NULL);
    Memory memory = tryMemory(attacks[i].code, log);
    if (memory != attacks[i].memory) {
      fail_msg("%s: %d", attacks[i].code, (int)memory);
    }
    if (attacks[i].says != NULL) {
      assert_message(log, cr_severityError, attacks[i].says);
    }
    crDestroyErrorLog(log);
  }
}

static void functions_that_keep_or_change_things_are_not_there(void** state)
{
  (void)state;
  static const char* const names[] = {
    "_G",          "rawset",          "rawget", "setmetatable", "getmetatable",   "load",      "loadstring", "dofile",
    "require",     "pcall",           "xpcall", "next",         "pairs",          "coroutine", "debug",      "os",
    "io",          "package",         "string", "table",        "collectgarbage", "utf8",      "print",      "tostring",
    "math.random", "math.randomseed",
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    char code[100];
    crErrorLog* log = crCreateErrorLog(NULL);
    snprintf(code, sizeof code, "assert(_ENV.%s == nil) return 1", names[i]);
    assert_int_equal(tryMemory(code, log), memoryNone);
    snprintf(code, sizeof code, "assert(%s == nil) return 1", names[i]);
    assert_int_equal(tryMemory(code, log), memoryNotMade);
    crDestroyErrorLog(log);
  }
}

// They were found when the line was reached, in the middle of a run if ever.
static void unknown_names_are_found_before_anything_moves(void** state)
{
  (void)state;
  static const struct {
    const char *code, *says;
  } cases[] = {
    { "if time > 1e9 then\n  return spped\nend\nreturn x", "line 2 of the code: nothing has the name 'spped'" },
    { "local y = tiem return y", "did you mean 'time'?" },
    { "return sin(x)", "nothing has the name 'sin'\n  hint: did you mean 'math.sin'?" },
    { "return math.sine(x)", "nothing has the name 'math.sine'\n  hint: did you mean 'math.sin'?" },
    { "do local a = 1 end return a", "'a'" },
    { "local a = a return x", "'a'" },
    { "local function f(y) return function() return y + z end end return f(x)()", "'z'" },
    { "for i = 1, 2 do x = x + i end return i", "'i'" },
    { "q = 1 return x", "'q'" },
    { "return x -- a comment at the end with math.nothing\n + \n\n w", "line 4 of the code: nothing has the name 'w'" },
    { "return qwertyuiop", "hint: say local, or make it an input, a parameter or a state" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    crErrorLog* log = crCreateErrorLog(NULL);
    assert_int_equal(tryMemory(cases[i].code, log), memoryNotMade);
    assert_message(log, cr_severityError, cases[i].says);
    assert_int_equal(crErrorLog_Count(log), 1);
    crDestroyErrorLog(log);
  }
  crErrorLog* log = crCreateErrorLog(NULL);
  assert_int_equal(tryMemory("return one + two + one", log), memoryNotMade); // all of them, each once
  assert_int_equal(crErrorLog_Count(log), 2);
  crDestroyErrorLog(log);
  assert_reads("userFunction('f', { code = 'if time > 5 then return y end return 1' })", cr_errorModel,
               "model.lua:1: error: f: line 1 of the code: nothing has the name 'y'");
}

// Whatever is declared inside the code, in any scope, is known there; as are fields, labels and what stands in strings.
static void declared_names_are_not_unknown(void** state)
{
  (void)state;
  static const char* const codes[] = {
    "return x + k + s + time + period + pi",
    "local a <const>, b = 1, 2 do local c = a + b end return x",
    "local t = { one = 1, [2] = 3 } return t.one + t[2] + #'two three -- four'",
    "local function f(n) if n == 0 then return 0 end return f(n - 1) end return f(3) --[[ five ]]",
    "for i, v in ipairs{ 1, 2 } do for j = 1, 2 do x = x + i * v * j end end return x",
    "for i = 1, 3 do if i == 2 then goto continue end x = x + 1 ::continue:: end return x",
    "local m = math return m.anything == nil and 1 or 2",
    "local math = { twice = function(y) return 2 * y end } return math.twice(x)",
    "local o = { math = { half = 0.5 } } return o.math.half",
    "local o = { get = function(self) return self.value end, value = 4 } return o:get()",
    "return select('#', 1, 2) + math.floor(x) ^ 0.5 + 0x1Ap3 + 1e3 + ('x'):len()",
    "local _ENV = { n = 0 } n = n + 1 return n",
    "local f = function(...) local a, b = ... return a + b end return f(1, 2)",
    "repeat local done = true until done return x",
  };
  for (size_t i = 0; i < sizeof codes / sizeof *codes; ++i) {
    crErrorLog* log = crCreateErrorLog(NULL);
    Memory memory = tryMemory(codes[i], log);
    if (memory != memoryNone) {
      fail_msg("%s: %d", codes[i], (int)memory);
    }
    crDestroyErrorLog(log);
  }
  // more words than locals and upvalues that a function of Lua can have
  char text[16384] = "local t = {} ";
  for (int i = 0; i < 600; ++i) {
    snprintf(text + strlen(text), sizeof text - strlen(text), "t.n%d = x ", i);
  }
  snprintf(text + strlen(text), sizeof text - strlen(text), "return t.n599");
  crErrorLog* log = crCreateErrorLog(NULL);
  assert_int_equal(tryMemory(text, log), memoryNone);
  snprintf(text + strlen(text), sizeof text - strlen(text), " + n599");
  assert_int_equal(tryMemory(text, log), memoryNotMade);
  assert_message(log, cr_severityError, "nothing has the name 'n599'");
  crDestroyErrorLog(log);
}

// The text around the code has names of its own, which must not get in the way of the user's.
static void variables_may_have_any_name(void** state)
{
  (void)state;
  crTestRun bench =
      openGood("world('w')\nconstant('c', { value = 2 })\n"
               "userFunction('f', { inputs = { body = 'c', body0 = 'c', value = 'c' },\n"
               "  parameters = { value0 = 3, body1 = 4 }, code = 'return body + 10 * body0 + 100 * value0' })\n"
               "sampled('g', { period = 1, inputs = { body0 = 'c' }, state = { value0 = 7, value1 = 8 },\n"
               "  code = 'value0 = value0 + body0 return value1' })\n",
               1.0, 1e-6);
  assert_close(crTestRun_Value(&bench, "f.value"), 322.0, 0.0);
  assert_close(crTestRun_Value(&bench, "g.value"), 8.0, 0.0);
  assert_close(crTestRun_Value(&bench, "g.value0"), 9.0, 0.0);
  crCloseTestRun(&bench);
  assertRunFails("world('w')\nconstant('c', { value = 2 })\n"
                 "userFunction('f', { inputs = { _ENV = 'c' }, code = 'return 1' })\n",
                 "cannot be called '_ENV'");
}

static void a_function_that_fails_is_named_with_line_and_inputs(void** state)
{
  (void)state;
  assertRunFails(DRIVEN("\n\nif time > 0.5 then\n return x.y end return -x"),
                 "userFunction 'law' failed, line 3 of the code: attempt to index a number value");
  assertRunFails(DRIVEN("error('no more') return 1"), "line 1 of the code: no more, at 0 s with v = 0, x = 0.4");
  assertRunFails(DRIVEN("return nil"), "what the code returns is nothing where a number is needed");
  assertRunFails(DRIVEN("return 'a'"), "what the code returns is string where a number is needed");
  assertRunFails(DRIVEN("while true do end"), "it runs for too long");
  double start = crReadClock(CLOCK_THREAD_CPUTIME_ID); // few instructions, each of which takes long
  assertRunFails(DRIVEN("local s = ('x'):rep(300000) while s <= s do end"), "it runs for too long");
  assert_true(crReadClock(CLOCK_THREAD_CPUTIME_ID) - start < 4.0);
  assertRunFails(DRIVEN("local t = {} for i = 1, 1e6 do t[i] = i end return 1"), "it needs too much memory");
  assertRunFails(DRIVEN("_ENV.count = 1 return 1"),
                 "'count' is no variable of this function: say local, or make it a state");
  assertRunFails(DRIVEN("math.pi = 3 return 1"), "'pi' is no variable of this function");
  assertRunFails(DRIVEN("return math.random()"), "line 1 of the code: nothing has the name 'math.random'");
  assertRunFails(DRIVEN("local m = math return m.random()"), "attempt to call a nil value");
  assertRunFails("world('w')\nsampled('s', { period = 0.5, code = 'return time < 0.9 and 1 or nil' })\n",
                 "the simulation stops at 1 s: sampled 's' failed");
  assertRunFails("world('w')\nsampled('s', { period = 0.5, state = { a = 1 }, code = 'a = a * 1e200 return 1' })\n",
                 "the simulation stops at 0.5 s: sampled 's'");
}

// Beyond x = 0.7 the law is not finite: the solver tries smaller steps, then gives up with the function's name.
static void a_result_that_is_not_finite_is_tried_again_and_then_named(void** state)
{
  (void)state;
  assertRunFails(DRIVEN("return x < 0.7 and 5 or 0/0"), "userFunction 'law' gives");
  assertRunFails(DRIVEN("return x < 0.7 and 5 or 0/0"), "the problem cannot be evaluated any further");
  assertRunFails(DRIVEN("return 1/0"), "cannot be evaluated at its start values: userFunction 'law' gives inf");
  assertRunFails(DRIVEN("return 1/0"), "hint: look at what this function does with such inputs");
  // a narrow miss: steps that reach too far come back
  crTestRun bench = openGood(DRIVEN("return x < 0.8 and 500 * math.log(0.8 - x) or 0/0"), 3.0, 1e-6);
  assert_int_equal(crSimulation_Advance(bench.simulation, 3.0), cr_ok);
  crCloseTestRun(&bench);
}

static crStatus refuse(void* caller, double t, const double* arguments, double* states, double* outValue)
{
  (void)caller;
  (void)states;
  *outValue = -arguments[0];
  return t < 0.5 ? cr_ok : cr_errorFile;
}

static void a_function_in_c_that_fails_ends_the_run(void** state)
{
  (void)state;
  const char* text = CART "prismatic('slide', w, cart, { start = 0.4, force = 'law' })\n";
  crTestRun bench = { .log = crCreateErrorLog(NULL) };
  bench.sink = crErrorLog_GetSink(bench.log);
  crReadLua(text, strlen(text), "model.lua", NULL, NULL, NULL, &bench.sink, &bench.scene);
  crFunction function = { .call = refuse };
  assert_int_equal(addCall(bench.scene, cr_signalFunction, "law", "x", function, NAN, 0), cr_ok);
  crFunction none = { .call = NULL };
  assert_int_equal(addCall(bench.scene, cr_signalFunction, "nothing", "x", none, NAN, 0), cr_errorModel);
  assert_message(bench.log, cr_severityError, "a userFunction needs a function: code, or one in C");
  crScene_CountErrors(bench.scene);
  crDestroyScene(bench.scene);
  crReadLua(text, strlen(text), "model.lua", NULL, NULL, NULL, &bench.sink, &bench.scene);
  addCall(bench.scene, cr_signalFunction, "law", "x", function, NAN, 0);
  startBench(&bench, 1.0, 1e-6);
  assert_non_null(bench.simulation);
  assert_true(crSimulation_Advance(bench.simulation, 1.0) < 0);
  assert_message(bench.log, cr_severityError, "userFunction 'law' failed");
  assert_message(bench.log, cr_severityError, "with input 1 = ");
  crTextWriter writer = { NULL, NULL };
  assert_int_equal(crWriteJson(bench.scene, NULL, &bench.sink, writer), cr_errorMisuse);
  crCloseTestRun(&bench);
}

static void swallow(void* context, const char* bytes, size_t size)
{
  (void)bytes;
  *(size_t*)context += size;
}

static void json_refuses_functions_in_c(void** state)
{
  (void)state;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crScene* scene = NULL;
  size_t size = 0;
  crCreateScene(NULL, &sink, &scene);
  crFunction function = { .call = refuse };
  assert_int_equal(addCall(scene, cr_signalFunction, "law", "x", function, NAN, 0), cr_ok);
  assert_int_equal(crWriteJson(scene, NULL, &sink, (crTextWriter){ swallow, &size }), cr_errorModel);
  assert_message(log, cr_severityError, "is in C, which JSON cannot hold");
  assert_int_equal(size, 0);
  crDestroyScene(scene);
  crDestroyErrorLog(log);
}

static void a_drive_refuses_accelerations_and_names_unknown_signals(void** state)
{
  (void)state;
  assertRunFails(
      "local w = world('w')\nlocal box = object('box', { free = true, mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
      "frameSensor('a', { objectA = w, objectB = box, quantity = 'acceleration' })\n"
      "userFunction('f', { inputs = { a = 'a' }, code = 'return -a' })\n"
      "force('push', box, { force = { 1, 0, 0 }, factor = 'f' })\n",
      "the force depends on accelerations, reactions or contacts, which depend on the force");
  assertRunFails("world('w')\nuserFunction('f', { inputs = { a = 'angel' }, code = 'return -a' })\n"
                 "constant('angle', { value = 1 })\n",
                 "did you mean 'angle'?");
  assertRunFails("world('w')\nsampled('f', { period = 1, state = { speed = 0 }, code = 'return 1' })\n"
                 "pick('p', { signal = 'f', state = 'sped' })\n",
                 "did you mean 'speed'?");
  assertRunFails("world('w')\nconstant('c', { value = 1 })\n"
                 "pid('p', { input = 'c', reference = 'd', period = 1, gain = 1 })\n",
                 "reference is unknown");
  assertRunFails("world('w')\nconstant('c', { value = 1 }) pick('p', { signal = 'c', state = 'x' })\n",
                 "the constant 'c' has no such state");
  assertRunFails("world('w')\nuserFunction('f', { inputs = { a = 'f' }, code = 'return -a' })\n",
                 "the signals form a cycle");
  assertRunFails(
      "world('w')\nconstant('g', { value = 0/0 })\nuserFunction('f', { inputs = { a = 'g' }, code = 'return a' })\n"
      "sum('s', { inputs = { 'f', 'g' } })\n",
      "must be finite");
  assertRunFails(CART "prismatic('slide', w, cart, { motion = userFunction('f', { code = 'return time' }) })\n",
                 "which the userFunction 'f' does not have");
}

// ----------------------------------------------------------------------------------------- memory

static const char* const memoryText = CART
    "userFunction('law', { inputs = { x = 'x' }, parameters = { k = 9 }, code = 'return -k * x' })\n"
    "sampled('control', { period = 0.1, inputs = { v = 'v' }, state = { n = 0 }, code = 'n = n + 1 return -v' })\n"
    "input('push', { unit = 'N' })\noutput('place', { signal = 'x' })\n"
    "pid('hold', { input = 'x', reference = 'push', period = 0.1, gain = 1 })\n"
    "pick('part', { signal = 'hold', state = 'integral' })\n"
    "prismatic('slide', w, cart, { start = 0.4, force = sum('all', { inputs = { 'law', 'control', 'push' } }) })\n";

static crStatus runOnce(const crAllocator* allocator)
{
  crScene* scene = NULL;
  crModel* model = NULL;
  crInstance* instance = NULL;
  crStatus status = crReadLua(memoryText, strlen(memoryText), "m", NULL, NULL, allocator, NULL, &scene);
  status = status == cr_ok ? crCompile(scene, NULL, allocator, NULL, &model) : status;
  status = status == cr_ok ? crCreateInstance(model, allocator, NULL, &instance) : status;
  if (status == cr_ok) {
    double y[2], rates[2];
    crModel_GetStart(model, crModel_GetAllTrees(model), y);
    crInstance_SetState(instance, crModel_GetAllTrees(model), 0.0, y);
    status = crInstance_Sample(instance, crModel_GetAllTrees(model));
    for (int i = 0; i < 100 && status == cr_ok; ++i) {
      status = crInstance_ComputeRates(instance, crModel_GetAllTrees(model), 0.01 * i, y, rates);
    }
  }
  crDestroyInstance(instance);
  crDestroyModel(model);
  crDestroyScene(scene);
  return status;
}

static void running_out_of_memory_leaks_nothing_at_any_point(void** state)
{
  (void)state;
  crTestAllocator counter = { .failAt = -1 };
  crAllocator allocator = crTestAllocator_Make(&counter);
  assert_int_equal(runOnce(&allocator), cr_ok);
  assert_int_equal(counter.liveBlocks, 0);
  long calls = counter.callCount;
  for (long i = 0; i < calls; i += i < 100 ? 1 : 7) {
    counter = (crTestAllocator){ .failAt = i };
    assert_int_equal(runOnce(&allocator), cr_errorMemory);
    assert_int_equal(counter.liveBlocks, 0);
  }
}

// Code that works with numbers takes no memory when it is called.
static void calls_take_no_memory(void** state)
{
  (void)state;
  crTestAllocator counter = { .failAt = -1 };
  crAllocator allocator = crTestAllocator_Make(&counter);
  crScene* scene = NULL;
  crModel* model = NULL;
  crInstance* instance = NULL;
  crReadLua(memoryText, strlen(memoryText), "m", NULL, NULL, NULL, NULL, &scene);
  crCompile(scene, NULL, NULL, NULL, &model);
  assert_int_equal(crCreateInstance(model, &allocator, NULL, &instance), cr_ok);
  double y[2] = { 0.3, 0.1 }, rates[2];
  crTreeSet all = crModel_GetAllTrees(model);
  long before = 0;
  for (int i = 0; i < 1000; ++i) {
    assert_int_equal(crInstance_ComputeRates(instance, all, 0.1 * i, y, rates), cr_ok);
    assert_int_equal(crInstance_Sample(instance, all), cr_ok);
    before = i == 0 ? counter.callCount : before;
  }
  assert_int_equal(counter.callCount, before);
  crDestroyInstance(instance);
  crDestroyModel(model);
  crDestroyScene(scene);
  assert_int_equal(counter.liveBlocks, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_law_in_lua_moves_as_the_law_of_a_joint),
    cmocka_unit_test(a_user_law_of_a_spring_conserves_its_energy),
    cmocka_unit_test(forces_and_torques_are_scaled_by_signals),
    cmocka_unit_test(a_function_in_c_gives_the_same_bits_as_one_in_lua),
    cmocka_unit_test(a_sampled_controller_follows_the_difference_equation),
    cmocka_unit_test(output_points_do_not_change_a_sampled_run),
    cmocka_unit_test(ticks_that_coincide_are_one_event),
    cmocka_unit_test(accelerations_and_reactions_may_be_sampled),
    cmocka_unit_test(a_sampled_function_in_c_keeps_its_states),
    cmocka_unit_test(discrete_numbers_are_saved_and_restored),
    cmocka_unit_test(a_pid_controller_does_what_its_equations_say),
    cmocka_unit_test(states_of_signals_can_be_picked),
    cmocka_unit_test(a_sampled_function_couples_no_tree_that_it_does_not_read),
    cmocka_unit_test(runs_side_by_side_give_the_same_bits),
    cmocka_unit_test(mistakes_in_code_are_told_with_their_line),
    cmocka_unit_test(nothing_but_states_outlives_a_call),
    cmocka_unit_test(functions_that_keep_or_change_things_are_not_there),
    cmocka_unit_test(unknown_names_are_found_before_anything_moves),
    cmocka_unit_test(declared_names_are_not_unknown),
    cmocka_unit_test(variables_may_have_any_name),
    cmocka_unit_test(a_function_that_fails_is_named_with_line_and_inputs),
    cmocka_unit_test(a_result_that_is_not_finite_is_tried_again_and_then_named),
    cmocka_unit_test(a_function_in_c_that_fails_ends_the_run),
    cmocka_unit_test(json_refuses_functions_in_c),
    cmocka_unit_test(a_drive_refuses_accelerations_and_names_unknown_signals),
    cmocka_unit_test(running_out_of_memory_leaks_nothing_at_any_point),
    cmocka_unit_test(calls_take_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
