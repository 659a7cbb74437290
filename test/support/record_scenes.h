// Scenes made from the records of fields, so that every field that a model can have is in them; and their text.
#ifndef CR_TEST_RECORD_SCENES_H
#define CR_TEST_RECORD_SCENES_H

#include "scene/field.h"
#include "support/test.h"

#include "carom/io.h"

// A text that grows; free it.
typedef struct crTestText {
  char* bytes; // terminated
  size_t size, capacity;
} crTestText;
crTextWriter crTestText_Writer(crTestText* text);
void crTestText_Free(crTestText* text);

// The canonical JSON of a scene; free it.
crTestText crWriteTestText(const crScene* scene);

// Fills a scene with `count` elements of every kind, whose features are of every kind with every shape. Every optional
// field is set with probability `share`; with 1 no field has its default. Meshes are read from `meshFile`, NULL: none.
void crFillTestScene(crScene* scene, crRandom* random, int count, double share, const char* meshFile);

// True when both defs have the same bits in every field of the record. Tells the first that differs.
bool crSameFields(const crRecord* record, const void* a, const void* b, int jointKind);

// Fails unless both scenes have the same elements in the same order with the same bits.
void crAssertSameScenes(const crScene* a, const crScene* b);

#endif
