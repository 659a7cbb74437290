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
  if (def->input == NULL || def->reference == NULL) {
    crReportError(reporter, "a pid needs an input and a reference");
  }
  crCheckPositive(reporter, "period", def->period, "s");
  crCheckFinite(reporter, "gain", def->gain);
  crCheckFinite(reporter, "integralGain", def->integralGain);
  crCheckFinite(reporter, "derivativeGain", def->derivativeGain);
  crCheckNotNegative(reporter, "filterTime", def->filterTime, "s");
  crCheckFinite(reporter, "value", def->value);
  bool isMin = crCheckFinite(reporter, "min", def->min), isMax = crCheckFinite(reporter, "max", def->max);
  if (isMin && isMax && !(def->min < def->max)) {
    crReportNumber(reporter, "min is not below max", def->min, "< max", NULL, NULL);
  }
}

bool crPreparePid(crScene* scene, crSignalDef* own)
{
  static const crNamedNumber states[stateCount] = {
    { "integral", 0.0 }, { "derivative", 0.0 }, { "last", 0.0 }, { "isStarted", 0.0 }
  };
  if (own->kind != cr_signalPid) {
    return true;
  }
  const crArgument arguments[argumentCount] = {
    [reference] = { "reference", own->reference }, [measured] = { "input", own->input }
  };
  const crNamedNumber constants[constantCount] = { [kp] = { "gain", own->gain },
                                                   [ki] = { "integralGain", own->integralGain },
                                                   [kd] = { "derivativeGain", own->derivativeGain },
                                                   [filter] = { "filterTime", own->filterTime },
                                                   [least] = { "min", own->min },
                                                   [most] = { "max", own->max },
                                                   [tick] = { "tick", own->period } };
  own->arguments = crArena_Copy(&scene->arena, arguments, sizeof arguments);
  own->argumentCount = argumentCount;
  own->constants = crArena_Copy(&scene->arena, constants, sizeof constants);
  own->constantCount = constantCount;
  own->states = states;
  own->stateCount = stateCount;
  own->function = (crFunction){ .call = call, .create = create, .destroy = destroy };
  return own->arguments != NULL && own->constants != NULL;
}
