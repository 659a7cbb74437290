// A result together with the scene and the model that it came from: what every picture of a run is made of.
#ifndef CR_SHOW_PICTURE_H
#define CR_SHOW_PICTURE_H

#include "base/memory.h"
#include "carom/io.h"
#include "carom/result.h"

typedef struct crPicture {
  const crResult* result;
  crAllocator allocator;
  crErrorLog* log; // of reading and compiling the scene
  crScene* scene;  // NULL: the scene in the result cannot be used, `note` says why
  crModel* model;  // NULL likewise
  int* objects;    // (objects of the scene) their numbers in the model
  int* bodies;     // (bodies of the model) their numbers in the result; -1: not recorded
  int objectCount; // of the scene
  int bodyCount;   // of the model, with the world
  char note[512];  // empty: none
} crPicture;

// Fails only for lack of memory; crClosePicture is due in any case.
crStatus crOpenPicture(crPicture* picture, const crResult* result, const crAllocator* allocator);
void crClosePicture(crPicture* picture);

// The object number i of the scene, with its place in the model.
const crObjectDef* crPicture_GetObject(const crPicture* picture, int index);
const crModelObject* crPicture_GetPlace(const crPicture* picture, int index);

// The shape of a feature that is drawn, and the name of its look (NULL: the default one). NULL: it is not drawn.
const crShapeDef* crPicture_FindDrawn(const crFeatureDef* feature, const char** outLook);

// What a name of a look stands for: a visual material of the scene or a colour.
crVisualMaterialDef crPicture_FindLook(const crPicture* picture, const char* name);

// The frame of a shape in its object: the model's axis as a rotation.
crPose crComputeShapePose(const crShapeDef* shape);

// The last part of the path of a model; without hasEnding without .lua or .json. A view of `path` with outSize bytes.
const char* crFindFileName(const char* path, bool hasEnding, size_t* outSize);

#endif
