// A digital controller as a sampled function, see cr_signalPid. The derivative is that of what is measured, so that a
// jump of the reference does not kick; the integral stands still while it would push the value further beyond a limit.
#include "scene/scene.h"

enum { kp, ki, kd, filter, least, most, tick, constantCount };
enum { integral, derivative, last, isStarted, stateCount };
enum { reference, measured, argumentCount };

typedef struct Pid {
  crAllocator allocator;
  double constants[constantCount];
} Pid;

static crStatus call(void* caller, double t, const double* arguments, double* states, double* outValue)
{
  (void)t;
  const double* c = ((const Pid*)caller)->constants;
  double e = arguments[reference] - arguments[measured];
  double change = states[isStarted] != 0.0 ? arguments[measured] - states[last] : 0.0;
  states[last] = arguments[measured];
  states[isStarted] = 1.0;
  states[derivative] = (c[filter] * states[derivative] - c[kd] * change) / (c[filter] + c[tick]);
  double grown = states[integral] + c[ki] * c[tick] * e, value = c[kp] * e + grown + states[derivative];
  bool isFurther = (value > c[most] && grown > states[integral]) || (value < c[least] && grown < states[integral]);
  states[integral] = isFurther ? states[integral] : grown;
  *outValue = fmin(fmax(c[kp] * e + states[integral] + states[derivative], c[least]), c[most]);
  return cr_ok;
}

static crStatus create(void* context, const crFunctionSource* source, const crAllocator* allocator,
                       const crErrorSink* sink, void** outCaller)
{
  (void)context;
  (void)sink;
  crAllocator own = crChooseAllocator(allocator);
  Pid* pid = crAllocateZero(&own, 1, sizeof *pid);
  if (pid == NULL) {
    return cr_errorMemory;
  }
  pid->allocator = own;
  for (int i = 0; i < constantCount; ++i) {
    pid->constants[i] = source->constants[i].value;
  }
  *outCaller = pid;
  return cr_ok;
}

static void destroy(void* caller)
{
  Pid* pid = caller;
  crAllocator allocator = pid->allocator;
  crFree(&allocator, pid, sizeof *pid);
}

void crCheckPid(crReporter* reporter, const crSignalDef* def)
{
  if (def->as.pid.input == NULL || def->as.pid.reference == NULL) {
    crReportError(reporter, "a pid needs an input and a reference");
  }
  crCheckFinite(reporter, "start", def->as.pid.start);
  crCheckPositive(reporter, "period", def->as.pid.period, "s");
  crCheckFinite(reporter, "gain", def->as.pid.gain);
  crCheckFinite(reporter, "integralGain", def->as.pid.integralGain);
  crCheckFinite(reporter, "derivativeGain", def->as.pid.derivativeGain);
  crCheckNotNegative(reporter, "filterTime", def->as.pid.filterTime, "s");
  crCheckFinite(reporter, "value", def->as.pid.value);
  crCheckLimits(reporter, def->as.pid.min, def->as.pid.max);
}

bool crStorePid(crScene* scene, crSceneSignal* signal)
{
  static const crNamedNumber states[stateCount] = {
    { "integral", 0.0 }, { "derivative", 0.0 }, { "last", 0.0 }, { "isStarted", 0.0 }
  };
  crSignalDef* own = &signal->def;
  if (!crScene_Intern(scene, &own->as.pid.reference) || !crScene_Intern(scene, &own->as.pid.input)) {
    return false;
  }
  const crArgument arguments[argumentCount] = {
    [reference] = { "reference", own->as.pid.reference }, [measured] = { "input", own->as.pid.input }
  };
  const crNamedNumber constants[constantCount] = { [kp] = { "gain", own->as.pid.gain },
                                                   [ki] = { "integralGain", own->as.pid.integralGain },
                                                   [kd] = { "derivativeGain", own->as.pid.derivativeGain },
                                                   [filter] = { "filterTime", own->as.pid.filterTime },
                                                   [least] = { "min", own->as.pid.min },
                                                   [most] = { "max", own->as.pid.max },
                                                   [tick] = { "tick", own->as.pid.period } };
  signal->function = (crFunction){ .call = call, .create = create, .destroy = destroy };
  signal->functionSource = (crFunctionSource){ .path = own->name,
                                               .source = own->source,
                                               .arguments = crArena_Copy(&scene->arena, arguments, sizeof arguments),
                                               .argumentCount = argumentCount,
                                               .constants = crArena_Copy(&scene->arena, constants, sizeof constants),
                                               .constantCount = constantCount,
                                               .states = states,
                                               .stateCount = stateCount,
                                               .period = own->as.pid.period };
  return signal->functionSource.arguments != NULL && signal->functionSource.constants != NULL;
}
