// What connects the objects of a report: joints, springs, cables, and the names of all that acts.
#include "show/report.h"

static void writeJoint(crJsonText* text, const crModel* model, int index)
{
  const crModelJoint* joint = crModel_GetJoint(model, index);
  crJsonText_BeginObject(text);
  crJsonText_KeyString(text, "path", crModel_GetJointPath(model, index));
  crJsonText_KeyString(text, "kind", crJointKind_GetText(joint->kind));
  crJsonText_KeyString(text, "objectA", crModel_GetObjectPath(model, joint->objectA));
  crJsonText_KeyString(text, "objectB", crModel_GetObjectPath(model, joint->objectB));
  if (crDot(joint->axis, joint->axis) > 0.0) {
    crPutVec3(text, "axis", joint->axis);
  }
  crJsonText_KeyBool(text, "isCut", joint->isCut);
  crJsonText_EndObject(text);
}

static void writeJoints(const crPicture* picture, crJsonText* text)
{
  crJsonText_Key(text, "joints");
  crJsonText_BeginArrayLines(text);
  for (int i = 0; i < crModel_GetSize(picture->model).jointCount; ++i) {
    if (!crModel_GetJoint(picture->model, i)->isImplicit) {
      writeJoint(text, picture->model, i);
    }
  }
  crJsonText_EndArray(text);
}

static void writeSprings(const crPicture* picture, crJsonText* text)
{
  crJsonText_Key(text, "springs");
  crJsonText_BeginArrayLines(text);
  for (int i = 0; i < crModel_GetSize(picture->model).forceCount; ++i) {
    const crModelForce* force = crModel_GetForce(picture->model, i);
    if (force->kind != cr_forceSpringDamper) {
      continue;
    }
    crJsonText_BeginObject(text);
    crJsonText_KeyString(text, "path", crModel_GetForcePath(picture->model, i));
    crJsonText_KeyString(text, "kind", crForceKind_GetText(force->kind));
    crJsonText_KeyString(text, "objectA", crModel_GetObjectPath(picture->model, force->objectA));
    crJsonText_KeyString(text, "objectB", crModel_GetObjectPath(picture->model, force->objectB));
    crJsonText_KeyNumber(text, "length", force->length);
    crJsonText_EndObject(text);
  }
  crJsonText_EndArray(text);
}

static void writeCable(crJsonText* text, const crForceDef* def)
{
  crJsonText_BeginObject(text);
  crJsonText_KeyString(text, "path", def->name);
  crJsonText_Key(text, "guides");
  crJsonText_BeginArray(text);
  crJsonText_String(text, def->objectA);
  for (int k = 0; k < def->as.cable.throughCount; ++k) {
    crJsonText_String(text, def->as.cable.through[k]);
  }
  crJsonText_String(text, def->objectB);
  crJsonText_EndArray(text);
  crJsonText_Key(text, "radii");
  crJsonText_BeginArray(text);
  crJsonText_Number(text, 0.0);
  for (int k = 0; k < def->as.cable.throughCount; ++k) {
    crJsonText_Number(text, def->as.cable.radiusCount > 0 ? def->as.cable.radii[k] : 0.0);
  }
  crJsonText_Number(text, 0.0);
  crJsonText_EndArray(text);
  crJsonText_EndObject(text);
}

static void writeCables(const crPicture* picture, crJsonText* text)
{
  crJsonText_Key(text, "cables");
  crJsonText_BeginArrayLines(text);
  for (int i = 0; i < crScene_Count(picture->scene, cr_elementForce); ++i) {
    const crForceDef* def = crScene_GetForce(picture->scene, crScene_GetId(picture->scene, cr_elementForce, i));
    if (def->kind == cr_forceCable) {
      writeCable(text, def);
    }
  }
  crJsonText_EndArray(text);
}

// ------------------------------------------------------------------------------------------- names

// All force elements, drawn or not, for the tree of the page.
static void writeForces(const crModel* model, crJsonText* text)
{
  crJsonText_Key(text, "forces");
  crJsonText_BeginArrayLines(text);
  for (int i = 0; i < crModel_GetSize(model).forceCount; ++i) {
    const crModelForce* force = crModel_GetForce(model, i);
    crJsonText_BeginObject(text);
    crJsonText_KeyString(text, "path", crModel_GetForcePath(model, i));
    crJsonText_KeyString(text, "kind", crForceKind_GetText(force->kind));
    crJsonText_KeyString(text, "objectA", crModel_GetObjectPath(model, force->objectA));
    if (force->objectB >= 0) {
      crJsonText_KeyString(text, "objectB", crModel_GetObjectPath(model, force->objectB));
    }
    crJsonText_EndObject(text);
  }
  crJsonText_EndArray(text);
}

static void writeCouplings(const crModel* model, crJsonText* text)
{
  crJsonText_Key(text, "couplings");
  crJsonText_BeginArrayLines(text);
  for (int i = 0; i < crModel_GetSize(model).couplingCount; ++i) {
    crJsonText_BeginObject(text);
    crJsonText_KeyString(text, "path", crModel_GetCouplingPath(model, i));
    crJsonText_KeyString(text, "kind", crCouplingKind_GetText(crModel_GetCoupling(model, i)->kind));
    crJsonText_EndObject(text);
  }
  crJsonText_EndArray(text);
}

void crWriteReportLinks(crReportWriting* writing)
{
  const crPicture* picture = writing->picture;
  writeJoints(picture, writing->text);
  writeSprings(picture, writing->text);
  writeCables(picture, writing->text);
  writeForces(picture->model, writing->text);
  writeCouplings(picture->model, writing->text);
}
