// The inside of a model: one memory block that starts with this struct. Every pointer points into the
// block, so a model needs nothing but itself, and one call frees it.
#ifndef CR_MODEL_MODEL_H
#define CR_MODEL_MODEL_H

#include "carom/model.h"
#include "geometry/shape.h"
#include "model/table.h"

// Scalars that every object has: position, orientation, velocity, angular velocity.
#define CR_OBJECT_VARIABLES 13

// Bodies: parent < child, those of a tree follow each other, body 0 is the world. Objects and contact
// shapes are ordered by body. Joint i < bodyCount - 1 moves body i + 1; the cut joints follow.
struct crModel {
  size_t byteCount; // of the whole block
  crAllocator allocator;
  crModelSize size;
  crGravity gravity;

  crModelObject* objects; // (objectCount)
  crBody* bodies;         // (bodyCount)
  crTree* trees;          // (treeCount)
  crModelJoint* joints;   // (jointCount)
  crLoop* loops;          // (cutJointCount)
  int* loopBodies;        // (sum of the loops' bodyCount)
  crModelForce* forces;   // (forceCount)

  crContactShape* contactShapes; // (shapeCount)
  crShape* shapes;               // (shapeCount) what contactShapes point to; their hulls lie in the block
  crContactMaterial* materials;  // (materialCount)
  crContactLaw* laws;            // (lawCount) of the pairs of materials that can meet
  crExcludedBodies* excluded;    // (excludedCount) sorted
  int materialCount, lawCount, excludedCount;
  crKeyTable lawTable;      // pair of materials -> index into laws
  crKeyTable excludedTable; // pair of bodies -> index into excluded

  const char** paths;    // (objectCount + jointCount) of objects, then of joints
  crPathTable pathTable; // implicit joints are not in it: they share their object's path

  // Variables: objects in the order of the scene, then joints likewise.
  int* sceneObjects;        // (objectCount) index of the scene -> index of the model
  int* variableJoints;      // (variableJointCount) joints with variables, in the order of the scene
  int* jointVariableStarts; // (variableJointCount + 1) first variable of each
  int variableJointCount;
};

// Whether two bodies with contact shapes are kept from colliding.
bool crModel_AreExcluded(const crModel* model, int bodyA, int bodyB);

#endif
