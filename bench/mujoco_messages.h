// MuJoCo keeps its messages in a file in the current folder, MUJOCO_LOG.TXT, unless a program takes them.
#ifndef CR_BENCH_MUJOCO_MESSAGES_H
#define CR_BENCH_MUJOCO_MESSAGES_H

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>

static inline void printMujocoWarning(const char* message)
{
  fprintf(stderr, "MuJoCo: %s\n", message);
}

static inline void endOnMujocoError(const char* message)
{
  printMujocoWarning(message);
  exit(1); // MuJoCo does not expect a return
}

static inline void takeMujocoMessages(void)
{
  mju_user_warning = printMujocoWarning;
  mju_user_error = endOnMujocoError;
}

#endif
