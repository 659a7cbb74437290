// What loops let move: needs a model in motion, with its loops closed.
#include "loop_facts.h"
#include "cli.h"

#include <stdlib.h>

crInstance* crCloseLoops(const crModel* model, const crErrorSink* sink)
{
  crTreeSet all = crModel_GetAllTrees(model);
  crInstance* instance = NULL;
  double* y = calloc((size_t)crModel_CountStates(model, all) + 1, sizeof *y);
  crErrorSink silent = { NULL, NULL };
  crModelSize size = crModel_GetSize(model);
  sink = sink != NULL ? sink : &silent;
  bool isClosed = y != NULL && size.cutJointCount + size.couplingCount > 0 &&
                  crCreateInstance(model, NULL, sink, &instance) == cr_ok;
  if (isClosed) {
    crModel_GetStart(model, all, y);
    isClosed = crInstance_Assemble(instance, all, 0.0, y, sink) == cr_ok;
  }
  free(y);
  if (!isClosed) {
    crDestroyInstance(instance);
    return NULL;
  }
  return instance;
}
