// Reading a Lua model: what the files of the reader share.
#ifndef CR_TEXT_LUA_READER_H
#define CR_TEXT_LUA_READER_H

#include "base/report.h"
#include "text/element_list.h"
#include "text/element_reader.h"
#include "text/lua_sandbox.h"
#include "text/lua_value.h"

// One setting of crReadOptions.
typedef struct crLuaSetting {
  const crSetting* given;
  bool isRead;
} crLuaSetting;

typedef struct crLuaReader {
  crLuaSandbox sandbox;
  crScene* scene;
  crElementReader elements;
  crArena values;         // of one constructor call
  crArrayOf(char) prefix; // path of the assembly that is being made, without end; count 0 at the top
  int assemblyDepth;
  int unnamedCount;                 // elements whose name was of no use
  bool hasParameters;               // parameters{} was called
  crArrayOf(crLuaSetting) settings; // the last one of each name
  crMap settingNames;               // -> settings
  crElementList imported;           // elements of the last robot that was imported
  int importCount;
  crArrayOf(int) running; // parts of the model that include each other now
  char* partText;         // (partSize + 1) of a file that is on its way into the scene
  size_t partSize;
} crLuaReader;

crLuaReader* crLua_GetReader(lua_State* L);

// A name as a constructor got it: a single name, which becomes a path behind the assembly's, or a material's name.
typedef struct crLuaName {
  const char* path; // never NULL: something to show when the name is of no use
  bool isUsable;    // else it was reported
} crLuaName;

// Reads the name at the index and reports what is wrong with it. `word` is the constructor's.
crLuaName crLua_ReadName(lua_State* L, int index, crElementKind kind, const char* word, crReporter* reporter);

// Reports that a constructor was called with something else than it takes.
void crLua_ReportArgument(lua_State* L, crReporter* reporter, const char* message, int index, const char* allowed);

// Reports arguments behind the last one that a constructor takes.
void crLua_CheckArgumentCount(lua_State* L, crReporter* reporter, const char* word, int most);

// Adds the element, or stops the model when there is no memory left.
void crLua_AddElement(lua_State* L, crElementKind kind, const crValue* value, crSource source);

// Ends a constructor whose faults were reported: the scene remembers the name. NULL: none.
void crLua_FailElement(lua_State* L, const crReporter* reporter, const char* path);

// Starts a constructor: charges it, forgets the values of the last one.
crLuaReader* crLua_BeginElement(lua_State* L);

#define CR_MAX_POSITIONAL 3 // arguments before the table of fields
// What stands before the table of fields of a constructor. A force or torque on one object has no second one there, a
// shaft none at all.
int crLua_FindPositional(crElementKind kind, const char* type, const char* outNames[CR_MAX_POSITIONAL]);

// Register the constructors as globals.
void crLua_OpenElements(lua_State* L);
void crLua_OpenParameters(lua_State* L);
void crLua_OpenImport(lua_State* L);
void crLua_OpenInclude(lua_State* L);

// What an error of Lua has left.
void crLuaReader_FreePart(crLuaReader* reader);

// The path of the assembly that is being made; "" at the top. Of the values of the constructor that runs.
const char* crLua_GetPrefix(lua_State* L);

// Takes over the settings of the options. cr_errorMisuse: one has no name or value.
crStatus crLuaReader_InitSettings(crLuaReader* reader, const crReadOptions* options);

// Settings that no parameter took are errors of the scene.
void crLuaReader_CheckSettings(crLuaReader* reader);

#endif
