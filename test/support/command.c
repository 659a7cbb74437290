// Shell commands that tests give, and what comes of them.
#include "support/command.h"

#include "support/folder.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

crTestAnswer crAnswer;

void crCallCommand(const char* command)
{
  char whole[4096];
  snprintf(
      whole, sizeof whole,
      "cd '%s' && carom='%s' && models='%s/examples' && "
      "await() { for i in $(seq 3000); do test -s \"$1\" && return; sleep 0.01; done; } && "
      "leave() { for n in $(seq 20); do rm -rf left.run; $carom run \"$@\" --checkpoint 0 --out left.run & run=$!; "
      "for i in $(seq 3000); do test -s left.run/checkpoint.2 -o -s left.run/run.json && break; sleep 0.01; done; "
      "kill -9 $run; wait $run; test -s left.run/checkpoint.2 && return; done; } && { %s; } 2>&1",
      crTestPath(""), CAROM_TOOL, CAROM_ROOT, command);
  FILE* pipe = popen(whole, "r");
  assert_non_null(pipe);
  size_t size = fread(crAnswer.text, 1, sizeof crAnswer.text - 1, pipe);
  crAnswer.text[size] = '\0';
  int status = pclose(pipe);
  crAnswer.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void crAssertSays(const char* command, int exitCode, const char* part)
{
  crCallCommand(command);
  if (crAnswer.exitCode != exitCode || strstr(crAnswer.text, part) == NULL) {
    print_error("%s: exit %d, expected %d and '%s' in:\n%s\n", command, crAnswer.exitCode, exitCode, part,
                crAnswer.text);
    fail();
  }
}
