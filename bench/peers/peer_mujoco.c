// MuJoCo: its functions for pairs of geoms, called on posed geoms. With a margin it tells distances up to the margin.
#include "../mujoco_messages.h"
#include "peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MARGIN 0.03 // [m] beyond the greatest distance of a pair
#define MAX_CONTACTS 50

typedef struct Context {
  mjModel* model;
  mjData* data;
  const BenchPairs* pairs;
  int firstB; // geoms of the second shapes follow those of the first
  double margin;
} Context;

static const char* const plainGeoms[] = { "sphere", "ellipsoid", "box", "cylinder", "capsule" };
#define PLAIN_COUNT ((int)(sizeof plainGeoms / sizeof *plainGeoms))

static int geomOf(const BenchShape* shape)
{
  switch (shape->def.kind) {
    case cr_shapeSphere: return 0;
    case cr_shapeEllipsoid: return 1;
    case cr_shapeBox: return 2;
    case cr_shapeCylinder: return 3;
    case cr_shapeCapsule: return 4;
    default: return PLAIN_COUNT + shape->hull;
  }
}

static void writeModel(FILE* file, const BenchPairs* pairs)
{
  fprintf(file, "<mujoco><option mpr_tolerance='1e-6' mpr_iterations='50'/><asset>");
  for (int h = 0; h < pairs->hullCount; ++h) {
    fprintf(file, "<mesh name='h%d' vertex='", h);
    for (int i = 0; i < pairs->hulls[h].pointCount; ++i) {
      crVec3 p = pairs->hulls[h].points[i];
      fprintf(file, "%.17g %.17g %.17g ", p.x, p.y, p.z);
    }
    fprintf(file, "'/>");
  }
  fprintf(file, "</asset><worldbody>");
  for (int side = 0; side < 2; ++side) {
    for (int i = 0; i < PLAIN_COUNT; ++i) {
      fprintf(file, "<geom type='%s' size='1 1 1'/>", plainGeoms[i]);
    }
    for (int h = 0; h < pairs->hullCount; ++h) {
      fprintf(file, "<geom type='mesh' mesh='h%d'/>", h);
    }
  }
  fprintf(file, "</worldbody></mujoco>");
}

static mjModel* loadModel(const BenchPairs* pairs)
{
  char path[] = "/tmp/carom_bench_XXXXXX.xml", error[1000] = "";
  int descriptor = mkstemps(path, 4);
  FILE* file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
  if (file == NULL) {
    return NULL;
  }
  writeModel(file, pairs);
  fclose(file);
  takeMujocoMessages();
  mjModel* model = mj_loadXML(path, NULL, error, sizeof error);
  unlink(path);
  return model;
}

static Context* prepare(const BenchPairs* pairs, double margin)
{
  Context* context = calloc(1, sizeof *context);
  context->model = loadModel(pairs);
  if (context->model == NULL) {
    exit(1);
  }
  context->data = mj_makeData(context->model);
  mj_forward(context->model, context->data);
  context->pairs = pairs;
  context->firstB = PLAIN_COUNT + pairs->hullCount;
  context->margin = margin;
  return context;
}

static void* prepareTouching(const BenchPairs* pairs)
{
  return prepare(pairs, 0.0);
}

static void* prepareMargin(const BenchPairs* pairs)
{
  return prepare(pairs, MARGIN);
}

static void setSize(mjtNum size[3], double x, double y, double z)
{
  size[0] = x;
  size[1] = y;
  size[2] = z;
}

static void sizeGeom(mjtNum size[3], const crShapeDef* def)
{
  switch (def->kind) {
    case cr_shapeSphere: setSize(size, def->as.sphere.radius, 0.0, 0.0); return;
    case cr_shapeEllipsoid:
      setSize(size, def->as.ellipsoid.radii.x, def->as.ellipsoid.radii.y, def->as.ellipsoid.radii.z);
      return;
    case cr_shapeBox:
      setSize(size, 0.5 * def->as.box.size.x, 0.5 * def->as.box.size.y, 0.5 * def->as.box.size.z);
      return;
    case cr_shapeCylinder: setSize(size, def->as.cylinder.radius, 0.5 * def->as.cylinder.length, 0.0); return;
    case cr_shapeCapsule: setSize(size, def->as.capsule.radius, 0.5 * def->as.capsule.length, 0.0); return;
    default: return; // a mesh has its own
  }
}

// A mesh has its frame in its centre of mass there.
static void placeGeom(const mjModel* model, mjData* data, int geom, const crPose* X)
{
  mjtNum R_BG[9];
  mju_quat2Mat(R_BG, model->geom_quat + 4 * geom);
  const mjtNum* p_BG = model->geom_pos + 3 * geom;
  crVec3 p = crTransformPoint(*X, crMakeVec3(p_BG[0], p_BG[1], p_BG[2]));
  setSize(data->geom_xpos + 3 * geom, p.x, p.y, p.z);
  mjtNum R_WB[9] = {
    X->R.cx.x, X->R.cy.x, X->R.cz.x, X->R.cx.y, X->R.cy.y, X->R.cz.y, X->R.cx.z, X->R.cy.z, X->R.cz.z
  };
  mju_mulMatMat(data->geom_xmat + 9 * geom, R_WB, R_BG, 3, 3, 3);
}

static double query(void* context, int index)
{
  Context* c = context;
  const BenchPair* pair = &c->pairs->pairs[index];
  int a = geomOf(&pair->a), b = c->firstB + geomOf(&pair->b);
  sizeGeom(c->model->geom_size + 3 * a, &pair->a.def);
  sizeGeom(c->model->geom_size + 3 * b, &pair->b.def);
  placeGeom(c->model, c->data, a, &pair->X_WA);
  placeGeom(c->model, c->data, b, &pair->X_WB);
  bool isOrdered = c->model->geom_type[a] <= c->model->geom_type[b];
  int first = isOrdered ? a : b, second = isOrdered ? b : a;
  mjContact contacts[MAX_CONTACTS];
  mjfCollision collide = mjCOLLISIONFUNC[c->model->geom_type[first]][c->model->geom_type[second]];
  int count = collide(c->model, c->data, contacts, first, second, c->margin);
  if (count == 0) {
    return c->margin > 0.0 ? NAN : 1.0;
  }
  double least = contacts[0].dist;
  for (int i = 1; i < count; ++i) {
    least = contacts[i].dist < least ? contacts[i].dist : least;
  }
  return least;
}

static bool canCompute(crShapeKind a, crShapeKind b)
{
  return a != cr_shapeCone && b != cr_shapeCone;
}

const BenchPeer bench_mujocoPeers[] = {
  { "MuJoCo", false, canCompute, prepareTouching, query },
  { "MuJoCo, margin 0.03", true, canCompute, prepareMargin, query },
  { NULL, false, NULL, NULL, NULL },
};
