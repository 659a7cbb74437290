// What an instance remembers, as fields of an archive: inputs, what sampled functions hold, what functions remember
// beside that, and what cut joints keep. All else follows from the state.
#include "model/loop/loop.h"

crArchive_Covers(crCutMemory, 136);

static void archiveCut(crArchive* archive, const crCut* cut, crCutMemory* memory)
{
  crArchive_Doubles(archive, memory->q, CR_MAX_JOINT_Q);
  crArchive_Doubles(archive, memory->rates, CR_MAX_JOINT_V);
  crArchive_Double(archive, &memory->time);
  crArchive_Double(archive, &memory->length);
  crArchive_Int(archive, &memory->activeCount, 0, cut->rowCount);
  crArchive_Int(archive, &memory->evasions, 0, INT32_MAX);
  for (int r = 0; r < CR_MAX_ROWS; ++r) {
    int row = memory->order[r];
    crArchive_Int(archive, &row, 0, CR_MAX_ROWS - 1);
    memory->order[r] = (unsigned char)row;
  }
  crArchive_Bool(archive, &memory->isWeak);
}

void crArchiveCuts(crArchive* archive, const crInstance* instance, crCutMemory* memories)
{
  for (int c = 0; instance->loops != NULL && c < instance->loops->cutCount; ++c) {
    archiveCut(archive, &instance->loops->cuts[c], &memories[c]);
  }
}

void crInstance_KeepAllCuts(const crInstance* instance, crCutMemory* outMemories)
{
  for (int t = 0; t < instance->model->size.treeCount; ++t) {
    crInstance_KeepCuts(instance, t, outMemories);
  }
}

void crInstance_RestoreAllCuts(crInstance* instance, const crCutMemory* memories)
{
  for (int t = 0; t < instance->model->size.treeCount; ++t) {
    crInstance_RestoreCuts(instance, t, memories);
  }
}

static void archiveMemory(crArchive* archive, const crFunction* function, void* caller, const crAllocator* allocator)
{
  int64_t held = archive->isReading ? 0 : function->countMemory(caller);
  int count = held < INT32_MAX ? (int)held : INT32_MAX;
  crArchive_Count(archive, &count, INT32_MAX - 1, sizeof(double));
  double* numbers = crArchive_IsGood(archive) ? crAllocateZero(allocator, (size_t)count + 1, sizeof *numbers) : NULL;
  if (numbers == NULL) {
    crArchive_Fail(archive, cr_errorMemory); // unless it has failed already
    return;
  }
  if (!archive->isReading) {
    function->getMemory(caller, numbers);
  }
  crArchive_Doubles(archive, numbers, (size_t)count);
  if (archive->isReading && crArchive_IsGood(archive) && function->setMemory(caller, numbers, count) != cr_ok) {
    crArchive_Refuse(archive, "a function cannot remember what is there");
  }
  crFree(allocator, numbers, ((size_t)count + 1) * sizeof *numbers);
}

void crInstance_Archive(crArchive* archive, crInstance* instance, crCutMemory* scratch)
{
  const crModel* model = instance->model;
  crArchive_Doubles(archive, instance->inputs, (size_t)model->inputCount);
  crArchive_Doubles(archive, instance->discrete, (size_t)model->discreteCount);
  if (archive->isReading && !crAreFinite(instance->inputs, model->inputCount)) {
    crArchive_Refuse(archive, "an input is not finite");
  }
  for (int i = 0; i < model->functionCount && crArchive_IsGood(archive); ++i) {
    const crFunction* function = &model->functions[i].function;
    if (function->countMemory != NULL) {
      archiveMemory(archive, function, instance->callers[i].object, &instance->allocator);
    }
  }
  if (!archive->isReading) {
    crInstance_KeepAllCuts(instance, scratch);
  }
  crArchiveCuts(archive, instance, scratch);
  if (archive->isReading && crArchive_IsGood(archive)) {
    crInstance_RestoreAllCuts(instance, scratch);
  }
}
