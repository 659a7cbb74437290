// carom info: what a model consists of, or what a result holds.
#include "info.h"
#include "cli.h"
#include "loop_facts.h"
#include "model/compile/pass.h"
#include "result.h"
#include "scene/parameter.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CR_SHOWN_ROWS 60   // rows of a table without --all
#define CR_SHOWN_LEVELS 24 // of the tree; deeper bodies are drawn at this one

static void printTitle(const char* title)
{
  printf("\n%s%s%s\n", crStyleOn(stdout, cr_styleBold), title, crStyleOff(stdout));
}

// Ends a table of `count` rows of which only some were shown.
static int rowLimit(int count, bool isAll)
{
  return isAll || count <= CR_SHOWN_ROWS ? count : CR_SHOWN_ROWS;
}

static void printRest(int count, bool isAll)
{
  if (rowLimit(count, isAll) < count) {
    printf("  ... and %d more; --all shows them\n", count - rowLimit(count, isAll));
  }
}

static void printPadded(const char* name, int width)
{
  crPrintName(stdout, name);
  int columns = 0; // UTF-8: count all bytes but continuation bytes
  for (const char* c = name; *c != '\0'; ++c) {
    columns += ((unsigned char)*c & 0xc0) != 0x80;
  }
  printf("%*s", columns < width ? width - columns : 1, "");
}

static void printSize(const char* file, crModelSize size)
{
  printf("%s", crStyleOn(stdout, cr_styleBold));
  crPrintName(stdout, file);
  printf("%s\n", crStyleOff(stdout));
  printf("  %d object%s in %d super-object%s (the world included), %d tree%s\n", size.objectCount,
         size.objectCount == 1 ? "" : "s", size.bodyCount, size.bodyCount == 1 ? "" : "s", size.treeCount,
         size.treeCount == 1 ? "" : "s");
  printf("  %d joint%s, %d of them cut, %d force%s", size.jointCount, size.jointCount == 1 ? "" : "s",
         size.cutJointCount, size.forceCount, size.forceCount == 1 ? "" : "s");
  printf(size.couplingCount > 0 ? ", %d coupling%s\n" : "\n", size.couplingCount, size.couplingCount == 1 ? "" : "s");
  printf("  %d states: %d coordinates, %d rates\n", size.stateCount, size.qCount, size.vCount);
  printf("  %d contact shape%s, %" PRId64 " pairs that can meet, %" PRId64 " excluded\n", size.shapeCount,
         size.shapeCount == 1 ? "" : "s", size.pairCount, size.excludedPairCount);
  printf("  %d variables can be recorded\n", size.variableCount);
}

// -------------------------------------------------------------------------------------------- tree

// Children of each body as linked lists, in ascending order.
typedef struct Children {
  int* first; // (bodyCount) -1: none
  int* next;  // (bodyCount) -1: last
} Children;

static bool linkChildren(const crModel* model, int bodyCount, Children* outChildren)
{
  outChildren->first = malloc((size_t)bodyCount * sizeof(int));
  outChildren->next = malloc((size_t)bodyCount * sizeof(int));
  if (outChildren->first == NULL || outChildren->next == NULL) {
    return false;
  }
  for (int i = 0; i < bodyCount; ++i) {
    outChildren->first[i] = -1;
  }
  for (int i = bodyCount - 1; i > 0; --i) { // parent < child
    int parent = crModel_GetBody(model, i)->parent;
    outChildren->next[i] = outChildren->first[parent];
    outChildren->first[parent] = i;
  }
  outChildren->next[0] = -1;
  return true;
}

static void printBody(const crModel* model, int index, const Children* children, const bool* hasMore)
{
  const crBody* body = crModel_GetBody(model, index);
  int levels = body->depth < CR_SHOWN_LEVELS ? body->depth : CR_SHOWN_LEVELS;
  printf("  ");
  for (int level = 1; level < levels; ++level) {
    printf("%s", hasMore[level] ? "│  " : "   ");
  }
  if (levels > 0) {
    printf("%s", children->next[index] >= 0 ? "├─ " : "└─ ");
  }
  printf("%d ", index + 1);
  printPadded(crModel_GetBodyPath(model, index), 1);
  if (body->joint >= 0) {
    const crModelJoint* joint = crModel_GetJoint(model, body->joint);
    printf("%s%s%s", crStyleOn(stdout, cr_styleFaint), joint->isImplicit ? "free" : crJointKind_GetText(joint->kind),
           joint->isImplicit ? "" : " ");
    crPrintName(stdout, joint->isImplicit ? "" : crModel_GetJointPath(model, body->joint));
    printf("%s", crStyleOff(stdout));
  }
  if (body->objectCount > 1) {
    printf(" (%d objects)", body->objectCount);
  }
  printf("\n");
}

// Depth-first with the linked lists alone: a chain of any length needs no stack.
// false: out of memory.
static bool printTree(const crModel* model, bool isAll)
{
  int bodyCount = crModel_GetSize(model).bodyCount;
  Children children = { NULL, NULL };
  bool hasMore[CR_SHOWN_LEVELS + 1] = { false };
  printTitle("Super-objects");
  bool isLinked = linkChildren(model, bodyCount, &children);
  if (isLinked) {
    int shown = 0, limit = rowLimit(bodyCount, isAll);
    for (int body = 0; body >= 0 && shown < limit; ++shown) {
      int depth = crModel_GetBody(model, body)->depth;
      if (depth <= CR_SHOWN_LEVELS) {
        hasMore[depth] = children.next[body] >= 0;
      }
      printBody(model, body, &children, hasMore);
      int next = children.first[body];
      while (next < 0 && body > 0) {
        next = children.next[body];
        body = crModel_GetBody(model, body)->parent;
      }
      body = next;
    }
    printRest(bodyCount, isAll);
  }
  free(children.first);
  free(children.next);
  return isLinked;
}

// ------------------------------------------------------------------------------------------ tables

static void printJoints(const crModel* model, bool isAll)
{
  int count = crModel_GetSize(model).jointCount;
  if (count == 0) {
    return;
  }
  printTitle("Joints");
  printf("  %-24s%-12s%-10s%-8s%s\n", "name", "kind", "between", "states", "start");
  for (int i = 0; i < rowLimit(count, isAll); ++i) {
    const crModelJoint* joint = crModel_GetJoint(model, i);
    char between[32], states[32] = "cut";
    snprintf(between, sizeof between, "%d - %d", joint->bodyA + 1, joint->bodyB + 1);
    if (!joint->isCut) {
      snprintf(states, sizeof states, "%d, %d", joint->qStart, joint->vStart);
    }
    printf("  ");
    printPadded(crModel_GetJointPath(model, i), 24);
    printf("%-12s%-10s%-8s", joint->isImplicit ? "free" : crJointKind_GetText(joint->kind), between, states);
    int q = crJointKind_CountQ(joint->kind);
    for (int k = 0; k < q; ++k) {
      printf(" %.6g", joint->start[k]);
    }
    printf("\n");
  }
  printRest(count, isAll);
}

static void printFreedom(const crInstance* instance, bool hasCouplings)
{
  if (instance == NULL) {
    printf("  the loops cannot be closed%s from the start values: carom run says which\n",
           hasCouplings ? " with these couplings" : "");
    return;
  }
  crLoopFacts facts = crInstance_GetLoopFacts(instance);
  printf("  %d degree%s of freedom, %d by Gruebler's count%s\n", facts.freedom, facts.freedom == 1 ? "" : "s",
         facts.gruebler, facts.freedom == 0 ? ": all motion is prescribed" : "");
}

static void printLoops(const crModel* model, const crInstance* instance, bool isAll)
{
  int count = crModel_GetSize(model).cutJointCount;
  if (count == 0) {
    return;
  }
  printTitle("Loops");
  for (int i = 0; i < rowLimit(count, isAll); ++i) {
    const crLoop* loop = crModel_GetLoop(model, i);
    int redundant = instance != NULL ? crInstance_CountRedundant(instance, loop->cutJoint) : 0;
    int bodyCount;
    const int* bodies = crModel_GetLoopBodies(model, i, &bodyCount);
    printf("  super-objects");
    for (int k = 0; k < bodyCount; ++k) {
      printf(" %d", bodies[k] + 1);
    }
    printf(", cut at joint ");
    crPrintName(stdout, crModel_GetJointPath(model, loop->cutJoint));
    if (redundant > 0) {
      printf("; %d redundant constraint%s, whose forces the loop's joints share", redundant, redundant == 1 ? "" : "s");
    }
    printf("\n");
  }
  printRest(count, isAll);
}

static void printCouplings(const crModel* model, bool isAll)
{
  int count = crModel_GetSize(model).couplingCount;
  if (count > 0) {
    printTitle("Couplings");
  }
  for (int i = 0; i < rowLimit(count, isAll); ++i) {
    int termCount;
    const crCouplingTerm* terms = crModel_GetCouplingTerms(model, i, &termCount);
    printf("  ");
    printPadded(crModel_GetCouplingPath(model, i), 24);
    for (int k = 0; k < rowLimit(termCount, isAll); ++k) {
      printf(k == 0 ? "%g " : " %+g ", terms[k].factor);
      crPrintName(stdout, crModel_GetJointPath(model, terms[k].joint));
    }
    printf("%s", termCount > rowLimit(termCount, isAll) ? " ..." : "");
    const crModelCoupling* coupling = crModel_GetCoupling(model, i);
    if (coupling->kind >= cr_couplingClutch) { // no equation
      printf("  %s\n", crCouplingKind_GetText(coupling->kind));
    } else {
      printf(" = %g\n", coupling->offset);
    }
  }
  printRest(count, isAll);
}

static void printTrigger(const crActionDef* def)
{
  switch (crActionDef_GetTrigger(def)) {
    case cr_triggerTime:
      printf("at %g s", crResolveZero(def->time));
      printf(def->period > 0.0 ? ", again every %g s\n" : "\n", def->period);
      break;
    case cr_triggerSignal:
      printf("when ");
      crPrintName(stdout, def->signal);
      printf(" crosses %g\n", def->level);
      break;
    case cr_triggerContact:
      printf("when ");
      crPrintName(stdout, def->contact[0]);
      printf(" and ");
      crPrintName(stdout, def->contact[1]);
      printf(" have touched for %g s\n", def->duration);
      break;
    case cr_triggerCall: printf("when it is called for\n"); break;
  }
}

static void printActions(const crModel* model, bool isAll)
{
  int count = crModel_CountActions(model);
  if (count > 0) {
    printTitle("Actions");
  }
  for (int i = 0; i < rowLimit(count, isAll); ++i) {
    const crActionDef* def = crModel_GetAction(model, i);
    const char* target;
    const char* verb = crActionKind_GetText(crActionDef_GetKind(def, &target));
    printf("  ");
    printPadded(def->name, 16);
    printf("%s ", verb);
    crPrintName(stdout, target);
    if (def->to != NULL) {
      printf(" to ");
      crPrintName(stdout, def->to);
    }
    printf(", ");
    printTrigger(def);
  }
  printRest(count, isAll);
}

// Loops, couplings, and what they leave free.
static void printConstraints(const crModel* model, bool isAll)
{
  crModelSize size = crModel_GetSize(model);
  if (size.cutJointCount + size.couplingCount > 0) {
    crInstance* instance = crCloseLoops(model, NULL);
    printLoops(model, instance, isAll);
    printCouplings(model, isAll);
    printFreedom(instance, size.couplingCount > 0);
    crDestroyInstance(instance);
  }
}

static bool hasProducts(crSym3 I)
{
  double largest = fmax(I.xx, fmax(I.yy, I.zz));
  return fmax(fabs(I.xy), fmax(fabs(I.xz), fabs(I.yz))) > 1e-12 * largest;
}

// Declared inputs with their start values, and outputs.
static void printPorts(const crModel* model)
{
  crPort port;
  if (crModel_CountInputs(model) + crModel_CountOutputs(model) > 0) {
    printTitle("Inputs and outputs");
  }
  for (int i = 0; crModel_GetInput(model, i, &port); ++i) {
    printf("  input   ");
    printPadded(port.path, 24);
    printf("%g [%s]\n", port.start, port.unit);
  }
  for (int i = 0; crModel_GetOutput(model, i, &port); ++i) {
    printf("  output  ");
    printPadded(port.path, 24);
    printf("[%s]\n", port.unit);
  }
}

// A parameter with what is told of it: "length   0.3 m   0.1 .. 2   of the arm".
static void printParameter(const crScene* scene, int index)
{
  const crParameter* p = crScene_GetParameter(scene, index);
  char name[CR_MAX_PATH + CR_MAX_NAME + 2], value[CR_RANGE_SIZE], range[CR_RANGE_SIZE];
  crScene_GetParameterName(scene, index, name, sizeof name);
  printf("  ");
  printPadded(name, 24);
  if (p->kind == cr_parameterString) {
    printPadded(p->string, 18);
  } else if (p->kind == cr_parameterBool) {
    printPadded(p->number != 0.0 ? "true" : "false", 18);
  } else {
    snprintf(value, sizeof value, "%.9g%s%.40s", p->number, p->unit != NULL ? " " : "", p->unit != NULL ? p->unit : "");
    printPadded(value, 18);
  }
  if (crParameter_HasRange(p)) {
    crParameter_FormatRange(p, range);
    printPadded(range, 18);
  } else if (p->label != NULL) {
    printf("%18s", "");
  }
  crPrintName(stdout, p->label != NULL ? p->label : "");
  printf("\n");
}

static void printParameters(const crScene* scene, bool isAll)
{
  int count = crScene_CountParameters(scene);
  if (count > 0) {
    printTitle("Parameters");
  }
  for (int i = 0; i < rowLimit(count, isAll); ++i) {
    printParameter(scene, i);
  }
  printRest(count, isAll);
}

static void printMasses(const crModel* model, bool isAll)
{
  int count = crModel_GetSize(model).bodyCount;
  bool anyProducts = false;
  if (count < 2) {
    return;
  }
  printTitle("Mass");
  printf("  %-28s%12s  %-34s%s\n", "super-object", "mass [kg]", "centre of mass [m]", "inertia xx, yy, zz [kg m^2]");
  for (int i = 1; i < rowLimit(count, isAll); ++i) {
    const crBody* body = crModel_GetBody(model, i);
    const crInertia* I = &body->inertia;
    printf("  %d ", i + 1);
    printPadded(crModel_GetBodyPath(model, i), 26 - (i + 1 >= 10) - (i + 1 >= 100));
    printf("%12.6g  %10.4g %10.4g %10.4g  ", I->mass, I->com.x, I->com.y, I->com.z);
    printf("%11.5g %11.5g %11.5g%s\n", I->I_com.xx, I->I_com.yy, I->I_com.zz, hasProducts(I->I_com) ? " *" : "");
    anyProducts = anyProducts || hasProducts(I->I_com);
  }
  printRest(count, isAll);
  if (anyProducts) {
    printf("  * has products of inertia too: see --json\n");
  }
}

static void printContacts(const crModel* model)
{
  int count = crModel_CountContactMaterials(model);
  if (count == 0) {
    return;
  }
  printTitle("Contact");
  printf("  %-20s%-20s%-14s%8s%8s%8s\n", "material", "material", "response", "cor", "muK", "muR");
  for (int i = 0; i < count; ++i) {
    for (int k = i; k < count; ++k) {
      const crContactLaw* law = crModel_GetContactLaw(model, i, k);
      if (law != NULL) {
        printf("  ");
        printPadded(crModel_GetContactMaterialName(model, i), 20);
        printPadded(crModel_GetContactMaterialName(model, k), 20);
        printf("%-14s%8.4g%8.4g%8.4g\n", crContactResponse_GetText(law->response), law->cor, law->muK, law->muR);
      }
    }
  }
}

// -------------------------------------------------------------------------------------------- verb

static int dumpPass(const crModelArguments* arguments, const crLoaded* loaded)
{
  int pass = 0;
  while (pass < cr_passCount && strcmp(crPassText((crPass)pass), arguments->dump) != 0) {
    ++pass;
  }
  if (pass == cr_passCount) {
    char known[256] = "";
    for (int i = 0; i < cr_passCount; ++i) {
      snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i > 0 ? ", " : "", crPassText((crPass)i));
    }
    return crUsageError("info", "there is no pass '%s': %s", arguments->dump, known);
  }
  crErrorSink silent = { NULL, NULL }; // the log has every message already
  crStatus status = cr_errorModel;
  if (loaded->scene != NULL) {
    status = crDumpPass(loaded->scene, (crPass)pass, NULL, &silent, crMakeStreamWriter(stdout));
  }
  return status == cr_ok ? CR_EXIT_OK : CR_EXIT_MODEL;
}

static int showResult(const crModelArguments* arguments)
{
  if (arguments->settingCount > 0 || arguments->dump != NULL) {
    return crUsageError("info", "--set and --dump are for models, not for results");
  }
  return crShowResult(arguments->files[0], arguments->isJson, arguments->isAll);
}

static int run(int argc, char** argv)
{
  crModelArguments arguments;
  int code;
  crAccepted accepted = { .fileCount = 1, .json = true, .all = true, .dump = true };
  if (!crParseArguments(&crInfoVerb, accepted, argc, argv, &arguments, &code)) {
    return code;
  }
  if (arguments.isJson && arguments.dump != NULL) {
    crFreeArguments(&arguments);
    return crUsageError("info", "--json and --dump do not go together");
  }
  if (crIsResult(arguments.files[0])) {
    code = showResult(&arguments);
    crFreeArguments(&arguments);
    return code;
  }
  crLoaded loaded;
  crLoad(&arguments, &loaded);
  crPrintLog(loaded.log, cr_severityWarning);
  code = loaded.model != NULL ? CR_EXIT_OK : CR_EXIT_MODEL;
  if (arguments.dump != NULL) {
    code = dumpPass(&arguments, &loaded);
  } else if (loaded.model != NULL && arguments.isJson) {
    code = crPrintInfoJson(loaded.scene, loaded.model) ? CR_EXIT_OK : CR_EXIT_MODEL;
  } else if (loaded.model != NULL) {
    printSize(arguments.files[0], crModel_GetSize(loaded.model));
    printParameters(loaded.scene, arguments.isAll);
    if (!printTree(loaded.model, arguments.isAll)) {
      fputs("carom: out of memory\n", stderr);
      code = CR_EXIT_MODEL;
    }
    printJoints(loaded.model, arguments.isAll);
    printConstraints(loaded.model, arguments.isAll);
    printMasses(loaded.model, arguments.isAll);
    printContacts(loaded.model);
    printPorts(loaded.model);
    printActions(loaded.model, arguments.isAll);
  }
  crUnload(&loaded);
  crFreeArguments(&arguments);
  return code;
}

const crVerb crInfoVerb = {
  .name = "info",
  .summary = "show what a model consists of, or what a result holds",
  .help = "usage: carom info MODEL [options]\n"
          "       carom info RESULT [--all] [--json]\n"
          "\n"
          "Compiles a model and shows what it consists of: parameters with their ranges,\n"
          "super-objects (rigidly connected objects, numbered from 1, the world), joints with\n"
          "their states, loops and where they are cut, the mass table, which materials can touch,\n"
          "inputs and outputs.\n"
          "\n"
          "Of a result (result.h5, or the folder of a run) it shows how the run ended, the times,\n"
          "the contacts, the events and the variables; also while the run still goes on.\n"
          "\n"
          "  --set NAME=VALUE   override a parameter of the model (repeatable)\n"
          "  --allow-path DIR   a folder outside its own that the model may read files from\n"
          "  --allow-fmu        let FMUs that the model names run: code of others, with your rights\n"
          "  --mesh-path DIR    of robots: where meshes are looked for as well, several with ':'\n"
          "  --ignore-missing   of robots: do without meshes that are not found\n"
          "  --all              show all rows, however many\n"
          "  --json             print everything as JSON\n"
          "  --dump PASS        print what a pass of the compiler found: resolve, signals, check,\n"
          "                     weld, lump, order, cut, pairs, needs, variables, pack\n"
          "\n"
          "example: carom info examples/four_bar.lua --dump needs\n",
  .run = run,
};
