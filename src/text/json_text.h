// Emits JSON text: brackets, commas, line breaks, escaped strings and round-trip numbers.
//
// Jansson's dumper prints numbers with a fixed number of digits and either everything on one line or every
// number on its own. Canonical models need the shortest number that reads back as the same bits, and one element
// a line, so the text is emitted here; Jansson only reads.
#ifndef CR_TEXT_JSON_TEXT_H
#define CR_TEXT_JSON_TEXT_H

#include "base/friend.h"
#include "carom/model.h"

#define CR_JSON_BUFFER 4096 // [bytes] collected before they go to the writer

// Begin and End must match; inside an object every value follows its Key.
typedef struct crJsonText {
  crTextWriter writer; // write NULL: a dry run
  int depth;           // brackets open
  uint64_t lines;      // bit d: the bracket at depth d puts each member on a line of its own
  bool isFirst;        // nothing stands in the innermost bracket yet
  bool isAfterKey;
  size_t used;
  char buffer[CR_JSON_BUFFER];
} crJsonText;

#define CR_JSON_MAX_DEPTH 60 // models and schemas stay below 20

CR_FRIEND void crJsonText_Init(crJsonText* text, crTextWriter writer);
CR_FRIEND void crJsonText_Finish(crJsonText* text); // ends the last line and hands over what is left

CR_FRIEND void crJsonText_BeginObject(crJsonText* text); // on one line
CR_FRIEND void crJsonText_BeginArray(crJsonText* text);
CR_FRIEND void crJsonText_BeginObjectLines(crJsonText* text); // a line for each member
CR_FRIEND void crJsonText_BeginArrayLines(crJsonText* text);
CR_FRIEND void crJsonText_EndObject(crJsonText* text);
CR_FRIEND void crJsonText_EndArray(crJsonText* text);

CR_FRIEND void crJsonText_Key(crJsonText* text, const char* key);
CR_FRIEND void crJsonText_String(crJsonText* text, const char* string); // valid UTF-8
CR_FRIEND void crJsonText_Number(crJsonText* text, double number);      // finite
CR_FRIEND void crJsonText_Bool(crJsonText* text, bool flag);
CR_FRIEND void crJsonText_Null(crJsonText* text);

// A key and its value in one call.
CR_FRIEND void crJsonText_KeyString(crJsonText* text, const char* key, const char* string);
CR_FRIEND void crJsonText_KeyNumber(crJsonText* text, const char* key, double number);
CR_FRIEND void crJsonText_KeyBool(crJsonText* text, const char* key, bool flag);

#endif
