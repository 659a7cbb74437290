// Robots read from text, and Newton-Euler by plain arrays.
#include "support/robots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

crTestRobot crReadTestRobot(const char* text, const char* const* settings)
{
  crTestRobot robot = { .log = crCreateErrorLog(NULL) };
  crReadOptions options = crDefaultReadOptions();
  crSetting pairs[16];
  char names[16][64];
  robot.sink = crErrorLog_GetSink(robot.log);
  for (; settings != NULL && settings[options.settingCount] != NULL; ++options.settingCount) {
    const char* equals = strchr(settings[options.settingCount], '=');
    snprintf(names[options.settingCount], sizeof names[0], "%.*s", (int)(equals - settings[options.settingCount]),
             settings[options.settingCount]);
    pairs[options.settingCount] = (crSetting){ names[options.settingCount], equals + 1 };
  }
  options.settings = pairs;
  robot.status = crReadRobot(text, strlen(text), "robot.urdf", NULL, &options, NULL, &robot.sink, &robot.scene);
  if (robot.scene != NULL && crCompile(robot.scene, NULL, NULL, &robot.sink, &robot.model) == cr_ok &&
      crCreateInstance(robot.model, NULL, &robot.sink, &robot.instance) == cr_ok) {
    robot.all = crModel_GetAllTrees(robot.model);
    robot.stateCount = crModel_CountStates(robot.model, robot.all);
    robot.rateCount = crModel_CountRates(robot.model, robot.all);
    robot.y = calloc((size_t)robot.stateCount + 1, sizeof *robot.y);
    crModel_GetStart(robot.model, robot.all, robot.y);
  }
  return robot;
}

void crTestRobot_Free(crTestRobot* robot)
{
  free(robot->y);
  crDestroyInstance(robot->instance);
  crDestroyModel(robot->model);
  crDestroyScene(robot->scene);
  crDestroyErrorLog(robot->log);
}

void crTestRobot_SetJoint(crTestRobot* robot, const char* joint, double q, double v)
{
  int index = crModel_FindJoint(robot->model, joint);
  assert_true(index >= 0);
  robot->y[crModel_GetJoint(robot->model, index)->qStart] = q;
  robot->y[crModel_GetJoint(robot->model, index)->vStart] = v;
}

int crTestRobot_FindRate(const crTestRobot* robot, const char* joint)
{
  int index = crModel_FindJoint(robot->model, joint), before = 0;
  assert_true(index >= 0);
  int place = crModel_GetJoint(robot->model, index)->vStart;
  for (int k = 0; k < robot->all.treeCount; ++k) {
    const crTree* tree = crModel_GetTree(robot->model, k);
    if (place >= tree->vStart && place < tree->vStart + tree->vCount) {
      return before + place - tree->vStart;
    }
    before += tree->vCount;
  }
  return -1;
}

// -------------------------------------------------------------------------------- Newton and Euler

static void multiply(double a[3][3], double b[3][3], double out[3][3])
{
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      out[i][k] = a[i][0] * b[0][k] + a[i][1] * b[1][k] + a[i][2] * b[2][k];
    }
  }
}

static void apply(double a[3][3], const double v[3], double out[3])
{
  for (int i = 0; i < 3; ++i) {
    out[i] = a[i][0] * v[0] + a[i][1] * v[1] + a[i][2] * v[2];
  }
}

static void cross(const double a[3], const double b[3], double out[3])
{
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

// Rz(yaw) Ry(pitch) Rx(roll)
static void turnByAngles(const double rpy[3], double R[3][3])
{
  double cr = cos(rpy[0]), sr = sin(rpy[0]), cp = cos(rpy[1]), sp = sin(rpy[1]), cy = cos(rpy[2]), sy = sin(rpy[2]);
  double rows[3][3] = { { cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr },
                        { sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr },
                        { -sp, cp * sr, cp * cr } };
  memcpy(R, rows, sizeof rows);
}

// Rodrigues
static void turnAbout(const double axis[3], double angle, double R[3][3])
{
  double s = sin(angle), c = 1.0 - cos(angle);
  double K[3][3] = { { 0, -axis[2], axis[1] }, { axis[2], 0, -axis[0] }, { -axis[1], axis[0], 0 } }, KK[3][3];
  multiply(K, K, KK);
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      R[i][k] = (i == k) + s * K[i][k] + c * KK[i][k];
    }
  }
}

typedef struct Motion {
  double R[3][3], p[3], w[3], wd[3], v[3], vd[3]; // in world axes
  double axis[3];
  double f[3], t[3]; // what the link needs, about its origin
} Motion;

static void move(const crPlainLink* link, const Motion* parent, Motion* m)
{
  double R0[3][3], R1[3][3], Rq[3][3], r[3], slide[3], tmp[3], tmp2[3];
  double length = sqrt(link->axis[0] * link->axis[0] + link->axis[1] * link->axis[1] + link->axis[2] * link->axis[2]);
  double axis[3] = { link->axis[0] / length, link->axis[1] / length, link->axis[2] / length };
  bool turns = link->type == 'r', slides = link->type == 'p';
  turnByAngles(link->rpy, R0);
  multiply((double(*)[3])parent->R, R0, R1);
  turnAbout(axis, turns ? link->q : 0.0, Rq);
  multiply(R1, Rq, m->R);
  apply(R1, axis, m->axis);
  apply((double(*)[3])parent->R, link->xyz, r);
  for (int i = 0; i < 3; ++i) {
    slide[i] = slides ? m->axis[i] * link->q : 0.0;
    r[i] += slide[i];
    m->p[i] = parent->p[i] + r[i];
    m->w[i] = parent->w[i] + (turns ? m->axis[i] * link->v : 0.0);
  }
  cross(parent->w, m->axis, tmp);
  for (int i = 0; i < 3; ++i) {
    m->wd[i] = parent->wd[i] + (turns ? m->axis[i] * link->a + tmp[i] * link->v : 0.0);
  }
  cross(parent->wd, r, tmp);
  for (int i = 0; i < 3; ++i) {
    m->vd[i] = parent->vd[i] + tmp[i] + (slides ? m->axis[i] * link->a : 0.0);
  }
  cross(parent->w, r, tmp);
  cross(parent->w, tmp, tmp2);
  cross(parent->w, m->axis, tmp);
  for (int i = 0; i < 3; ++i) {
    m->vd[i] += tmp2[i] + (slides ? 2.0 * tmp[i] * link->v : 0.0);
  }
}

static void weigh(const crPlainLink* link, Motion* m)
{
  double Rc[3][3], RI[3][3], I[3][3], W[3][3], c[3], tmp[3], tmp2[3], ac[3], L[3], Ld[3];
  const double* n = link->inertia;
  double own[3][3] = { { n[0], n[1], n[2] }, { n[1], n[3], n[4] }, { n[2], n[4], n[5] } };
  turnByAngles(link->comRpy, Rc);
  multiply(m->R, Rc, RI);
  multiply(RI, own, I);
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      W[i][k] = I[i][0] * RI[k][0] + I[i][1] * RI[k][1] + I[i][2] * RI[k][2];
    }
  }
  apply(m->R, link->com, c);
  cross(m->w, c, tmp);
  cross(m->w, tmp, tmp2);
  cross(m->wd, c, tmp);
  for (int i = 0; i < 3; ++i) {
    ac[i] = m->vd[i] + tmp[i] + tmp2[i];
    m->f[i] = link->mass * ac[i];
  }
  apply(W, m->w, L);
  apply(W, m->wd, Ld);
  cross(m->w, L, tmp);
  cross(c, m->f, tmp2);
  for (int i = 0; i < 3; ++i) {
    m->t[i] = Ld[i] + tmp[i] + tmp2[i];
  }
}

void crComputePlainForces(crPlainLink* links, int count)
{
  static const double upward = 9.81; // a base that is accelerated upwards stands for gravity
  Motion base = { .R = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, .vd = { 0, 0, upward } }, m[CR_MAX_ROBOT_LINKS];
  for (int i = 0; i < count; ++i) {
    memset(&m[i], 0, sizeof m[i]);
    move(&links[i], links[i].parent < 0 ? &base : &m[links[i].parent], &m[i]);
    weigh(&links[i], &m[i]);
  }
  for (int i = count - 1; i >= 0; --i) {
    const double* load = links[i].type == 'p' ? m[i].f : m[i].t;
    links[i].force = m[i].axis[0] * load[0] + m[i].axis[1] * load[1] + m[i].axis[2] * load[2];
    int parent = links[i].parent;
    if (parent >= 0) {
      double r[3], tmp[3];
      for (int k = 0; k < 3; ++k) {
        r[k] = m[i].p[k] - m[parent].p[k];
        m[parent].f[k] += m[i].f[k];
      }
      cross(r, m[i].f, tmp);
      for (int k = 0; k < 3; ++k) {
        m[parent].t[k] += m[i].t[k] + tmp[k];
      }
    }
  }
}

void crWritePlainUrdf(const crPlainLink* links, int count, char* buffer, size_t size)
{
  size_t used = (size_t)snprintf(buffer, size, "<robot name=\"random\">\n  <link name=\"base\"/>\n");
  for (int i = 0; i < count && used < size; ++i) {
    const crPlainLink* l = &links[i];
    char parent[16];
    snprintf(parent, sizeof parent, l->parent < 0 ? "base" : "l%d", l->parent);
    const char* type = l->type == 'r' ? "continuous" : l->type == 'p' ? "prismatic" : "fixed";
    used += (size_t)snprintf(
        buffer + used, size - used,
        "  <link name=\"l%d\"><inertial><origin xyz=\"%.17g %.17g %.17g\" rpy=\"%.17g %.17g %.17g\"/>"
        "<mass value=\"%.17g\"/><inertia ixx=\"%.17g\" ixy=\"%.17g\" ixz=\"%.17g\" iyy=\"%.17g\" iyz=\"%.17g\""
        " izz=\"%.17g\"/></inertial></link>\n"
        "  <joint name=\"j%d\" type=\"%s\"><parent link=\"%s\"/><child link=\"l%d\"/>"
        "<origin xyz=\"%.17g %.17g %.17g\" rpy=\"%.17g %.17g %.17g\"/><axis xyz=\"%.17g %.17g %.17g\"/></joint>\n",
        i, l->com[0], l->com[1], l->com[2], l->comRpy[0], l->comRpy[1], l->comRpy[2], l->mass, l->inertia[0],
        l->inertia[1], l->inertia[2], l->inertia[3], l->inertia[4], l->inertia[5], i, type, parent, i, l->xyz[0],
        l->xyz[1], l->xyz[2], l->rpy[0], l->rpy[1], l->rpy[2], l->axis[0], l->axis[1], l->axis[2]);
  }
  used += (size_t)snprintf(buffer + used, size - used, "</robot>\n");
  assert_true(used < size);
}

crPlainLink crMakeRandomPlainLink(crRandom* random, int index)
{
  crPlainLink link = { .parent = index == 0 ? -1 : (int)crRandom_Uniform(random, index > 3 ? index - 3 : 0, index) };
  static const char types[] = "rrrpf";
  link.type = index == 0 ? 'r' : types[crRandom_Next(random) % 5];
  crVec3 axis = crRandom_UnitVec3(random);
  double length = crRandom_Uniform(random, 0.5, 2.0);
  link.axis[0] = length * axis.x, link.axis[1] = length * axis.y, link.axis[2] = length * axis.z;
  for (int i = 0; i < 3; ++i) {
    link.xyz[i] = crRandom_Uniform(random, -0.5, 0.5);
    link.rpy[i] = crRandom_Uniform(random, -3.0, 3.0);
    link.com[i] = crRandom_Uniform(random, -0.2, 0.2);
    link.comRpy[i] = crRandom_Uniform(random, -3.0, 3.0);
  }
  link.mass = crRandom_LogUniform(random, 0.1, 10.0);
  double x = crRandom_Uniform(random, 0.01, 0.1), y = crRandom_Uniform(random, 0.01, 0.1),
         z = crRandom_Uniform(random, 0.01, 0.1);
  double entries[6] = { link.mass * (y + z), 0.002 * link.mass, -0.003 * link.mass,
                        link.mass * (x + z), 0.001 * link.mass, link.mass * (x + y) };
  memcpy(link.inertia, entries, sizeof entries);
  link.q = crRandom_Uniform(random, -3.0, 3.0);
  link.v = crRandom_Uniform(random, -2.0, 2.0);
  link.a = crRandom_Uniform(random, -5.0, 5.0);
  return link;
}
