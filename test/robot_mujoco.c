// Inverse dynamics of robots at random states, here and in MuJoCo, from the same files: prints the largest difference
// of each, and fails above 1e-9 of the largest force. Contacts, limits, equalities and what is passive are off in both.
//
// usage: robot_mujoco FILE...
//
// MuJoCo turns a `fullinertia` into principal moments and axes with an error of its own: of 0.0002 kg m^2 it makes
// 0.0001999971 (2.2.2), and so of forces differences of 1e-8 N m. Each robot is therefore compared once more, as MuJoCo
// writes it, with the principal moments and axes that it uses: then the difference itself, not its share of the largest
// force, has to be below 1e-9. Where the first comparison is above that, what MuJoCo made of the inertia is printed.
//
// Joints that are welded here, because nothing resists their motion, stand still there.
#include "carom/instance.h"
#include "carom/io.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STATES 20
#define SAME_FORCE 1e-9

static void printMessage(const char* message)
{
  fprintf(stderr, "MuJoCo: %s\n", message);
}

static void endOnError(const char* message)
{
  printMessage(message);
  exit(1); // MuJoCo does not expect a return
}

static double chooseNumber(void)
{
  static uint64_t state = 1;
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(state >> 11) * 0x1p-52 - 1.0;
}

static void printError(void* context, const crError* error)
{
  char text[2048];
  (void)context;
  if (error->severity >= cr_severityWarning) {
    crError_Format(error, text, sizeof text);
    fprintf(stderr, "%s\n", text);
  }
}

typedef struct Pair {
  const mjModel* m;
  mjData* d;
  crModel* model;
  crInstance* instance;
  crTreeSet all;
  double *y, *accelerations, *forces; // ours
  double error, largest;
} Pair;

// The first state, and rate among those of all trees, of the joint that moves a body or has a name; false: none.
static bool find(const Pair* pair, const char* name, int* outQ, int* outV, int* outRate)
{
  char other[300];
  snprintf(other, sizeof other, "%.250s_joint", name);
  int joint = crModel_FindJoint(pair->model, name);
  joint = joint >= 0 ? joint : crModel_FindJoint(pair->model, other);
  if (joint < 0) {
    return false;
  }
  const crModelJoint* found = crModel_GetJoint(pair->model, joint);
  int before = 0;
  *outQ = found->qStart;
  *outV = found->vStart;
  for (int k = 0; k < pair->all.treeCount; ++k) {
    const crTree* tree = crModel_GetTree(pair->model, k);
    if (*outV >= tree->vStart && *outV < tree->vStart + tree->vCount) {
      *outRate = before + *outV - tree->vStart;
    }
    before += tree->vCount;
  }
  return !found->isCut;
}

static const char* nameOf(const mjModel* m, int joint)
{
  const char* name = mj_id2name(m, mjOBJ_JOINT, joint);
  bool isFree = m->jnt_type[joint] == mjJNT_FREE;
  return isFree || name == NULL ? mj_id2name(m, mjOBJ_BODY, m->jnt_bodyid[joint]) : name;
}

static void turn(const double* quat, const double* v, double* out)
{
  mju_rotVecQuat(out, v, quat);
}

// Rates of rotations are in the body's axes there, in those of what it turns against here.
static void set(Pair* pair, int joint)
{
  const mjModel* m = pair->m;
  mjData* d = pair->d;
  int type = m->jnt_type[joint], q = m->jnt_qposadr[joint], v = m->jnt_dofadr[joint], ourQ, ourV, rate;
  int qCount = type == mjJNT_FREE   ? 7
               : type == mjJNT_BALL ? 4
                                    : 1,
      vCount = type == mjJNT_FREE   ? 6
               : type == mjJNT_BALL ? 3
                                    : 1;
  if (!find(pair, nameOf(m, joint), &ourQ, &ourV, &rate)) {
    fprintf(stderr, "  '%s' is welded\n", nameOf(m, joint));
    return;
  }
  for (int i = 0; i < qCount; ++i) {
    d->qpos[q + i] = chooseNumber();
  }
  if (qCount > 1) {
    mju_normalize4(d->qpos + q + qCount - 4);
  }
  for (int i = 0; i < vCount; ++i) {
    d->qvel[v + i] = chooseNumber();
    d->qacc[v + i] = 3.0 * chooseNumber();
  }
  memcpy(pair->y + ourQ, d->qpos + q, (size_t)qCount * sizeof(double));
  memcpy(pair->y + ourV, d->qvel + v, (size_t)vCount * sizeof(double));
  memcpy(pair->accelerations + rate, d->qacc + v, (size_t)vCount * sizeof(double));
  if (qCount > 1) {
    const double* quat = d->qpos + q + qCount - 4;
    turn(quat, d->qvel + v + vCount - 3, pair->y + ourV + vCount - 3);
    turn(quat, d->qacc + v + vCount - 3, pair->accelerations + rate + vCount - 3);
  }
}

static void compare(Pair* pair, int joint)
{
  const mjModel* m = pair->m;
  int type = m->jnt_type[joint], v = m->jnt_dofadr[joint], ourQ, ourV, rate;
  int vCount = type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1;
  double theirs[6];
  if (!find(pair, nameOf(m, joint), &ourQ, &ourV, &rate)) {
    return;
  }
  memcpy(theirs, pair->d->qfrc_inverse + v, (size_t)vCount * sizeof(double));
  if (vCount > 1) {
    const double* quat = pair->d->qpos + m->jnt_qposadr[joint] + (type == mjJNT_FREE ? 3 : 0);
    turn(quat, pair->d->qfrc_inverse + v + vCount - 3, theirs + vCount - 3);
  }
  for (int i = 0; i < vCount; ++i) {
    pair->error = fmax(pair->error, fabs(theirs[i] - pair->forces[rate + i]));
    pair->largest = fmax(pair->largest, fabs(theirs[i]));
  }
}

// Inertia of a body about its centre of mass, in its axes, as MuJoCo holds it.
static void findInertia(const mjModel* m, int body, double outI[9])
{
  double R[9];
  const double* moments = m->body_inertia + 3 * (size_t)body;
  mju_quat2Mat(R, m->body_iquat + 4 * (size_t)body);
  for (int i = 0; i < 9; ++i) {
    int a = i / 3, b = i % 3;
    outI[i] = 0.0;
    for (int k = 0; k < 3; ++k) {
      outI[i] += R[3 * a + k] * moments[k] * R[3 * b + k];
    }
  }
}

// Bodies whose axes MuJoCo had to find.
static void printInertias(const mjModel* m)
{
  double I[9];
  for (int b = 1; b < m->nbody; ++b) {
    findInertia(m, b, I);
    if (I[1] != 0.0 || I[2] != 0.0 || I[5] != 0.0) {
      printf("  MuJoCo's %s: xx %.12g, yy %.12g, zz %.12g, xy %.12g, xz %.12g, yz %.12g kg m^2\n",
             mj_id2name(m, mjOBJ_BODY, b), I[0], I[4], I[8], I[1], I[2], I[5]);
    }
  }
}

// isExact: what differs is counted as it is, and not as a share of the largest force.
static bool compareRobots(Pair* pair, const char* file, bool isExact)
{
  const mjModel* m = pair->m;
  for (int n = 0; n < STATES; ++n) {
    mj_resetData(m, pair->d);
    for (int j = 0; j < m->njnt; ++j) {
      set(pair, j);
    }
    mj_inverse(m, pair->d);
    if (crInstance_ComputeInverseDynamics(pair->instance, pair->all, 0.0, pair->y, pair->accelerations, pair->forces) !=
        cr_ok) {
      return false;
    }
    for (int j = 0; j < m->njnt; ++j) {
      compare(pair, j);
    }
  }
  bool isSame = pair->error <= SAME_FORCE * (isExact ? 1.0 : fmax(1.0, pair->largest));
  printf("%s%s: %d joints, largest force %.4g, largest difference %.3g: %s\n", file,
         isExact ? " as MuJoCo writes it" : "", m->njnt, pair->largest, pair->error,
         isSame ? "the same" : "NOT the same");
  if (pair->error > SAME_FORCE) {
    printInertias(m);
  }
  return isSame;
}

// file: the one to tell of; path: the one to read. Once it is read MuJoCo can write it anew.
static bool compareFile(const char* file, const char* path, bool isExact)
{
  char message[1000] = "";
  crErrorSink sink = { printError, NULL };
  crSetting settings[] = { { "bare", "true" }, { "ignoreMissing", "true" } };
  crReadOptions options = crDefaultReadOptions();
  options.settings = settings;
  options.settingCount = 2;
  crScene* scene = NULL;
  Pair pair = { .error = 0.0 };
  bool isSame = false;
  mjModel* m = mj_loadXML(path, NULL, message, sizeof message);
  if (m == NULL) {
    fprintf(stderr, "%s: %s\n", file, message);
    return false;
  }
  m->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_EQUALITY | mjDSBL_FRICTIONLOSS | mjDSBL_PASSIVE;
  pair.m = m;
  pair.d = mj_makeData(m);
  if (crReadModel(path, &options, NULL, &sink, &scene) == cr_ok &&
      crCompile(scene, NULL, NULL, &sink, &pair.model) == cr_ok &&
      crCreateInstance(pair.model, NULL, &sink, &pair.instance) == cr_ok) {
    pair.all = crModel_GetAllTrees(pair.model);
    size_t count = (size_t)crModel_CountStates(pair.model, pair.all) + 1;
    pair.y = calloc(count, sizeof(double));
    pair.accelerations = calloc(count, sizeof(double));
    pair.forces = calloc(count, sizeof(double));
    isSame = compareRobots(&pair, file, isExact);
  }
  free(pair.y);
  free(pair.accelerations);
  free(pair.forces);
  crDestroyInstance(pair.instance);
  crDestroyModel(pair.model);
  crDestroyScene(scene);
  mj_deleteData(pair.d);
  mj_deleteModel(m);
  return isSame;
}

static bool compareBoth(const char* file)
{
  char path[64], message[1000] = "";
  snprintf(path, sizeof path, P_tmpdir "/robot_mujoco_%d.xml", (int)getpid());
  bool isSame = compareFile(file, file, false);
  if (!isSame || mj_saveLastXML(path, NULL, message, sizeof message) == 0) {
    fprintf(stderr, "%s: %s\n", file, message);
    return false;
  }
  isSame = compareFile(file, path, true);
  remove(path);
  return isSame;
}

int main(int argc, char** argv)
{
  int failed = argc < 2;
  mju_user_warning = printMessage;
  mju_user_error = endOnError;
  for (int i = 1; i < argc; ++i) {
    failed += !compareBoth(argv[i]);
  }
  return failed > 0;
}
