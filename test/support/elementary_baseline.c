// test/CMakeLists.txt gives this file flags of its own.
#include "support/elementary_baseline.h"

#define crSin baselineSin
#define crCos baselineCos
#define crTan baselineTan
#define crSinCos baselineSinCos
#define crAsin baselineAsin
#define crAcos baselineAcos
#define crAtan2 baselineAtan2
#define crExp baselineExp
#define crLog baselineLog
#define crLog2 baselineLog2
#define crLog10 baselineLog10
#define crLog1p baselineLog1p
#define crPow baselinePow
#define crTanh baselineTanh
#define crCbrt baselineCbrt
#define crHypot baselineHypot
#define crPerGamma baselinePerGamma

#include "base/circular.c"
#include "base/exponential.c"
#include "base/gamma.c"
#include "base/inverse_circular.c"
#include "base/root.c"
