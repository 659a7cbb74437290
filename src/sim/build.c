// What decides about bits: the version of Carom, the compiler and what it was told, the machine, and libraries that
// take steps. Only what is known when this is compiled.
#include "base/platform.h"
#include "carom/state.h"
#include "solve/solver.h"

#include <stdio.h>

#ifdef __FAST_MATH__
#define CR_MATH ", fast math"
#else
#define CR_MATH ""
#endif

#ifdef __OPTIMIZE__
#define CR_OPTIMIZED ", optimized"
#else
#define CR_OPTIMIZED ""
#endif

#if defined(__x86_64__)
#define CR_MACHINE "x86-64"
#elif defined(__aarch64__)
#define CR_MACHINE "aarch64"
#elif defined(__wasm__)
#define CR_MACHINE "wasm"
#else
#define CR_MACHINE "unknown machine"
#endif

#if defined(__AVX512F__)
#define CR_VECTORS "+avx512"
#elif defined(__AVX2__)
#define CR_VECTORS "+avx2"
#elif defined(__AVX__)
#define CR_VECTORS "+avx"
#else
#define CR_VECTORS ""
#endif

#ifdef __FMA__
#define CR_FMA "+fma"
#else
#define CR_FMA ""
#endif

static char build[256];
static pthread_once_t isMade = PTHREAD_ONCE_INIT;

static void make(void)
{
  snprintf(build, sizeof build, "carom %s, %s, %s%s%s%s%s%s", CAROM_VERSION, __VERSION__, CR_MACHINE, CR_VECTORS,
           CR_FMA, CR_OPTIMIZED, CR_MATH, crGetStepLibrary());
}

const char* crGetBuild(void)
{
  pthread_once(&isMade, make);
  return build;
}
