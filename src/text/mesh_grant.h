// Which folders a model may read mesh files from: its own, and those that whoever reads it allows. Where links lead
// counts, not how a path is written.
#ifndef CR_TEXT_MESH_GRANT_H
#define CR_TEXT_MESH_GRANT_H

#include "base/friend.h"
#include "base/report.h"
#include "carom/io.h"

#define CR_ALLOW_PATH "allowPath" // settings that grant folders, with ':' between, and are no parameters of a model
#define CR_MESH_PATH "meshPath"

// Whether a setting is one of these.
CR_FRIEND bool crIsGrant(const crSetting* setting);

// Whether a model in `folder` (NULL or "": the current one) may read the file. NULL options: nothing is granted.
bool crMayReadMesh(const char* path, const char* folder, const crReadOptions* options);

// Warns that a model which is written into the folder `to` names a mesh outside of it, so that reading it needs leave;
// `file` is meant from the folder `from`. Returns whether it did.
bool crWarnOfMeshOutside(crReporter* reporter, const char* file, const char* from, const char* to);

#endif
