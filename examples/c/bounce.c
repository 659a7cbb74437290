// A steel ball falls 1 m onto a floor. Prints when each of its first contacts begins, next to sqrt(2 h / g) for the
// first. Needs the library carom alone: no text, no files.
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>

#define RADIUS 0.1 // [m]
#define HEIGHT 1.0 // [m] of the ball's lowest point

// An object with one steel part.
static crStatus addSteel(crScene* scene, const crObjectDef* object, const crShapeDef* shape)
{
  crFeatureDef feature = crDefaultFeatureDef(cr_featureSolid);
  feature.as.solid.shape = *shape;
  feature.as.solid.material = object->mobility == cr_mobilityWorld ? NULL : "Steel";
  feature.as.solid.contact = "Steel";
  crObjectDef def = *object;
  def.features = &feature, def.featureCount = 1;
  return crScene_AddObject(scene, &def, NULL);
}

static crStatus addBodies(crScene* scene)
{
  crObjectDef floor = crDefaultObjectDef("floor"), ball = crDefaultObjectDef("ball");
  crShapeDef plane = crDefaultShapeDef(cr_shapeHalfSpace), sphere = crDefaultShapeDef(cr_shapeSphere);
  floor.mobility = cr_mobilityWorld;
  ball.mobility = cr_mobilityFree;
  ball.position.z = HEIGHT + RADIUS;
  sphere.as.sphere.radius = RADIUS;
  crContactPairDef pair = crDefaultContactPairDef("Steel", "Steel");
  pair.cor = 0.8, pair.muK = 0.3, pair.muR = 0.001;
  crStatus status = addSteel(scene, &floor, &plane);
  status = status == cr_ok ? addSteel(scene, &ball, &sphere) : status;
  return status == cr_ok ? crScene_AddContactPair(scene, &pair, NULL) : status;
}

static crStatus atContact(void* context, const crContactRecord* contact)
{
  int* count = context;
  if (contact->phase == cr_contactBegin) {
    printf("contact %d at %.6f s", ++*count, contact->time);
    if (*count == 1) {
      printf(", expected %.6f s", sqrt(2 * HEIGHT / 9.81));
    }
    printf("\n");
  }
  return cr_ok;
}

static void printMessage(void* context, const crError* error)
{
  char text[1024];
  crError_Format(error, text, sizeof text);
  fprintf(context, "%s\n", text);
}

int main(void)
{
  crErrorSink sink = { .report = printMessage, .context = stderr };
  crScene* scene = NULL;
  crModel* model = NULL;
  crSimulation* simulation = NULL;
  int count = 0;
  crObserver observer = { .context = &count, .atContact = atContact };
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = 2.0;
  crRunEnd end;
  crStatus status = crCreateScene(NULL, &sink, &scene);
  status = status == cr_ok ? addBodies(scene) : status;
  status = status == cr_ok ? crCompile(scene, NULL, NULL, &sink, &model) : status;
  status = status == cr_ok ? crCreateSimulation(model, &options, NULL, &sink, &simulation) : status;
  status = status == cr_ok ? crSimulation_Run(simulation, &observer, &end) : status;
  crDestroySimulation(simulation);
  crDestroyModel(model);
  crDestroyScene(scene);
  return status == cr_ok ? 0 : 1;
}
