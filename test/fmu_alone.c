// A host of FMUs that needs the C library alone, for scripts/fmu_alone.sh: runs one for 1 s as Co-Simulation and prints
// a variable.
//
// usage: fmu_alone BINARY GUID RESOURCES REFERENCE
#include "foreign/fmi2.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void logMessage(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status, fmi2String category,
                       fmi2String message, ...)
{
  (void)environment;
  (void)name;
  (void)status;
  printf("%s: %s\n", category, message);
}

typedef struct Functions {
#define FMI2_FIELD(name, type, arguments) type(*name) arguments;
  FMI2_FUNCTIONS(FMI2_FIELD)
#undef FMI2_FIELD
} Functions;

// false: one is missing.
static bool findFunctions(void* library, Functions* outFunctions)
{
  bool isWhole = true;
  void* found;
#define FMI2_FIND(name, type, arguments)                                                                               \
  found = dlsym(library, "fmi2" #name);                                                                                \
  isWhole = isWhole && found != NULL;                                                                                  \
  memcpy(&outFunctions->name, &found, sizeof found);
  FMI2_FUNCTIONS(FMI2_FIND)
#undef FMI2_FIND
  return isWhole;
}

static int fail(const char* why)
{
  printf("%s\n", why != NULL ? why : "failed");
  return EXIT_FAILURE;
}

int main(int count, char** arguments)
{
  if (count != 5) {
    fputs("usage: fmu_alone BINARY GUID RESOURCES REFERENCE\n", stderr);
    return 2;
  }
  void* library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    return fail(dlerror());
  }
  Functions call;
  if (!findFunctions(library, &call)) {
    return fail("a function of FMI is missing");
  }
  fmi2CallbackFunctions callbacks = { .logger = logMessage };
  fmi2Component c =
      call.Instantiate("alone", fmi2CoSimulation, arguments[2], arguments[3], &callbacks, fmi2False, fmi2False);
  if (c == NULL || call.EnterInitializationMode(c) != fmi2OK || call.ExitInitializationMode(c) != fmi2OK) {
    return fail("it cannot be initialized");
  }
  for (int i = 0; i < 100; ++i) {
    if (call.DoStep(c, 0.01 * i, 0.01, fmi2True) != fmi2OK) {
      return fail("a step failed");
    }
  }
  fmi2ValueReference reference = (fmi2ValueReference)atoi(arguments[4]);
  double value = 0.0;
  if (call.GetReal(c, &reference, 1, &value) != fmi2OK) {
    return fail("there is no such variable");
  }
  printf("at 1 s: %.17g\n", value);
  call.FreeInstance(c);
  dlclose(library);
  return EXIT_SUCCESS;
}
