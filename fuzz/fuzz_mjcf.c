// Any bytes as a robot, from seeds in MJCF.
#include "robot_check.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  checkRobot(data, size);
  return 0;
}
