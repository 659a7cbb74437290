// One island as fields of an archive. What its stepper sees follows from its trees and contacts, and is described anew;
// its stamps only tell whether something has changed, so they start anew, too.
#include "island/island.h"

#define CR_TREE_SIZE 4 // [bytes] in the archive

crArchive_Covers(crPolicy, 56);
crArchive_Covers(crIsland, 920);

void crPolicy_Archive(crArchive* archive, crPolicy* policy)
{
  crArchive_Bool(archive, &policy->isImplicit);
  crArchive_Bool(archive, &policy->isTrial);
  crArchive_Bool(archive, &policy->isWarm);
  crArchive_Double(archive, &policy->cost);
  crArchive_Double(archive, &policy->time);
  crArchive_Double(archive, &policy->doubt);
  crArchive_Double(archive, &policy->rivalRate);
  crArchive_Int(archive, &policy->stepCount, 0, INT32_MAX);
  crArchive_Double(archive, &policy->patience);
}

void crIsland_ArchiveTrees(crArchive* archive, const crIslands* islands, int number, int** trees, int* capacity,
                           int* count)
{
  int last = -1, treeCount = islands->model->size.treeCount;
  crArchive_Count(archive, count, treeCount, CR_TREE_SIZE);
  if (archive->isReading && !crReserve(&islands->allocator, trees, capacity, *count, sizeof **trees)) {
    crArchive_Fail(archive, cr_errorMemory);
    *count = 0;
    return;
  }
  for (int k = 0; k < *count && crArchive_IsGood(archive); ++k) {
    crArchive_Int(archive, &(*trees)[k], last + 1, treeCount - 1);
    last = (*trees)[k];
  }
  if (archive->isReading && (*count == 0 || (*trees)[0] != number)) {
    crArchive_Refuse(archive, "an island is not that of its first tree");
  }
}

void crIsland_ArchiveFields(crArchive* archive, crIsland* island)
{
  bool isSwept = island->sweptStamp == island->stamp, isDescribed = island->describedTree >= 0;
  crArchive_Bool(archive, &isSwept);
  crArchive_Bool(archive, &isDescribed);
  if (archive->isReading) {
    island->stamp = 0;
    island->sweptStamp = isSwept ? 0 : -1;
    island->describedTree = isDescribed && island->treeCount == 1 ? island->number : -1;
  }
  crArchive_Bool(archive, &island->isRaised);
  crArchive_Bool(archive, &island->hasBefore);
  crArchive_Bool(archive, &island->hadBefore);
  crArchive_Bool(archive, &island->isCounted);
  crArchive_Bool(archive, &island->tookLanes);
  crStepMemory_Archive(archive, &island->memory);
  crStepMemory_Archive(archive, &island->again);
  crArchive_Double(archive, &island->phase);
  crArchive_Double(archive, &island->nextEvent);
  crArchive_Double(archive, &island->motionStep);
  crArchive_Bool(archive, &island->isCrowd);
  crArchive_Int(archive, &island->endCount, 0, INT32_MAX);
  crArchive_Int(archive, &island->stepCount, 0, INT32_MAX);
  crArchive_Int(archive, &island->trialCount, 0, INT32_MAX);
  crArchive_Int(archive, &island->quietSteps, 0, INT32_MAX);
  crArchive_Enum(archive, &island->pending, cr_pendingMerge + 1);
  crArchive_Int(archive, &island->partner, -1, island->owner->model->size.treeCount - 1);
  crArchive_Int(archive, &island->quietEvents, 0, INT32_MAX);
}

// What is touched, or does the touching, belongs to the island, or to the world.
static void checkContacts(crArchive* archive, const crIsland* island)
{
  const crIslands* islands = island->owner;
  const crContacts* contacts = island->contacts;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    int a = contacts->facts[pair->shapeA].stateTree, b = contacts->facts[pair->shapeB].stateTree;
    if ((a >= 0 && islands->islandOf[a] != island->number) || (b >= 0 && islands->islandOf[b] != island->number) ||
        crIslands_FindHolder(islands, pair->shapeA, pair->shapeB) != island->number) {
      crArchive_Refuse(archive, "an island touches what is not its own");
    }
  }
}

static void checkIsland(crArchive* archive, const crIsland* island)
{
  const crSimulationOptions* options = &island->owner->run->options;
  const crSegment* segment = &island->segment;
  bool isAlone = island->memory.isAlone || island->again.isAlone;
  if (!(segment->t0 >= options->startTime && segment->t1 <= options->stopTime && island->nextEvent >= segment->t1 &&
        island->motionStep > 0.0) ||
      (isAlone && !island->isAlone) || (island->isCrowd && !crIsland_IsLarge(island))) {
    crArchive_Refuse(archive, "an island is where none can be");
  }
}

static void archiveStepper(crArchive* archive, crIsland* island)
{
  if (island->isAlone) {
    crStepper_Archive(archive, island->stepper, &island->problem,
                      island->memory.hasDirection || island->again.hasDirection);
  } else if (archive->isReading && (island->memory.hasDirection || island->again.hasDirection)) {
    // that of a stepper which others use, too, is never taken up again
    island->memory.hasDirection = island->again.hasDirection = false;
  }
}

void crIsland_Archive(crArchive* archive, crIsland* island)
{
  crIslands* islands = island->owner;
  crContacts_Archive(archive, island->contacts);
  crIsland_ArchiveFields(archive, island);
  bool hasPattern = island->hasPattern;
  int describedTree = island->describedTree;
  crArchive_Bool(archive, &hasPattern);
  if (archive->isReading && crArchive_IsGood(archive)) {
    checkContacts(archive, island);
  }
  if (archive->isReading && crArchive_IsGood(archive)) {
    crArchive_Fail(archive, crIsland_DescribeAgain(&islands->workers[0], island, hasPattern));
    island->describedTree = describedTree;
  }
  if (!crArchive_IsGood(archive)) {
    return;
  }
  crArchive_Doubles(archive, island->numbers, (size_t)island->n); // tolerances
  crSegment_Archive(archive, &island->segment);
  if (island->hasBefore || island->hadBefore) {
    crSegment_Archive(archive, &island->before);
  }
  if (archive->isReading && crArchive_IsGood(archive)) {
    checkIsland(archive, island);
  }
  if (crArchive_IsGood(archive)) {
    archiveStepper(archive, island);
  }
  bool hasTrack = island->multistep != NULL;
  crArchive_Bool(archive, &hasTrack);
  if (archive->isReading && hasTrack != crIslands_IsMultistep(islands)) {
    crArchive_Refuse(archive, "an island has another solver");
  }
  if (hasTrack && crArchive_IsGood(archive)) {
    crMultistep_Archive(archive, island, &island->multistep);
  }
}
