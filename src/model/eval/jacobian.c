// Jacobians: the motion of a frame by the rates, and the rates of the state by the state.
#include "model/eval/difference.h"

#include <string.h>

// ----------------------------------------------------------------------------------------------- frame

// A column: (S_w, S_v + S_w x (p_WO - p_WB)).
static void fillColumn(const crInstance* instance, int body, int dof, crLanes p_WO, double* outColumn)
{
  crMotionL S = instance->S[dof];
  crLanes v = S.v + crCrossL(S.w, p_WO - instance->places[body].p);
  for (int i = 0; i < 3; ++i) {
    outColumn[i] = S.w[i];
    outColumn[3 + i] = v[i];
  }
}

// The columns of all joints between an object and the world; `matrix` is that of the set from the tree's first column
// on.
static void fillPath(const crInstance* instance, int object, int dofStart, double* matrix)
{
  const crLink* links = instance->model->links;
  crLanes p_WO = crToLanes(crInstance_GetPose(instance, object).p);
  for (int b = instance->model->objects[object].body; b > 0; b = links[b].parent) {
    for (int dof = links[b].dofStart; dof < links[b].dofStart + links[b].vCount; ++dof) {
      fillColumn(instance, b, dof, p_WO, matrix + (size_t)6 * (size_t)(dof - dofStart));
    }
  }
}

crStatus crInstance_ComputeFrameJacobian(crInstance* instance, crTreeSet set, double t, const double* y, int object,
                                         double* outMatrix)
{
  if (!crCanEvaluate(instance, set) || y == NULL || outMatrix == NULL || object < 0 ||
      object >= instance->model->size.objectCount) {
    return cr_errorMisuse;
  }
  const crModel* model = instance->model;
  crInstance_SetState(instance, set, t, y);
  crStatus status = crInstance_Eval(instance, set, cr_stagePosition);
  if (status != cr_ok) {
    return status;
  }
  memset(outMatrix, 0, 6 * (size_t)crModel_CountRates(model, set) * sizeof *outMatrix);
  for (int k = 0; k < set.treeCount; ++k) {
    if (set.trees[k] == model->bodies[model->objects[object].body].tree) {
      fillPath(instance, object, model->treeDofs[set.trees[k]], outMatrix);
    }
    outMatrix += (size_t)6 * (size_t)model->trees[set.trees[k]].vCount;
  }
  return cr_ok;
}

// ---------------------------------------------------------------------------------------- linearization

// What friction makes of a rate: where it fades, or at what a damper beside a bristle alone makes it slide.
static double frictionScale(const crInstance* instance, const crModelJoint* joint, int i)
{
  const crJointLaw* law = &instance->model->jointLaws[joint->law];
  int bristle = crFindBristle(instance->model, joint, i);
  if (bristle >= 0) {
    return law->frictionStatic[i] / instance->bristleDampings[bristle];
  }
  return law->friction[i] != 0.0 ? law->frictionRate[i] : HUGE_VAL;
}

// A rate that is subject to dry friction varies on friction's scale, and so does the stretch of a bristle.
double crGetStateStep(const crInstance* instance, int tree, int state)
{
  const crModel* model = instance->model;
  crStatePlace place = crLocateState(model, tree, state);
  double scale = crGetNominal(model, place);
  if (place.bristle >= 0) {
    const crJointBristle* bristle = &model->bristles[place.bristle];
    const crJointLaw* law = crGetJointLaw(model, &model->joints[bristle->joint]);
    scale = fmin(scale, law->frictionStatic[bristle->index] / law->frictionStiffness[bristle->index]);
  } else if (place.coupling >= 0 && model->couplings[place.coupling].frictionStatic > 0.0) {
    const crModelCoupling* coupling = &model->couplings[place.coupling];
    scale = fmin(scale, coupling->frictionStatic / coupling->frictionStiffness);
  } else if (place.joint >= 0 && place.isRate) {
    double ofLaw = model->joints[place.joint].law >= 0
                       ? frictionScale(instance, &model->joints[place.joint], place.index)
                       : HUGE_VAL;
    double ofClutch = model->clutchCount > 0 ? instance->clutchRates[place.joint] : HUGE_VAL;
    scale = fmin(scale, fmin(ofLaw, ofClutch));
  }
  return CR_LINEARIZE_STEP * scale;
}

// Trees that are not coupled are moved at the same time, one state of each component: a colour. All arrays are of
// trees.
typedef struct Colouring {
  int* counts;   // states of the component, at its first tree
  int* offsets;  // first state of the tree in its component
  int* columns;  // of the matrix, at the component's first tree; -1: the component has no more states
  double* steps; // of the state that is moved, at the component's first tree
} Colouring;

static int countColours(const crModel* model, crTreeSet set, Colouring* c)
{
  int colours = 0;
  for (int k = 0; k < set.treeCount; ++k) {
    c->counts[model->components[set.trees[k]]] = 0;
  }
  for (int k = 0; k < set.treeCount; ++k) {
    int* count = &c->counts[model->components[set.trees[k]]];
    c->offsets[set.trees[k]] = *count;
    *count += crTreeStateCount(&model->trees[set.trees[k]]);
    colours = *count > colours ? *count : colours;
  }
  return colours;
}

static void chooseColumns(const crInstance* instance, crTreeSet set, int colour, Colouring* c)
{
  const crModel* model = instance->model;
  int place = 0;
  for (int k = 0; k < set.treeCount; ++k) {
    int t = set.trees[k], component = model->components[t], state = colour - c->offsets[t];
    if (c->offsets[t] == 0) {
      c->columns[component] = -1;
    }
    if (state >= 0 && state < crTreeStateCount(&model->trees[t])) {
      c->columns[component] = place + state;
      c->steps[component] = crGetStateStep(instance, t, state);
    }
    place += crTreeStateCount(&model->trees[t]);
  }
}

// The rates with the chosen states moved by `step` times their steps, into instance->rates.
static crStatus evalMoved(crInstance* instance, crTreeSet set, double t, const double* y, const Colouring* c,
                          double step)
{
  const crModel* model = instance->model;
  int place = 0;
  crInstance_SetState(instance, set, t, y);
  for (int k = 0; k < set.treeCount; ++k) {
    const crTree* tree = &model->trees[set.trees[k]];
    int component = model->components[set.trees[k]], state = c->columns[component] - place;
    if (state >= 0 && state < crTreeStateCount(tree)) {
      instance->y[tree->qStart + state] += step * c->steps[component];
    }
    place += crTreeStateCount(tree);
  }
  crStatus status = crInstance_Eval(instance, set, cr_stageAcceleration);
  for (int k = 0; k < set.treeCount && status == cr_ok; ++k) {
    crGetTreeRates(instance, set.trees[k], instance->rates + model->trees[set.trees[k]].qStart);
  }
  return status;
}

// Every tree adds to its component's column.
static void addRates(const crInstance* instance, crTreeSet set, const Colouring* c, double weight, double* outA,
                     int size)
{
  const crModel* model = instance->model;
  int place = 0;
  for (int k = 0; k < set.treeCount; ++k) {
    const crTree* tree = &model->trees[set.trees[k]];
    int component = model->components[set.trees[k]], column = c->columns[component];
    for (int i = 0; column >= 0 && i < crTreeStateCount(tree); ++i) {
      outA[(size_t)column * (size_t)size + (size_t)(place + i)] +=
          weight / c->steps[component] * instance->rates[tree->qStart + i];
    }
    place += crTreeStateCount(tree);
  }
}

crStatus crInstance_Linearize(crInstance* instance, crTreeSet set, double t, const double* y, double* outA)
{
  if (!crCanEvaluate(instance, set) || y == NULL || outA == NULL) {
    return cr_errorMisuse;
  }
  const crModel* model = instance->model;
  int size = crModel_CountStates(model, set), treeCount = model->size.treeCount;
  Colouring c = { instance->marks, instance->marks + treeCount, instance->marks + 2 * (size_t)treeCount,
                  instance->steps };
  crStatus status = cr_ok;
  int colours = countColours(model, set, &c);
  memset(outA, 0, (size_t)size * (size_t)size * sizeof *outA);
  for (int colour = 0; colour < colours && status == cr_ok; ++colour) {
    chooseColumns(instance, set, colour, &c);
    for (int i = 0; i < CR_STENCIL_COUNT && status == cr_ok; ++i) {
      crStencilPoint point = crGetStencilPoint(i);
      status = evalMoved(instance, set, t, y, &c, point.step);
      addRates(instance, set, &c, point.weight, outA, size);
    }
  }
  crInstance_SetState(instance, set, t, y);
  return status;
}
