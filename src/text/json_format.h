// The layout of JSON models, version 1: which sections there are, in which order.
//
//   { "carom": 1, "scene": {...}, "solidMaterials": [...], ... }
//
// Sections hold the elements of one kind in the order of the scene. Fields are those of scene/field.h.
#ifndef CR_TEXT_JSON_FORMAT_H
#define CR_TEXT_JSON_FORMAT_H

#include "carom/io.h"

#define CR_JSON_VERSION 1
#define CR_JSON_VERSION_KEY "carom"
#define CR_JSON_SCENE_KEY "scene"

typedef struct crJsonSection {
  const char* key;
  crElementKind kind;
  const char* about;
} crJsonSection;

#define CR_JSON_SECTION_COUNT 11
extern const crJsonSection crJsonSections[CR_JSON_SECTION_COUNT]; // in canonical order

// Where the mesh files of a model lie, and from where the written model will look for them.
typedef struct crJsonFolders {
  const char* from; // absolute, without symbolic links
  const char* to;   // likewise
} crJsonFolders;

// crWriteJson with relative mesh files seen from another folder; NULL folders: as they are stored. Reports
// everything that JSON cannot hold, and writes nothing then.
crStatus crWriteJsonFrom(const crScene* scene, const crJsonFolders* folders, const crErrorSink* sink,
                         crTextWriter writer);

#endif
