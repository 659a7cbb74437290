// carom new: a first model, to be run and changed.
#include "base/platform.h"
#include "cli.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

static const char first[] =
    "-- A pendulum that swings against a ball on a table.\n"
    "--\n"
    "--   carom check --watch this.lua   tells what is wrong with it, again after each change\n"
    "--   carom run this.lua             simulates it; open report.html of the folder in a browser\n"
    "--   carom run this.lua --set angle=1.2\n"
    "--\n"
    "-- Lengths are metres, angles radians, z points up.\n"
    "\n"
    "local p = parameters{\n"
    "  angle = 0.9,   -- [rad] of the pendulum at the start\n"
    "  length = 0.5,  -- [m] of its rod\n"
    "}\n"
    "\n"
    "scene{ stopTime = 3, interval = 0.01 }\n"
    "contactPair(\"Steel\", \"DryWood\", { cor = 0.7, muK = 0.3, muR = 0.001 })\n"
    "\n"
    "-- The world: a table whose surface is z = 0.\n"
    "local table = world(\"table\", {\n"
    "  solid{ shape = halfSpace{}, contact = \"DryWood\" },\n"
    "  visual{ shape = grid{ width = 3, length = 1, spacing = 0.1 } },\n"
    "})\n"
    "\n"
    "-- The pendulum: its frame is in the hinge above the table, rod and bob hang from there.\n"
    "local pivot = object(\"pivot\", { parent = table, position = { 0, 0, p.length + 0.06 } })\n"
    "local pendulum = object(\"pendulum\")\n"
    "object(\"rod\", {\n"
    "  parent = pendulum, position = { 0, 0, -p.length / 2 },\n"
    "  solid{ shape = cylinder{ radius = 0.005, length = p.length }, material = \"Aluminium\", visual = \"Silver\" },\n"
    "})\n"
    "object(\"bob\", {\n"
    "  parent = pendulum, position = { 0, 0, -p.length },\n"
    "  solid{ shape = sphere{ radius = 0.05 }, material = \"Steel\", contact = \"Steel\", visual = \"SteelBlue\" },\n"
    "})\n"
    "revolute(\"hinge\", pivot, pendulum, { axis = \"y\", start = p.angle })\n"
    "\n"
    "-- The ball that it meets: free to move, at rest on the table.\n"
    "object(\"ball\", {\n"
    "  free = true, position = { 0.1, 0, 0.05 }, start = \"rest\",\n"
    "  solid{ shape = sphere{ radius = 0.05 }, material = \"Steel\", contact = \"Steel\", visual = \"OrangeRed\" },\n"
    "})\n";

static bool endsInLua(const char* path)
{
  size_t length = strlen(path);
  return length > 4 && strcasecmp(path + length - 4, ".lua") == 0;
}

static int complain(const char* path, int error)
{
  fputs("carom: ", stderr);
  crPrintName(stderr, path);
  if (error == EEXIST) {
    fputs(" is there already, and nothing was written\n", stderr);
  } else {
    fprintf(stderr, " cannot be written: %s\n", strerror(error));
  }
  return CR_EXIT_MODEL;
}

static int run(int argc, char** argv)
{
  if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
    fputs(crNewVerb.help, stdout);
    return CR_EXIT_OK;
  }
  const char* path = argc > 1 ? argv[1] : NULL;
  if (path == NULL) {
    return crUsageError("new", "the name of the new model is missing");
  }
  if (path[0] == '-') {
    return crUsageError("new", "unknown option '%s'", path);
  }
  if (argc > 2) {
    return crUsageError("new", "one argument too many: '%s'", argv[2]);
  }
  if (!endsInLua(path)) {
    return crUsageError("new", "the new model is a Lua file, whose name ends in .lua, not '%s'", path);
  }
  int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (descriptor < 0) {
    return complain(path, errno);
  }
  size_t size = sizeof first - 1;
  ssize_t written = write(descriptor, first, size);
  int error = written == (ssize_t)size ? 0 : written < 0 ? errno : ENOSPC;
  error = close(descriptor) != 0 && error == 0 ? errno : error;
  if (error != 0) {
    (void)unlink(path); // it was not there before
    return complain(path, error);
  }
  crPrintName(stdout, path);
  printf(": a pendulum and a ball. Next:\n  carom run ");
  crPrintName(stdout, path);
  printf("\n");
  return CR_EXIT_OK;
}

const crVerb crNewVerb = {
  .name = "new",
  .summary = "write a first model, to be run and changed",
  .help = "usage: carom new MODEL.lua\n"
          "\n"
          "Writes a small model with parameters, a joint and a contact. A file that is there already\n"
          "stays as it is.\n"
          "\n"
          "Exit codes: 0 ok, 1 the file is there already or cannot be written, 2 wrong usage.\n"
          "\n"
          "example: carom new first.lua\n",
  .run = run,
};
