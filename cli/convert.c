// carom convert and carom schema: models as JSON, results as tables.
#include "cli.h"
#include "result.h"

#include <string.h>

// The folder of a file, "." for none. Returns false when it does not fit.
static bool findFolder(const char* path, char* buffer, size_t size)
{
  const char* slash = strrchr(path, '/');
  size_t length = slash == path ? 1 : slash != NULL ? (size_t)(slash - path) : 0;
  if (length + 2 > size) {
    return false;
  }
  snprintf(buffer, size, "%.*s", length > 0 ? (int)length : 1, length > 0 ? path : ".");
  return true;
}

// The robot is read a second time: most of what is told of it was told already.
static void forwardNews(void* context, const crError* error)
{
  const crLoaded* loaded = context;
  bool isNew = true;
  for (int i = 0; i < crErrorLog_Count(loaded->log) && isNew; ++i) {
    isNew = strcmp(crErrorLog_Get(loaded->log, i)->message, error->message) != 0;
  }
  if (isNew) {
    loaded->sink.report(loaded->sink.context, error);
  }
}

static crStatus writeLua(const crModelArguments* arguments, crLoaded* loaded)
{
  crReadOptions options = crDefaultReadOptions();
  options.settings = arguments->settings;
  options.settingCount = arguments->settingCount;
  crErrorSink sink = { forwardNews, loaded };
  return crWriteRobotLuaFile(arguments->files[0], &options, arguments->files[1], NULL, &sink);
}

static crStatus writeScene(const crModelArguments* arguments, crLoaded* loaded)
{
  const char* target = arguments->files[1];
  char folder[4096];
  if (crEndsWith(target, ".lua")) {
    return writeLua(arguments, loaded);
  }
  if (strcmp(target, "-") == 0) {
    return crWriteJson(loaded->scene, NULL, &loaded->sink, crMakeStreamWriter(stdout));
  }
  if (!findFolder(arguments->files[0], folder, sizeof folder)) {
    fprintf(stderr, "carom: the model's folder has too long a name\n");
    return cr_errorFile;
  }
  return crWriteJsonFile(loaded->scene, target, folder, NULL, &loaded->sink);
}

static int convertResult(const crModelArguments* arguments)
{
  if (arguments->settingCount > 0) {
    return crUsageError("convert", "--set is for models, not for results");
  }
  if (arguments->isContacts && arguments->isSamples) {
    return crUsageError("convert", "--contacts and --samples are two tables: ask for one");
  }
  crResultTable table = arguments->isContacts  ? cr_tableContacts
                        : arguments->isSamples ? cr_tableSamples
                                               : cr_tableVariables;
  return crConvertResult(arguments->files[0], arguments->files[1], table);
}

static bool isRobot(const char* path)
{
  return crEndsWith(path, ".urdf") || crEndsWith(path, ".mjcf") || crEndsWith(path, ".xml");
}

static int runConvert(int argc, char** argv)
{
  crModelArguments arguments;
  int code;
  if (!crParseArguments(&crConvertVerb, (crAccepted){ .fileCount = 2, .contacts = true }, argc, argv, &arguments,
                        &code)) {
    return code;
  }
  const char* target = arguments.files[1];
  if (crIsResult(arguments.files[0])) {
    code = convertResult(&arguments);
    crFreeArguments(&arguments);
    return code;
  }
  if (arguments.isContacts || arguments.isSamples) {
    crFreeArguments(&arguments);
    return crUsageError("convert", "%s is for results, not for models",
                        arguments.isContacts ? "--contacts" : "--samples");
  }
  bool isLua = crEndsWith(target, ".lua");
  if (strcmp(target, "-") != 0 && !crEndsWith(target, ".json") && !isLua) {
    crFreeArguments(&arguments);
    return crUsageError("convert", "cannot write '%s': the output is .json, of robots .lua, or - for standard output",
                        target);
  }
  if (isLua && !isRobot(arguments.files[0])) {
    crFreeArguments(&arguments);
    return crUsageError("convert", "only robots become Lua, and '%s' is a model already", arguments.files[0]);
  }
  crLoaded loaded;
  crLoad(&arguments, &loaded);
  code = loaded.model != NULL ? CR_EXIT_OK : CR_EXIT_MODEL;
  if (loaded.model != NULL && writeScene(&arguments, &loaded) != cr_ok) {
    code = CR_EXIT_MODEL;
  }
  crPrintLog(loaded.log, cr_severityWarning);
  crUnload(&loaded);
  crFreeArguments(&arguments);
  return code;
}

const crVerb crConvertVerb = {
  .name = "convert",
  .summary = "write a model as canonical JSON, a robot as Lua, or a result as CSV or MAT",
  .help = "usage: carom convert MODEL OUTPUT.json [--set NAME=VALUE]...\n"
          "       carom convert ROBOT.urdf OUTPUT.lua [--mesh-path DIR] [--ignore-missing]\n"
          "       carom convert RESULT OUTPUT.csv|OUTPUT.mat\n"
          "       carom convert RESULT OUTPUT.csv --contacts|--samples\n"
          "\n"
          "Reads a Lua or JSON model and writes it as canonical JSON: every element on one line,\n"
          "names in full, assemblies and loops unrolled. Reading it back gives the same model, bit\n"
          "for bit. '-' writes to standard output.\n"
          "\n"
          "A robot becomes a Lua model with the names of its file, for reading and changing; or JSON.\n"
          "\n"
          "A result (result.h5, or the folder of a run) becomes a table of comma-separated values,\n"
          "or a Modelica result file (MATLAB version 4), as Dymola and OpenModelica write it; SciPy\n"
          "reads it with loadmat.\n"
          "\n"
          "  --set NAME=VALUE   override a parameter of the model (repeatable)\n"
          "  --allow-path DIR   a folder outside its own that the model may read files from\n"
          "  --mesh-path DIR    of robots: where meshes are looked for as well, several with ':'\n"
          "  --ignore-missing   of robots: do without meshes that are not found\n"
          "  --contacts         of a result: the list of its contacts instead of its variables: begin\n"
          "                     and end, the two objects, speeds, restitution, forces, energy\n"
          "  --samples          of a result: the contacts at every row: point, force, torque, depth,\n"
          "                     area, mean and largest pressure\n"
          "\n"
          "example: carom convert examples/pendulum.lua pendulum.json\n",
  .run = runConvert,
};

static int runSchema(int argc, char** argv)
{
  if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
    fputs(crSchemaVerb.help, stdout);
    return CR_EXIT_OK;
  }
  if (argc == 2 && strcmp(argv[1], "--markdown") == 0) {
    return crWriteReference(crMakeStreamWriter(stdout)) == cr_ok ? CR_EXIT_OK : CR_EXIT_MODEL;
  }
  if (argc == 2 && strcmp(argv[1], "--lua") == 0) {
    return crWriteLuaAnnotations(crMakeStreamWriter(stdout)) == cr_ok ? CR_EXIT_OK : CR_EXIT_MODEL;
  }
  if (argc > 1) {
    return crUsageError("schema", "unknown argument '%s'", argv[1]);
  }
  return crWriteJsonSchema(NULL, crMakeStreamWriter(stdout)) == cr_ok ? CR_EXIT_OK : CR_EXIT_MODEL;
}

const crVerb crSchemaVerb = {
  .name = "schema",
  .summary = "print the JSON schema or the reference of all elements",
  .help = "usage: carom schema [--markdown|--lua]\n"
          "\n"
          "Prints the JSON Schema (draft 2020-12) of JSON models, for editors and generators.\n"
          "\n"
          "  --lua              annotations of Lua models instead, for the Lua language server\n"
          "  --markdown         the reference of all elements and fields, for reading\n"
          "\n"
          "example: carom schema > model.schema.json\n",
  .run = runSchema,
};
