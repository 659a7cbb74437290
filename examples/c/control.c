// Carom with signals from outside: a function in C, an input that the host sets, an output that it reads, and the
// linear model between the two.
#include <carom/carom.h>
#include <carom/io.h>
#include <stdio.h>
#include <string.h>

static const char text[] =
    "scene{ gravity = 'none' }\n"
    "local ground = world('ground')\n"
    "local cart = object('cart', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
    "prismatic('slide', ground, cart, { force = sum('drive', { inputs = { 'law', 'push' } }) })\n"
    "jointSensor('x', { joint = 'slide' })\n"
    "input('push', { unit = 'N' })\n"
    "output('position', { signal = 'x', unit = 'm' })\n";

static crStatus callSpring(void* context, double t, const double* arguments, double* states, double* outValue)
{
  (void)t;
  (void)states; // of sampled functions
  *outValue = -*(const double*)context * arguments[0];
  return cr_ok;
}

static crStatus addSpring(crScene* scene, double* stiffness)
{
  crArgument argument = { .signal = "x" };
  crSignalDef def = crDefaultSignalDef(cr_signalFunction, "law");
  def.as.function.arguments = &argument;
  def.as.function.argumentCount = 1;
  def.as.function.function = (crFunction){ .call = callSpring, .context = stiffness };
  return crScene_AddSignal(scene, &def, NULL);
}

static crStatus push(const crModel* model, crSimulation* simulation, double force, double t)
{
  crStatus status = crSimulation_SetInput(simulation, crModel_FindInput(model, "push"), force);
  status = status == cr_ok ? crSimulation_Advance(simulation, t) : status;
  double position = crInstance_GetOutput(crSimulation_GetInstance(simulation), crModel_FindOutput(model, "position"));
  printf("pushed by %g N until %.2f s: at %.4f m\n", force, t, position);
  return status;
}

// The run's instance is for reading; what evaluates elsewhere has one of its own.
static crStatus linearize(const crModel* model, const crSimulation* simulation)
{
  crTreeSet all = crModel_GetAllTrees(model);
  crInstance* instance;
  double y[2], A[4], B[2], C[2], D[1];
  crInstance_GetState(crSimulation_GetInstance(simulation), all, y);
  crStatus status = crCreateInstance(model, NULL, NULL, &instance);
  status = status == cr_ok ? crInstance_Linearize(instance, all, 0.0, y, A) : status;
  status = status == cr_ok ? crInstance_LinearizePorts(instance, all, 0.0, y, B, C, D) : status;
  printf("A = [%.4f %.4f; %.4f %.4f], B = [%.4f; %.4f], C = [%.4f %.4f], D = %.4f\n", A[0], A[2], A[1], A[3], B[0],
         B[1], C[0], C[1], D[0]);
  crDestroyInstance(instance);
  return status;
}

int main(void)
{
  double stiffness = 4.0; // [N/m] must outlive the model
  crScene* scene = NULL;
  crModel* model = NULL;
  crSimulation* simulation = NULL;
  crStatus status = crReadLua(text, strlen(text), "cart", NULL, NULL, NULL, NULL, &scene);
  status = status == cr_ok ? addSpring(scene, &stiffness) : status;
  status = status == cr_ok ? crCompile(scene, NULL, NULL, NULL, &model) : status;
  status = status == cr_ok ? crCreateSimulation(model, NULL, NULL, NULL, &simulation) : status;
  status = status == cr_ok ? push(model, simulation, 2.0, 1.57) : status;
  status = status == cr_ok ? push(model, simulation, 0.0, 3.14) : status;
  status = status == cr_ok ? linearize(model, simulation) : status;
  crDestroySimulation(simulation);
  crDestroyModel(model);
  crDestroyScene(scene);
  return status == cr_ok ? 0 : 1;
}
