// Shell commands that tests give, and what comes of them.
#ifndef CR_TEST_COMMAND_H
#define CR_TEST_COMMAND_H

typedef struct crTestAnswer {
  int exitCode; // -1: it was killed
  char text[1 << 14];
} crTestAnswer;

extern crTestAnswer crAnswer; // to the last command

// Runs a command in the folder of the test, where $carom is the tool, $models the examples, await waits for a file,
// half a minute at most, and leave breaks a run off when it has written two checkpoints: into left.run, as a kill
// leaves it. On a busy machine a short run may be over before that is seen; then it is run once more.
void crCallCommand(const char* command);

// Runs it, and fails unless it ends with this code and says this.
void crAssertSays(const char* command, int exitCode, const char* part);

#endif
