// The C library of another machine: glibc is told not to see the processor's fused multiply-add, whereupon its sin,
// exp, pow, ... give other bits (two million arguments of each differed somewhere). Runs must not.
#include "support/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OTHER "GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2"

// Runs the tool with these settings before it, and gives the rows of the result as text.
static char* runTool(const char* settings, const char* arguments, const char* name, size_t* outSize)
{
  char command[4096];
  const char* folder = crTestPath(name);
  snprintf(command, sizeof command,
           "cd '%s' && %s '%s' run %s --quiet --no-report --out '%s' && '%s' convert '%s/result.h5' '%s/rows.csv'",
           CAROM_ROOT, settings, CAROM_TOOL, arguments, folder, CAROM_TOOL, folder, folder);
  if (system(command) != 0) {
    fail_msg("%s", command);
  }
  char path[1024];
  snprintf(path, sizeof path, "%s/rows.csv", folder);
  return crReadTestFile(path, outSize);
}

static void assertSameRows(const char* arguments)
{
  size_t size, otherSize;
  char* rows = runTool("env", arguments, "here", &size);
  char* other = runTool("env " OTHER, arguments, "there", &otherSize);
  if (size != otherSize || memcmp(rows, other, size) != 0) {
    fail_msg("%s gives other bits", arguments);
  }
  free(rows);
  free(other);
}

static void examples_give_the_same_bits(void** state)
{
  (void)state;
  static const char* const runs[] = {
    "examples/two_balls.lua",
    "examples/cushion.lua --stop 1",
    "examples/rattleback.lua --stop 0.3",
    "examples/bouncing_box.lua --stop 1",
    "examples/servo_arm.lua --stop 2 --solver dopri5",
    "examples/double_pendulum.lua --stop 3 --solver dopri5",
    "examples/double_pendulum.lua --stop 3 --solver radau5",
    "examples/mobile.lua --stop 1 --solver dopri5",
    "examples/four_bar.lua --stop 2 --solver dopri5",
    "examples/stewart.lua --stop 1 --solver dopri5",
  };
  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    assertSameRows(runs[i]);
  }
}

// Every function of math and ^, in the model and in a function, many times over; what is added up are last bits.
static void numbers_of_lua_give_the_same_bits(void** state)
{
  (void)state;
  static const char text[] =
      "local w = world('w')\n"
      "local sum = 0\n"
      "local function add(value) sum = sum + (value * 1099511627776.0) % 1 end\n"
      "for i = 1, 20000 do\n"
      "  local x = i * 1.37e-4\n"
      "  add(math.sin(x)) add(math.cos(x)) add(math.tan(x)) add(math.asin(x / 3)) add(math.acos(x / 3))\n"
      "  add(math.atan(x)) add(math.atan(x, -2)) add(math.exp(-x)) add(math.log(x)) add(math.log(x, 2))\n"
      "  add(math.log(x, 10)) add(math.log(x, 3)) add(x ^ 1.3) add(x ^ -x)\n"
      "end\n"
      "constant('sum', { value = sum })\n"
      "userFunction('f', { inputs = { s = 'sum' }, code = [[\n"
      "  local sum = s\n"
      "  for i = 1, 1000 do\n"
      "    local x = 0.1 + time + 0.01 * i\n"
      "    sum = sum + (x ^ 2.7 * 1099511627776.0) % 1 + (math.sin(x) * 1099511627776.0) % 1\n"
      "  end\n"
      "  return sum ]] })\n"
      "object('body', { free = true, mass{ mass = 1, inertia = { 1, 1, 1 } } })\n";
  const char* path = crTestPath("numbers.lua");
  char arguments[1200];
  crWriteTestFile(path, text, sizeof text - 1);
  snprintf(arguments, sizeof arguments, "'%s' --stop 1 --solver dopri5", path);
  assertSameRows(arguments);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(examples_give_the_same_bits),
    cmocka_unit_test(numbers_of_lua_give_the_same_bits),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
