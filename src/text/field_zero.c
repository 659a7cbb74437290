// What 0 means in a model as text. In a def it may stand for "not given" (scene/field.h), but who writes a zero means
// one: it is refused where it makes no sense, and kept apart as CR_ZERO where it does.
#include "text/field_reader.h"

#include <stdio.h>

static bool isZero(const double* values, int count)
{
  int i = 0;
  while (i < count && values[i] == 0.0) {
    ++i;
  }
  return i == count;
}

static void refuseNumbers(crReading* reading, const crField* field, const double* values, int count)
{
  for (int i = 0; i < count; ++i) {
    if (values[i] == 0.0) {
      crReading_Complain(reading, field->name, " must be positive", "0", "> 0", field->unit);
      return;
    }
  }
}

// The coordinates of joints with a quaternion end with it.
static void refuseQuaternion(crReading* reading, const double* start)
{
  if (reading->qCount > reading->vCount && isZero(start + reading->qCount - 4, 4)) {
    crReading_Complain(reading, "", "the start orientation has no length", "0", "> 0", NULL);
  }
}

static void refuseZero(crReading* reading, const crField* field, const void* member)
{
  switch (field->type) {
    case cr_fieldNumber: refuseNumbers(reading, field, member, 1); break;
    case cr_fieldRates:
    case cr_fieldEach: refuseNumbers(reading, field, member, reading->vCount); break;
    case cr_fieldCoordinates: refuseQuaternion(reading, member); break;
    case cr_fieldInteger:
    case cr_fieldBits:
      if (*(const uint32_t*)member == 0) {
        crReading_Complain(reading, field->name, " must be positive", "0", "> 0", field->unit);
      }
      break;
    case cr_fieldAxis:
      if (isZero(member, 3)) {
        crReading_Complain(reading, field->name, " has no direction", "0", "a vector of finite, non-zero length", NULL);
      }
      break;
    case cr_fieldScale:
      if (isZero(member, 3)) {
        crReading_Complain(reading, field->name, " must not be zero", "0", "no part zero", NULL);
      }
      break;
    case cr_fieldRotation:
      if (isZero(member, 4)) {
        crReading_Complain(reading, field->name, " is not a quaternion of finite, non-zero length", "0", "> 0", NULL);
      }
      break;
    default: break;
  }
}

static void keepZero(const crReading* reading, const crField* field, double* values)
{
  if (field->type == cr_fieldColor && isZero(values, 4)) {
    values[3] = CR_ZERO;
  }
  int count = field->type == cr_fieldNumber ? 1 : field->type == cr_fieldEach ? reading->vCount : 0;
  for (int i = 0; i < count; ++i) {
    values[i] = values[i] == 0.0 ? CR_ZERO : values[i];
  }
}

void crReading_ApplyZeroRule(crReading* reading, const crField* field, void* member)
{
  if (field->zero == cr_zeroRefused) {
    refuseZero(reading, field, member);
  } else if (field->zero == cr_zeroKept) {
    keepZero(reading, field, member);
  }
}

static void refuseRange(crReading* reading, const char* message, double min, double max)
{
  if (min == 0.0 && max == 0.0) {
    crReading_Complain(reading, "", message, "0", "< 0", NULL);
  }
}

void crReading_CheckStops(crReading* reading, const crJointDef* def)
{
  for (int i = 0; i < reading->vCount; ++i) {
    refuseRange(reading, "stopMin is not below stopMax", def->law.stopMin[i], def->law.stopMax[i]);
  }
}

void crReading_CheckLimits(crReading* reading, const crSignalDef* def)
{
  if (def->kind == cr_signalLimit) {
    refuseRange(reading, "min is not below max", def->as.limit.min, def->as.limit.max);
  } else if (def->kind == cr_signalPid) {
    refuseRange(reading, "min is not below max", def->as.pid.min, def->as.pid.max);
  }
}
