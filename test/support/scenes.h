// Scenes that several tests share, and short ways to build small ones.
#ifndef CR_TEST_SCENES_H
#define CR_TEST_SCENES_H

#include "carom/model.h"
#include "model/compile/pass.h"

// A scene with a log of everything that was said about it, while it was made and compiled.
typedef struct crTestScene {
  crErrorLog* log;
  crErrorSink sink;
  crScene* scene;
} crTestScene;

crTestScene crTestScene_Make(const crAllocator* allocator); // fails the test when out of memory
void crTestScene_Free(crTestScene* test);

// Compiles; fails the test unless the status is the expected one. NULL unless it is cr_ok.
crModel* crTestScene_Compile(crTestScene* test, crStatus expected);

// Whether a message of the log, formatted with all its parts, holds the text.
bool crTestScene_Says(const crTestScene* test, const char* text);
void crTestScene_PrintLog(const crTestScene* test);

// The dump of a pass as a string, to be freed with free().
char* crTestScene_Dump(crTestScene* test, crPass pass, crStatus expected);

// Objects. Adding fails the test when the scene refuses; elements carry "scene.lua" and a running line.
void crAddWorld(crTestScene* test);                                                         // "world"
void crAddObject(crTestScene* test, const char* name, const char* parent, crVec3 position); // rigid
void crAddFree(crTestScene* test, const char* name, const char* parent, crVec3 position);
void crAddMass(crTestScene* test, const char* name, const char* parent, crVec3 position,
               double mass); // rigid, a cube's
// A sphere of 0.1 m that touches with a material.
crFeatureDef crMakeBall(const char* contact);
void crAddBall(crTestScene* test, const char* name, const char* parent, crMobility mobility, crVec3 position,
               const char* contact);
void crAddWithFeatures(crTestScene* test, const char* name, const char* parent, crMobility mobility, crVec3 position,
                       const crFeatureDef* features, int featureCount);
void crAddJoint(crTestScene* test, crJointKind kind, const char* name, const char* objectA, const char* objectB);
void crAddJointAt(crTestScene* test, crJointKind kind, const char* name, const char* objectA, const char* objectB,
                  double start);
void crAddExclusion(crTestScene* test, const char* objectA, const char* objectB);

// The example of [NeumayrOtter19], figures 2 to 5, completed where the text is silent: 14 objects in six
// super-objects, a loop over super-objects 2, 3, 4 and 6 cut between 3 and 6.
void crBuildSuperObjects(crTestScene* test);

#endif
