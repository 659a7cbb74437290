// Colliders for hosts that cannot look at a status when they create something.
#include "carom/io.h"
#include "external/collider.h"

crStatus crCollider_ReadMesh(crCollider* collider, int stlIndex, const char* file)
{
  if (collider == NULL || file == NULL || stlIndex <= 0) {
    return cr_errorMisuse;
  }
  crMesh* mesh = NULL;
  crErrorSink sink = crCollider_Sink(collider);
  crStatus status = crReadMesh(file, crMakeVec3(1.0, 1.0, 1.0), &collider->allocator, &sink, &mesh);
  status = status == cr_ok ? crCollider_AddMesh(collider, stlIndex, mesh) : status;
  crReleaseMesh(mesh);
  return status;
}

// Everything with the values of a good collider, so that it can be created; what was given is checked afterwards.
crCollider* crOpenCollider(double stiffness, double cor, double muK, double muR, const int* stlIndices,
                           const char* const* stlFiles, int stlCount)
{
  crColliderDef def = crDefaultColliderDef();
  crCollider* collider;
  if (crCreateCollider(&def, NULL, NULL, &collider) != cr_ok) {
    return NULL;
  }
  def.stiffness = stiffness != 0.0 ? stiffness : CR_ZERO; // a tool that gives 0 does not ask for a default
  def.cor = cor != 0.0 ? cor : CR_ZERO;
  def.muK = muK != 0.0 ? muK : CR_ZERO;
  def.muR = muR != 0.0 ? muR : CR_ZERO;
  collider->openStatus = crCollider_SetDef(collider, &def);
  for (int i = 0; i < stlCount && collider->openStatus == cr_ok; ++i) {
    collider->openStatus = crCollider_ReadMesh(collider, stlIndices[i], stlFiles[i]);
  }
  return collider;
}
