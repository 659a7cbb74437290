// Parameters that a model was made from: what they may be.
#ifndef CR_SCENE_PARAMETER_H
#define CR_SCENE_PARAMETER_H

#include "base/report.h"
#include "carom/scene.h"

#define CR_RANGE_SIZE 80 // [bytes] of a range as text

CR_FRIEND bool crParameter_HasRange(const crParameter* parameter);
// Whether it may be this number.
CR_FRIEND bool crParameter_Takes(const crParameter* parameter, double number);
// "0.1 .. 2", ">= 0", "<= 5"; "any number" without a range.
CR_FRIEND void crParameter_FormatRange(const crParameter* parameter, char buffer[CR_RANGE_SIZE]);

// Reports a name, range, unit or label that breaks a rule, and a number outside the range.
void crCheckParameter(crReporter* reporter, const crParameter* parameter);

#endif
