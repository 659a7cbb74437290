// The inside of a plan.
#ifndef CR_SWEEP_PLAN_H
#define CR_SWEEP_PLAN_H

#include "base/friend.h"
#include "base/sha256.h"
#include "carom/sweep.h"
#include "sweep/design.h"
#include "sweep/model_source.h"
#include "sweep/output.h"
#include "sweep/spread.h"
#include "text/value.h"

typedef struct crSweepInput {
  const char *name, *text; // of the parameter, and how it varies
  crSpread spread;
  int dimension;  // of the design; -1: its values are listed, and crossed
  int64_t stride; // of listed values: so many runs have the same
} crSweepInput;

struct crSweepPlan {
  crAllocator allocator;
  crArena arena;
  crModelSource source;
  crSetting* settings; // (settingCount) then one of each input, whose value is filled in by each run
  int settingCount;
  crSweepInput* inputs; // (inputCount)
  int inputCount;
  const char** outputTexts; // (outputs.count)
  crOutputs outputs;
  crColumn* columns; // (outputs.columnCount)
  crDesign design;
  int dimensionCount;  // of the design
  int64_t runs;        //
  int64_t gridCount;   // points of listed values that are crossed
  int64_t sampleCount; // of the design; with one of each all points of listed values are run
  uint64_t seed;
  crSimulationOptions options;
  char hash[CR_SHA256_TEXT], sourceHash[CR_SHA256_TEXT];
  char sceneHash[CR_SHA256_TEXT]; // of what the model makes of its text and of files that it imports; "": unknown
};

// What a plan's texts say, without the model: inputs, design, runs. Reports to the sink.
crStatus crSweepPlan_ReadDef(crSweepPlan* plan, const crSweepDef* def, const crErrorSink* sink);
// How many runs there are, and samples of the design.
crStatus crSweepPlan_ChooseRuns(crSweepPlan* plan, int64_t runs, const crErrorSink* sink);
// The model with the settings of a run, or of none (-1). crReadModel's rules hold.
crStatus crSweepPlan_ReadModel(const crSweepPlan* plan, int64_t run, const crAllocator* allocator,
                               const crErrorSink* sink, crScene** outScene);
// Its place in all designs: a coordinate, for tests.
double crSweepPlan_FindCoordinate(const crSweepPlan* plan, int64_t run, int input);

// What stands in a command that runs one point before its inputs, and behind them. Like snprintf.
CR_FRIEND int crFormatRunHead(const crSweepDef* def, char* buffer, size_t size);
CR_FRIEND int crFormatRunOptions(const crSweepDef* def, char* buffer, size_t size);

// plan.json.
void crWriteSweepPlan(const crSweepPlan* plan, crTextWriter writer);

// A plan as it is written, in Lua or JSON.
typedef struct crPlanText {
  crSweepDef def;
  const char* json;  // the text of plan.json; NULL in Lua
  const char* hash;  // likewise
  crColumn* columns; // (columnCount) likewise
  int columnCount;
} crPlanText;

// Strings lie in the arena. Everything wrong is reported.
crStatus crReadPlanText(const crValue* value, crSource source, crArena* arena, const crErrorSink* sink,
                        crPlanText* outText);
crStatus crParsePlanJson(const char* bytes, size_t size, const char* name, crArena* arena, const crErrorSink* sink,
                         crPlanText* outText);
crStatus crReadPlanJson(const char* path, crArena* arena, const crErrorSink* sink, crPlanText* outText);

#endif
