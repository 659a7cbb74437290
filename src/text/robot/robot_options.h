// What import() in Lua and the settings of a robot's file may say, by name.
#ifndef CR_TEXT_ROBOT_ROBOT_OPTIONS_H
#define CR_TEXT_ROBOT_ROBOT_OPTIONS_H

#include "text/robot/robot.h"

crRobotOptions crDefaultRobotOptions(void);

// Reads the fields of a table; faults are reported. Strings stay those of the table.
void crRobotOptions_Read(crRobotOptions* options, const crValue* table, crReporter* reporter);

// The same from settings, whose values are texts. They become part of the arena. false: out of memory.
bool crRobotOptions_ReadSettings(crRobotOptions* options, const crSetting* settings, int count, crArena* arena,
                                 crReporter* reporter);

#endif
