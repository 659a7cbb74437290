// carom mesh: what a mesh is, mending it, and making convex pieces of it.
#include "base/platform.h"
#include "cli.h"
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Arguments {
  const char *act, *file, *output;
  double scale;
  crPiecesDef pieces;
  crRepairDef repair;
} Arguments;

enum {
  optionScale = 1000,
  optionError,
  optionVolumeError,
  optionLimit,
  optionWork,
  optionWeld,
  optionFill,
  optionHelp
};

// A number of at least 0; an exit code, or -1: go on.
static int readNumber(const char* option, const char* text, double* outValue)
{
  char* end;
  *outValue = strtod(text, &end);
  bool isRight = end != text && *end == '\0' && isfinite(*outValue) && *outValue >= 0.0;
  return isRight ? -1 : crUsageError("mesh", "%s takes a number of at least 0, not '%s'", option, text);
}

static int applyOption(Arguments* arguments, int option, int argc, char** argv)
{
  double number;
  int code;
  switch (option) {
    case 'o': arguments->output = optarg; return -1;
    case optionScale:
      code = readNumber("--scale", optarg, &arguments->scale);
      return code < 0 && arguments->scale == 0.0 ? crUsageError("mesh", "--scale must not be 0") : code;
    case optionError: return readNumber("--error", optarg, &arguments->pieces.error);
    case optionVolumeError: return readNumber("--volume-error", optarg, &arguments->pieces.volumeError);
    case optionLimit:
      code = readNumber("--limit", optarg, &number);
      arguments->pieces.limit = code < 0 && number <= 1e6 ? (int)number : 0;
      return code;
    case optionWork:
      code = readNumber("--work", optarg, &arguments->pieces.work);
      return code < 0 && arguments->pieces.work == 0.0 ? crUsageError("mesh", "--work must be more than 0") : code;
    case optionWeld: return readNumber("--weld", optarg, &arguments->repair.weld);
    case optionFill: return readNumber("--fill", optarg, &arguments->repair.fill);
    case optionHelp:
    case 'h': fputs(crMeshVerb.help, stdout); return CR_EXIT_OK;
    case ':': return crUsageError("mesh", "%s needs a value", argv[optind - 1]);
    default: return crUsageError("mesh", "unknown option '%s'", argv[optind - 1 < argc ? optind - 1 : argc - 1]);
  }
}

static int parse(int argc, char** argv, Arguments* arguments)
{
  static const struct option options[] = {
    { "output", required_argument, NULL, 'o' },        { "scale", required_argument, NULL, optionScale },
    { "error", required_argument, NULL, optionError }, { "volume-error", required_argument, NULL, optionVolumeError },
    { "limit", required_argument, NULL, optionLimit }, { "work", required_argument, NULL, optionWork },
    { "weld", required_argument, NULL, optionWeld },   { "fill", required_argument, NULL, optionFill },
    { "help", no_argument, NULL, optionHelp },         { 0 }
  };
  *arguments = (Arguments){ .scale = 1.0, .pieces = crDefaultPiecesDef(), .repair = crDefaultRepairDef() };
  opterr = 0;
  optind = 1;
  int option, code = -1;
  while (code < 0 && (option = getopt_long(argc, argv, ":ho:", options, NULL)) != -1) {
    code = applyOption(arguments, option, argc, argv);
  }
  if (code < 0 && argc - optind != 2) {
    code = crUsageError("mesh", argc - optind < 2 ? "what to do, and with which file?" : "one file at a time");
  }
  arguments->act = code < 0 ? argv[optind] : NULL;
  arguments->file = code < 0 ? argv[optind + 1] : NULL;
  return code;
}

// ---------------------------------------------------------------------------------------------------- acts

static void printFacts(const crMesh* mesh)
{
  crMeshFacts facts = crMesh_GetFacts(mesh);
  crVec3 a = facts.bounds.min, b = facts.bounds.max;
  printf("triangles  %d, points %d, pieces %d\n", facts.triangleCount, facts.pointCount, facts.pieceCount);
  printf("box        x %.6g ... %.6g, y %.6g ... %.6g, z %.6g ... %.6g m\n", a.x, b.x, a.y, b.y, a.z, b.z);
  printf("volume     %.9g m^3%s\n", fabs(facts.volume), facts.volume < 0.0 ? ", inside out" : "");
  printf("closed     %s", facts.isClosed ? "yes\n" : "no");
  if (!facts.isClosed) {
    printf(": %d open edges\n", facts.openEdgeCount);
  }
}

static int runInfo(const Arguments* arguments, const crMesh* mesh, const crErrorSink* sink)
{
  (void)arguments;
  printFacts(mesh);
  crShapeDef def = crDefaultShapeDef(cr_shapeMesh);
  def.as.mesh.mesh = mesh;
  crShape* shape = NULL;
  if (crCreateShape(&def, NULL, sink, &shape) == cr_ok) {
    crInertia inertia = crShape_ComputeInertia(shape, 1.0);
    crSym3 I = inertia.I_com;
    printf("centre     %.9g %.9g %.9g m\n", inertia.com.x, inertia.com.y, inertia.com.z);
    printf("inertia    xx %.6g, yy %.6g, zz %.6g, xy %.6g, xz %.6g, yz %.6g m^5, of density 1\n", I.xx, I.yy, I.zz,
           I.xy, I.xz, I.yz);
    printf("hulls      %.6g times the volume\n", crShape_GetHullRatio(shape));
  }
  crDestroyShape(shape);
  return CR_EXIT_OK;
}

static void printFault(int count, const char* what)
{
  if (count > 0) {
    printf("%-10d %s\n", count, what);
  }
}

static void printFaults(const crMeshFaults* faults)
{
  printFault(faults->shellCount, "connected parts");
  printFault(faults->weldedCount, "points too near to others");
  printFault(faults->duplicateCount, "triangles there twice");
  printFault(faults->turnedCount, "triangles against the others");
  printFault(faults->insideOutCount, "parts inside out");
  printFault(faults->openEdgeCount, "open edges");
  printFault(faults->holeCount, "holes");
  printFault(faults->crowdedEdgeCount, "edges of more than two triangles");
}

static int runCheck(const Arguments* arguments, const crMesh* mesh, const crErrorSink* sink)
{
  (void)sink;
  crMeshFaults faults;
  if (crMesh_GetFacts(mesh).pieceCount > 1 && crMesh_GetFacts(mesh).isClosed) {
    printf("%d pieces, each closed\n", crMesh_GetFacts(mesh).pieceCount);
    return CR_EXIT_OK;
  }
  if (crFindMeshFaults(mesh, &arguments->repair, NULL, &faults) != cr_ok) {
    return CR_EXIT_MODEL;
  }
  printFaults(&faults);
  for (int i = 0; i < faults.placeCount; ++i) {
    printf("           at (%.6g, %.6g, %.6g)\n", faults.places[i].x, faults.places[i].y, faults.places[i].z);
  }
  bool isRight = faults.weldedCount + faults.duplicateCount + faults.turnedCount + faults.insideOutCount +
                     faults.openEdgeCount + faults.crowdedEdgeCount ==
                 0;
  puts(isRight ? "nothing is wrong" : "carom mesh repair mends what can be mended");
  return isRight ? CR_EXIT_OK : CR_EXIT_MODEL;
}

// What comes out of an act goes into the file asked for.
static int writeMesh(const Arguments* arguments, const crMesh* mesh, const crErrorSink* sink)
{
  char note[64];
  snprintf(note, sizeof note, "carom mesh %.16s", arguments->act);
  crStatus status = crWriteObjFile(mesh, note, arguments->output, NULL, sink);
  if (status == cr_ok) {
    printf("written    ");
    crPrintName(stdout, arguments->output);
    puts("");
  }
  return status == cr_ok ? CR_EXIT_OK : CR_EXIT_MODEL;
}

static int runRepair(const Arguments* arguments, const crMesh* mesh, const crErrorSink* sink)
{
  crMesh* mended = NULL;
  crMeshFaults faults;
  if (arguments->output == NULL) {
    return crUsageError("mesh", "repair needs -o FILE");
  }
  if (crRepairMesh(mesh, &arguments->repair, NULL, sink, &mended, &faults) != cr_ok) {
    return CR_EXIT_MODEL;
  }
  puts("mended");
  printFaults(&faults);
  printFacts(mended);
  int code = writeMesh(arguments, mended, sink);
  crReleaseMesh(mended);
  return code;
}

// On a terminal how much is done; until it is interrupted.
static bool goesOn(void* context, double share, int pieceCount)
{
  const bool* isShown = context;
  if (*isShown) {
    fprintf(stderr, "\r\x1b[K  %3.0f %% of the work, %d pieces", 100.0 * share, pieceCount);
    (void)fflush(stderr);
  }
  return !crWasInterrupted();
}

static int runDecompose(const Arguments* arguments, const crMesh* mesh, const crErrorSink* sink)
{
  crMesh* pieces = NULL;
  crPiecesFacts facts;
  crPiecesDef def = arguments->pieces;
  bool isShown = isatty(fileno(stderr));
  crCatchInterrupts();
  def.goesOn = goesOn;
  def.context = &isShown;
  crStatus status = crDecomposeMesh(mesh, &def, NULL, sink, &pieces, &facts);
  if (isShown) {
    fputs("\r\x1b[K", stderr);
  }
  if (status != cr_ok) {
    return status == cr_cancelled ? CR_EXIT_INTERRUPTED : CR_EXIT_MODEL;
  }
  printf("pieces     %d\n", facts.pieceCount);
  printf("distance   %.3g m: so far they go beyond the mesh, at most\n", facts.distance);
  printf("volume     %.9g times that of the mesh\n", facts.volumeRatio);
  if (facts.isSpent) {
    fprintf(stderr, "carom: the work was spent before the error asked for was reached: --work 10 allows ten times as "
                    "much, --error a larger one\n");
  } else if (!facts.isWithin) {
    fprintf(stderr, "carom: the error asked for takes more pieces: --limit allows more, --error a larger one\n");
  }
  int code = CR_EXIT_OK;
  if (arguments->output != NULL) {
    code = writeMesh(arguments, pieces, sink);
  } else if (arguments->pieces.volumeError > 0.0 || arguments->pieces.limit > 0) {
    code = crUsageError("mesh", "pieces with a limit or a volume error need -o FILE: models ask by error alone");
  } else if (facts.isSpent && arguments->pieces.work > 0.0) {
    fputs("carom: they are not kept, since models would take them for all that can be had: -o FILE writes them\n",
          stderr);
    code = CR_EXIT_MODEL;
  } else if (crKeepPieces(arguments->file, mesh, arguments->pieces.error, pieces, NULL, sink) == cr_ok) {
    puts("kept       beside the file, for models with pieces = \"decompose\" and this error and scale");
  } else {
    code = CR_EXIT_MODEL;
  }
  crReleaseMesh(pieces);
  return code;
}

static int runHull(const Arguments* arguments, const crMesh* mesh, const crErrorSink* sink)
{
  crMesh* hull = NULL;
  if (arguments->output == NULL) {
    return crUsageError("mesh", "hull needs -o FILE");
  }
  crPiecesDef one = crDefaultPiecesDef();
  one.limit = 1;
  if (crDecomposeMesh(mesh, &one, NULL, sink, &hull, NULL) != cr_ok) {
    return CR_EXIT_MODEL;
  }
  printf("volume     %.9g times that of the mesh\n", crMesh_GetFacts(hull).volume / fabs(crMesh_GetFacts(mesh).volume));
  int code = writeMesh(arguments, hull, sink);
  crReleaseMesh(hull);
  return code;
}

typedef struct Act {
  const char* name;
  int (*run)(const Arguments* arguments, const crMesh* mesh, const crErrorSink* sink);
} Act;

static const Act acts[] = {
  { "info", runInfo },           { "check", runCheck }, { "repair", runRepair },
  { "decompose", runDecompose }, { "hull", runHull },
};

static void printMessage(void* context, const crError* error)
{
  (void)context;
  crPrintError(error);
}

static int run(int argc, char** argv)
{
  Arguments arguments;
  int code = parse(argc, argv, &arguments);
  if (code >= 0) {
    return code;
  }
  const Act* act = NULL;
  for (size_t i = 0; i < sizeof acts / sizeof *acts; ++i) {
    act = strcmp(acts[i].name, arguments.act) == 0 ? &acts[i] : act;
  }
  if (act == NULL) {
    return crUsageError("mesh", "'%s' is none of info, check, repair, decompose, hull", arguments.act);
  }
  crErrorSink sink = { printMessage, NULL };
  crMesh* mesh = NULL;
  crVec3 scale = crMakeVec3(arguments.scale, arguments.scale, arguments.scale);
  if (crReadMesh(arguments.file, scale, NULL, &sink, &mesh) != cr_ok) {
    return CR_EXIT_MODEL;
  }
  code = act->run(&arguments, mesh, &sink);
  crReleaseMesh(mesh);
  return code;
}

const crVerb crMeshVerb = {
  .name = "mesh",
  .summary = "look at a mesh, mend it, or make convex pieces of it",
  .help =
      "usage: carom mesh info FILE [--scale S]\n"
      "       carom mesh check FILE [--weld D]\n"
      "       carom mesh repair FILE -o FILE.obj [--weld D] [--fill D]\n"
      "       carom mesh decompose FILE [-o FILE.obj] [--error D | --volume-error V] [--limit N] [--work W]\n"
      "       carom mesh hull FILE -o FILE.obj\n"
      "\n"
      "Meshes are STL, OBJ or COLLADA files; what is written is OBJ, each piece an object of its own.\n"
      "\n"
      "  info       size, volume, centre and inertia\n"
      "  check      what is wrong: open edges with their places, triangles that are there twice or turned\n"
      "  repair     welds points, drops what is there twice, turns triangles, fills holes; refuses what stays open\n"
      "  decompose  convex pieces that a body can touch with. They do not overlap, and all of it is in them.\n"
      "             Without -o they are kept beside the file, where models with\n"
      "             mesh{ file = ..., pieces = \"decompose\" } find them instead of making them anew\n"
      "  hull       the convex hull of a closed mesh\n"
      "\n"
      "  -o, --output FILE   where to write\n"
      "  --scale S           factor of coordinates: 0.001 for millimetres\n"
      "  --error D           how far pieces may go beyond the mesh, in m; at least 1e-6 of its diagonal\n"
      "  --volume-error V    so much more volume than the mesh is enough, 0.01 for 1 %\n"
      "  --limit N           of pieces, 512 unless given\n"
      "  --work W            how much is done at most, 1, some half a minute, unless given; pieces are what they are\n"
      "                      then, and their distance is told\n"
      "  --weld D            points nearer than that become one, in m\n"
      "  --fill D            holes up to this size are filled, in m; a tenth of the diagonal unless given\n"
      "\n"
      "Exit codes: 0 ok, 1 something is wrong with the mesh, 2 wrong usage, 130 interrupted.\n"
      "\n"
      "example: carom mesh decompose part.stl --scale 0.001 -o part.obj\n",
  .run = run,
};
