// Runs a Lua model into a result file, as `carom run` does.
#ifndef CR_TEST_RECORD_RUN_H
#define CR_TEST_RECORD_RUN_H

#include "carom/carom.h"
#include "carom/io.h"

// Simulates a model and records all of it; contact is ignored. Fails the test when that does not work. The
// result is to be destroyed.
crResult* crRecordTestRun(const char* model, const char* path, double stop, double interval);

// A model with every kind of shape, lights, a camera, joints and springs, whose names are what a page may stumble over.
extern const char crHostileModel[];

#endif
