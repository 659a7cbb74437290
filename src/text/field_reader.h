// Fields of elements from values: what has a value of its own, from a number to a mesh. Shapes and features, which are
// records again, are read in element_reader.c.
#ifndef CR_TEXT_FIELD_READER_H
#define CR_TEXT_FIELD_READER_H

#include "scene/field.h"
#include "text/element_reader.h"

#define CR_FIELD_PATH_SIZE 160 // [bytes] "solid2.shape.points[17]"; longer ones are cut

// What is being read: for messages and for the kinds that decide how many numbers a field has.
typedef struct crReading {
  crElementReader* reader;
  crReporter* reporter;
  int qCount, vCount; // of a joint
  char where[CR_FIELD_PATH_SIZE];
  crStatus status; // cr_errorMemory or cr_errorFile when that was the trouble
} crReading;

// "WHERE.FIELD MESSAGE"; the message begins with a blank.
void crReading_Complain(crReading* reading, const char* field, const char* message, const char* found,
                        const char* allowed, const char* unit);
void crReading_ComplainType(crReading* reading, const crField* field, const crValue* value, const char* allowed);
void crReading_RunOutOfMemory(crReading* reading);

// Applies what scene/field.h says of zeros to a member that was just read.
void crReading_ApplyZeroRule(crReading* reading, const crField* field, void* member);

// Reports stops or limits that a model gives as 0 and 0, which in a def means none.
void crReading_CheckStops(crReading* reading, const crJointDef* def);
void crReading_CheckLimits(crReading* reading, const crSignalDef* def);

// Reads a field of `table` into its member of def; faults are reported. False: the field is a record or a list of them.
bool crReading_ReadField(crReading* reading, const crField* field, const crValue* value, const crValue* table,
                         void* def);

#endif
