// The reference of all elements as Markdown tables, from the records of scene/field.h.
#include "carom/io.h"
#include "scene/field.h"

#include <stdio.h>
#include <string.h>

static void put(crTextWriter writer, const char* text)
{
  writer.write(writer.context, text, strlen(text));
}

static const char* describeType(const crField* field)
{
  switch (field->type) {
    case cr_fieldNumber: return "number";
    case cr_fieldInteger:
    case cr_fieldBits:
    case cr_fieldMask: return "whole number";
    case cr_fieldBool:
    case cr_fieldNot:
    case cr_fieldCollision: return "true or false";
    case cr_fieldString: return "string";
    case cr_fieldPath: return "object or path";
    case cr_fieldMaterial: return "material or name";
    case cr_fieldEnum: return "one of its words";
    case cr_fieldVec3: return "{x, y, z}";
    case cr_fieldAxis: return "{x, y, z} or \"x\", \"-y\", …";
    case cr_fieldScale: return "number or {x, y, z}";
    case cr_fieldRotation: return "rotation";
    case cr_fieldColor: return "colour";
    case cr_fieldSym3: return "inertia";
    case cr_fieldPoints: return "list of {x, y, z}";
    case cr_fieldTable: return "list of {x, y}";
    case cr_fieldProfile:
      return "list of {x, y}, with one of arc = radius, through = {x, y}, involute = radius, spline = true; tangent = "
             "{x, y}";
    case cr_fieldMesh:
    case cr_fieldFmu:
    case cr_fieldPicture: return "file name";
    case cr_fieldHeights: return "list of rows of numbers";
    case cr_fieldShape: return "shape";
    case cr_fieldGravity: return "gravity";
    case cr_fieldFeatures: return "list of features";
    case cr_fieldParameters: return "table";
    case cr_fieldCoordinates:
    case cr_fieldRates:
    case cr_fieldEach: return "number or list";
    case cr_fieldNumbers: return "list of numbers";
    case cr_fieldJoint: return "joint or path";
    case cr_fieldCoupling: return "coupling or path";
    case cr_fieldSignal: return "signal or path";
    case cr_fieldPaths: return "list of objects";
    case cr_fieldSignals: return "list of signals";
    case cr_fieldStrings: return "list of strings";
    case cr_fieldArguments: return "{name = signal, …}";
    case cr_fieldNamed: return "{name = number, …}";
    case cr_fieldFlags: return "true, false or list";
  }
  return "";
}

static void writeField(crTextWriter writer, const crField* field)
{
  char row[512];
  snprintf(row, sizeof row, "| `%s` | %s | %s | %s%s |\n", field->name, describeType(field),
           field->unit != NULL ? field->unit : "", field->about, field->isRequired ? " (required)" : "");
  put(writer, row);
}

static void writeRecord(crTextWriter writer, const crRecord* record)
{
  put(writer, "\n### ");
  put(writer, record->type);
  put(writer, "\n\n");
  put(writer, record->about);
  put(writer, "\n");
  if (record->fieldCount > 0) {
    put(writer, "\n| field | value | unit | meaning |\n|---|---|---|---|\n");
  }
  for (int i = 0; i < record->fieldCount; ++i) {
    writeField(writer, &record->fields[i]);
  }
}

crStatus crWriteReference(crTextWriter writer)
{
  static const crElementKind elements[] = { cr_elementObject,         cr_elementSolidMaterial, cr_elementContactPair,
                                            cr_elementVisualMaterial, cr_elementExclusion,     cr_elementAction,
                                            cr_elementAssembly };
  if (writer.write == NULL) {
    return cr_errorMisuse;
  }
  put(writer, "# Reference of elements\n\nWritten by `make docs` from the same records that the Lua and JSON readers "
              "use. How to put them together: [modelling.md](modelling.md).\n");
  put(writer, "\n## Scene\n");
  writeRecord(writer, crGetSceneRecord());
  put(writer, "\n## Elements\n");
  for (size_t i = 0; i < sizeof elements / sizeof *elements; ++i) {
    writeRecord(writer, crGetElementRecord(elements[i]));
  }
  put(writer, "\n## Features\n");
  for (int kind = 0; kind < cr_featureKindCount; ++kind) {
    writeRecord(writer, crGetFeatureRecord((crFeatureKind)kind));
  }
  put(writer, "\n## Shapes\n");
  for (int kind = 1; kind < cr_shapeKindCount; ++kind) {
    writeRecord(writer, crGetShapeRecord((crShapeKind)kind));
  }
  put(writer, "\n## Joints\n");
  for (int form = 0; form < cr_jointFormCount; ++form) {
    writeRecord(writer, crGetJointRecord(form));
  }
  put(writer, "\n## Forces\n");
  for (int kind = 0; kind < cr_forceKindCount; ++kind) {
    writeRecord(writer, crGetForceRecord((crForceKind)kind));
  }
  put(writer, "\n## Couplings\n");
  for (int kind = 0; kind < cr_couplingKindCount; ++kind) {
    writeRecord(writer, crGetCouplingRecord((crCouplingKind)kind));
  }
  put(writer, "\n## Signals\n");
  for (int kind = 0; kind < cr_signalKindCount; ++kind) {
    writeRecord(writer, crGetSignalRecord((crSignalKind)kind));
  }
  return cr_ok;
}
