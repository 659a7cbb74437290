// Differences of fourth order, with which models are linearized:
//
//   f' ~ (8 f(+h) - 8 f(-h) - f(+2h) + f(-2h)) / 12 h,   error about h^4
//
// With h = eps^(1/5) of the nominal value rounding and truncation are alike, some 1e-12 of f.
#ifndef CR_MODEL_EVAL_DIFFERENCE_H
#define CR_MODEL_EVAL_DIFFERENCE_H

#include "model/eval/instance.h"

#define CR_LINEARIZE_STEP 7e-4 // [-] of the nominal value
#define CR_STENCIL_COUNT 4

typedef struct crStencilPoint {
  double step;   // [h]
  double weight; // [1 / h]
} crStencilPoint;

static inline crStencilPoint crGetStencilPoint(int i)
{
  static const crStencilPoint points[CR_STENCIL_COUNT] = {
    { 1.0, 8.0 / 12.0 }, { -1.0, -8.0 / 12.0 }, { 2.0, -1.0 / 12.0 }, { -2.0, 1.0 / 12.0 }
  };
  return points[i];
}

// h of a state of a tree.
double crGetStateStep(const crInstance* instance, int tree, int state);

#endif
