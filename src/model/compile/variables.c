// Pass 9, variables: everything that can be recorded, counted but not spelled out.
//
// Objects in the order of the scene have CR_OBJECT_VARIABLES each; joints with coordinates follow in the
// order of the scene with their coordinates and rates, the force of a drive, and bristles; then signals with their
// value and states; then the forces of couplings and how far they give way; then those of cables; then the energies of
// the whole. Names are formed when they are asked for (model.c): 1e5 objects would need 1.3e6 strings. A free object's
// motion is that of the object, so an implicit joint has no variables of its own.
#include "model/compile/compile.h"

static int countBristles(const crCompilation* c, int joint)
{
  return c->bristleStarts[joint + 1] - c->bristleStarts[joint];
}

crStatus crListVariables(crCompilation* c)
{
  if (!crNew(c, c->variableJoints, c->jointCount) || !crNew(c, c->jointVariableStarts, c->jointCount + 1) ||
      !crNew(c, c->signalVariableStarts, c->signalCount + 1)) {
    return cr_errorMemory;
  }
  int64_t count = (int64_t)CR_OBJECT_VARIABLES * c->objectCount;
  for (int i = 0; i < c->jointCount && count <= INT32_MAX; ++i) {
    if (c->modelJoints[i] == CR_NONE) {
      continue;
    }
    const crJointType* type = crGetJointType(c->jointDefs[i]->kind);
    c->jointVariableStarts[c->variableJointCount] = (int)count;
    c->variableJoints[c->variableJointCount++] = c->modelJoints[i];
    count +=
        type->qCount + type->vCount + crHasDrive(&c->joints[c->modelJoints[i]]) + countBristles(c, c->modelJoints[i]);
  }
  if (count > INT32_MAX) {
    return cr_errorLimit;
  }
  c->jointVariableStarts[c->variableJointCount] = (int)count;
  for (int i = 0; i < c->signalCount && count <= INT32_MAX; ++i) {
    c->signalVariableStarts[i] = (int)count;
    count += crCountSignalVariables(&c->signals[i]);
  }
  int others = crCountCouplingVariables(c->couplingCount, c->rigidCount);
  for (int i = 0; i < c->forceCount; ++i) {
    others += c->forceDefs[i]->kind == cr_forceCable ? CR_CABLE_VARIABLES : 0;
  }
  if (count + others > INT32_MAX - CR_ENERGY_VARIABLES) {
    return cr_errorLimit;
  }
  c->signalVariableStarts[c->signalCount] = (int)count;
  c->variableCount = (int)count + others + CR_ENERGY_VARIABLES;
  return cr_ok;
}

// --------------------------------------------------------------------------------------------- dump

static void dumpJointVariable(crDump* dump, int variable, const char* path, const char* name, const char* unit,
                              int state)
{
  crDump_Print(dump, "  %6d  %s.%s [%s]", variable, path, name, unit);
  if (state >= 0) {
    crDump_Print(dump, "  state %d", state);
  }
  crDump_Print(dump, "\n");
}

static void dumpObjects(const crCompilation* c, crDump* dump)
{
  crDump_Print(dump, "objects %d: position.x y z, orientation.w x y z, velocity.x y z, angularVelocity.x y z\n",
               c->objectCount);
  for (int i = 0; i < c->objectCount; ++i) {
    const crModelObject* object = &c->objects[c->modelIndex[i]];
    int joint = c->bodies[object->body].joint;
    crDump_Print(dump, "  %6d  %s", CR_OBJECT_VARIABLES * i, crNameOfObject(c, c->modelIndex[i]));
    if (joint >= 0 && c->joints[joint].isImplicit && c->joints[joint].sceneIndex == i) {
      crDump_Print(dump, "  states from %d and %d", c->joints[joint].qStart, c->joints[joint].vStart);
    }
    crDump_Print(dump, "\n");
  }
}

void crDumpVariables(const crCompilation* c, crDump* dump)
{
  crDump_Print(dump, "variables %d\n", c->variableCount);
  dumpObjects(c, dump);
  crDump_Print(dump, "joints %d\n", c->variableJointCount);
  for (int i = 0; i < c->variableJointCount; ++i) {
    const crModelJoint* joint = &c->joints[c->variableJoints[i]];
    const crJointType* type = crGetJointType(joint->kind);
    int variable = c->jointVariableStarts[i];
    for (int k = 0; k < type->qCount; ++k) {
      dumpJointVariable(dump, variable++, crNameOfJoint(c, joint), type->coordinateNames[k], type->coordinateUnits[k],
                        joint->isCut || joint->motion >= 0 ? CR_NONE : joint->qStart + k);
    }
    for (int k = 0; k < type->vCount; ++k) {
      dumpJointVariable(dump, variable++, crNameOfJoint(c, joint), type->rateNames[k], type->rateUnits[k],
                        joint->isCut || joint->motion >= 0 ? CR_NONE : joint->vStart + k);
    }
    if (crHasDrive(joint)) {
      dumpJointVariable(dump, variable++, crNameOfJoint(c, joint), crDriveName(joint), crDriveUnit(joint), CR_NONE);
    }
    for (int k = c->bristleStarts[c->variableJoints[i]]; k < c->bristleStarts[c->variableJoints[i] + 1]; ++k) {
      int index = c->bristles[k].index;
      dumpJointVariable(dump, variable++, crNameOfJoint(c, joint), type->bristleNames[index],
                        type->coordinateUnits[index], c->bristles[k].state);
    }
  }
  crDump_Print(dump, "signals %d\n", c->signalCount);
  for (int i = 0; i < c->signalCount; ++i) {
    int states = crCountSignalVariables(&c->signals[i]) - 1;
    crDump_Print(dump, "  %6d  %s.%s", c->signalVariableStarts[i], c->signalDefs[i]->name, CR_SIGNAL_SUFFIX);
    crDump_Print(dump, states > 0 ? " and %d states\n" : "\n", states);
  }
  crDump_Print(dump, "couplings %d\n", c->couplingCount);
  for (int i = 0; i < c->couplingCount; ++i) {
    crDump_Print(dump, "  %6d  %s.force%s\n",
                 c->signalVariableStarts[c->signalCount] + i + (i > c->rigidCount ? i - c->rigidCount : 0),
                 c->couplingDefs[c->couplingOrder[i]]->name,
                 i < c->rigidCount                                                ? ""
                 : c->couplingDefs[c->couplingOrder[i]]->kind == cr_couplingMotor ? ", current"
                                                                                  : ", deflection");
  }
  for (int i = 0, variable = c->signalVariableStarts[c->signalCount] +
                             crCountCouplingVariables(c->couplingCount, c->rigidCount);
       i < c->forceCount; ++i) {
    if (c->forceDefs[i]->kind == cr_forceCable) {
      crDump_Print(dump, "  %6d  %s.tension, length, energy\n", variable, c->forceDefs[i]->name);
      variable += CR_CABLE_VARIABLES;
    }
  }
  crDump_Print(dump, "energies %d\n", CR_ENERGY_VARIABLES);
  for (int i = 0; i < CR_ENERGY_VARIABLES; ++i) {
    crDump_Print(dump, "  %6d  %s.%s [J]\n", c->variableCount - CR_ENERGY_VARIABLES + i, CR_ENERGY_PATH,
                 crGetEnergyName((crEnergyVariable)i));
  }
}
