// Shell commands that tests give, and what comes of them.
#ifndef CR_TEST_COMMAND_H
#define CR_TEST_COMMAND_H

typedef struct crTestAnswer {
  int exitCode; // -1: it was killed
  char text[1 << 14];
} crTestAnswer;

extern crTestAnswer crAnswer; // to the last command

// Runs a command in the folder of the test, where $carom is the tool, $models the examples, and await waits for a file,
// half a minute at most.
void crCallCommand(const char* command);

// Runs it, and fails unless it ends with this code and says this.
void crAssertSays(const char* command, int exitCode, const char* part);

#endif
