// What is kept of a run: numbers made of its rows and contacts while it goes on.
#ifndef CR_SWEEP_OUTPUT_H
#define CR_SWEEP_OUTPUT_H

#include "base/report.h"
#include "carom/simulate.h"
#include "sweep/call.h"

#define CR_SHOWN_NAME 256 // [bytes] of a name in a message; longer ones are cut

typedef enum crOutputKind {
  cr_outputLast,
  cr_outputMax,
  cr_outputMin,
  cr_outputMean, // of the straight lines between rows, over time
  cr_outputSeries,
  cr_outputCount, // cr_subject...
  cr_outputTime,
} crOutputKind;

typedef enum crSubject {
  cr_subjectVariable,
  cr_subjectContacts, // of two objects, or all
  cr_subjectEvents,
  cr_subjectSteps,
  cr_subjectFirstContact,
  cr_subjectLastContact,
  cr_subjectEnd,
} crSubject;

typedef struct crOutput {
  crOutputKind kind;
  crSubject subject;
  const char* variable;          // as asked for: a variable, or a vector whose components are meant
  const char *objectA, *objectB; // or NULL: any
  int samples;                   // of a series; else 1
  // found in a model:
  const char** variables; // (variableCount) names
  int variableCount;      //
  int firstVariable;      // of crOutputs
  int firstColumn;        // of the table
} crOutput;

// Reads "last(ball.position.z)" and the like.
crStatus crReadOutput(crOutput* output, const char* text, crArena* arena, crReporter* reporter);

int crOutput_CountColumns(const crOutput* output);

// Looks up the names in a model. What it has not is reported, with the nearest name.
crStatus crOutput_Find(crOutput* output, const crModel* model, crArena* arena, crReporter* reporter);

// Whether a path is that of an object, or of something in it.
bool crIsPartOf(const char* path, const char* object);

// Fills in name, unit and description of its columns.
crStatus crOutput_Describe(const crOutput* output, const crModel* model, crArena* arena, crColumn* outColumns);

// All outputs of a plan.
typedef struct crOutputs {
  crOutput* items; // (count)
  int count;       //
  int columnCount; // of the table
  const char**
      variables;     // (variableCount) all that have to be recorded: those of one output after the other; never none
  int variableCount; //
} crOutputs;

#endif
