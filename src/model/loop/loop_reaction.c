// Reactions in loops. Motion and applied forces give those of joints in a tree by Newton's and Euler's equations. With
// loops the constraint forces of the cut joints come in, and where rows depend on each other these are not determined:
// a door on three hinges does not tell how they share its weight.
//
// Forces that do no work on any motion, G^T x = 0, can be added. With rows 1 in use and rows 2 left out they are
//
//   x = N z,   N = (-A11^-1 A12 ; 1),   A = G W G^T
//
// Each goes around its loops as one wrench, through all of the joints. Of all reactions R + B N z, B handing the cut
// joints' forces to all joints, the ones taken have the least sum of squares over all joints, torques about the joint
// and divided by the loop's size. That does not depend on which joint was cut. z is found by conjugate gradients on
// (B N)^T (B N), which needs only products. Rows of couplings never depend on others (assembly.c), so no x = N z has a
// part of theirs.
#include "model/loop/loop.h"

#include <string.h>

#define CR_SHARE_ITERATIONS 200 // far more than the few kinds of ways in which joints share forces
#define CR_SHARE_ACCURACY 1e-12 // [-] of the gradient

typedef struct Sharing {
  crInstance* instance;
  crLoops* loops;
  int tree;
  double length;          // [m]
  double *z, *r, *p, *Ap; // of rows left out, at their places among all rows
  double* x;              // forces of all rows, in units of scaled rows
} Sharing;

// ---------------------------------------------------------------------------------------- wrenches of cuts

static crWrenchL cutWrench(const crCut* cut, const double* x)
{
  crWrenchL W = { crZeroLanes(), crZeroLanes() };
  for (int i = 0; i < cut->rowCount; ++i) {
    double force = x[cut->rowStart + i] * crRowScale(cut, cut->order[i]);
    W.t += cut->rows[cut->order[i]].t * force;
    W.f += cut->rows[cut->order[i]].f * force;
  }
  return W;
}

static crWrenchL weigh(crWrenchL W, double length)
{
  crWrenchL weighed = { W.t * (1.0 / (length * length)), W.f };
  return weighed;
}

static void clearBodies(Sharing* s)
{
  for (crCut* cut = crFirstCut(s->loops, s->tree); cut < crEndCut(s->loops, s->tree); ++cut) {
    for (int e = cut->entryStart; e < cut->entryStart + cut->entryCount; ++e) {
      s->loops->reactions[s->loops->entries[e].body] = (crWrenchL){ crZeroLanes(), crZeroLanes() };
    }
  }
}

// reactions += what joints of the trees transmit when x acts in the cuts and nothing else moves.
static void handToJoints(Sharing* s, const double* x)
{
  for (crCut* cut = crFirstCut(s->loops, s->tree); cut < crEndCut(s->loops, s->tree); ++cut) {
    crWrenchL W = cutWrench(cut, x);
    for (int e = 0; e < cut->entryCount; ++e) {
      int body = s->loops->entries[cut->entryStart + e].body;
      double side = s->loops->entries[cut->entryStart + e].side;
      crWrenchL moved = crShiftWrench(W, cut->p_WB - s->instance->places[body].p);
      s->loops->reactions[body].t -= moved.t * side;
      s->loops->reactions[body].f -= moved.f * side;
    }
  }
}

// gradient of half the sum of squares by the rows' forces: own wrench and those of all joints on the path.
static void gatherFromJoints(Sharing* s, const double* x, double* outGradient)
{
  for (crCut* cut = crFirstCut(s->loops, s->tree); cut < crEndCut(s->loops, s->tree); ++cut) {
    crWrenchL sum = weigh(cutWrench(cut, x), s->length);
    for (int e = 0; e < cut->entryCount; ++e) {
      int body = s->loops->entries[cut->entryStart + e].body;
      double side = s->loops->entries[cut->entryStart + e].side;
      crWrenchL R = weigh(s->loops->reactions[body], s->length);
      // the transposed shift: a force at the cut turns about the body's origin
      sum.t -= R.t * side;
      sum.f -= (R.f + crCrossL(R.t, cut->p_WB - s->instance->places[body].p)) * side;
    }
    for (int i = 0; i < cut->rowCount; ++i) {
      const crWrenchL* row = &cut->rows[cut->order[i]];
      outGradient[cut->rowStart + i] = crRowScale(cut, cut->order[i]) * (crDotL(row->t, sum.t) + crDotL(row->f, sum.f));
    }
  }
}

// ------------------------------------------------------------------------------------------- null space

static const double* valuesOf(const crLoops* loops, const crCut* cut, int dof)
{
  return loops->k + (size_t)(cut->dofStart + dof) * CR_MAX_ROWS;
}

// changes := sum over rows [from, to) of k x; `from` and `to` are those in use, or those left out.
static void spread(Sharing* s, bool isActive, const double* x)
{
  const crLoops* loops = s->loops;
  for (crCut* cut = crFirstCut(loops, s->tree); cut < crEndCut(loops, s->tree); ++cut) {
    for (int e = cut->entryStart; e < cut->entryStart + cut->entryCount; ++e) {
      const crLink* link = &s->instance->model->links[loops->entries[e].body];
      for (int d = 0; d < link->vCount; ++d) {
        loops->changes[link->dofStart + d] = 0.0;
      }
    }
  }
  for (crCut* cut = crFirstCut(loops, s->tree); cut < crEndCut(loops, s->tree); ++cut) {
    int from = isActive ? 0 : cut->activeCount, to = isActive ? cut->activeCount : cut->rowCount;
    for (int e = cut->entryStart; e < cut->entryStart + cut->entryCount; ++e) {
      const crLink* link = &s->instance->model->links[loops->entries[e].body];
      for (int d = 0; d < link->vCount; ++d) {
        const double* k = valuesOf(loops, cut, loops->entries[e].dofStart + d);
        for (int i = from; i < to; ++i) {
          loops->changes[link->dofStart + d] += k[i] * x[cut->rowStart + i];
        }
      }
    }
  }
}

static void collect(Sharing* s, bool isActive, double* out)
{
  const crLoops* loops = s->loops;
  for (crCut* cut = crFirstCut(loops, s->tree); cut < crEndCut(loops, s->tree); ++cut) {
    int from = isActive ? 0 : cut->activeCount, to = isActive ? cut->activeCount : cut->rowCount;
    for (int i = from; i < to; ++i) {
      out[cut->rowStart + i] = 0.0;
    }
    for (int e = cut->entryStart; e < cut->entryStart + cut->entryCount; ++e) {
      const crLink* link = &s->instance->model->links[loops->entries[e].body];
      for (int d = 0; d < link->vCount; ++d) {
        const double* k = valuesOf(loops, cut, loops->entries[e].dofStart + d);
        for (int i = from; i < to; ++i) {
          out[cut->rowStart + i] += k[i] * loops->changes[link->dofStart + d];
        }
      }
    }
  }
}

// x1 := A11^-1 x1
static void solveActive(Sharing* s, double* x)
{
  double* solution = crGetSolution(s->instance, s->tree);
  for (crCut* cut = crFirstCut(s->loops, s->tree); cut < crEndCut(s->loops, s->tree); ++cut) {
    for (int i = 0; i < cut->activeCount; ++i) {
      solution[cut->activeStart + i] = x[cut->rowStart + i];
    }
  }
  crSolveRows(s->instance, s->tree);
  for (crCut* cut = crFirstCut(s->loops, s->tree); cut < crEndCut(s->loops, s->tree); ++cut) {
    for (int i = 0; i < cut->activeCount; ++i) {
      x[cut->rowStart + i] = solution[cut->activeStart + i];
    }
  }
}

// x := N z
static void applyNull(Sharing* s, const double* z, double* x)
{
  spread(s, false, z);
  collect(s, true, x);
  solveActive(s, x);
  for (crCut* cut = crFirstCut(s->loops, s->tree); cut < crEndCut(s->loops, s->tree); ++cut) {
    for (int i = 0; i < cut->rowCount; ++i) {
      x[cut->rowStart + i] = i < cut->activeCount ? -x[cut->rowStart + i] : z[cut->rowStart + i];
    }
  }
}

// out := N^T x; x is overwritten.
static void applyNullTransposed(Sharing* s, double* x, double* out)
{
  solveActive(s, x);
  spread(s, true, x);
  collect(s, false, out);
  for (crCut* cut = crFirstCut(s->loops, s->tree); cut < crEndCut(s->loops, s->tree); ++cut) {
    for (int i = cut->activeCount; i < cut->rowCount; ++i) {
      out[cut->rowStart + i] = x[cut->rowStart + i] - out[cut->rowStart + i];
    }
  }
}

// --------------------------------------------------------------------------------------- least squares

static double dotLeftOut(const Sharing* s, const double* a, const double* b)
{
  double sum = 0.0;
  for (crCut* cut = crFirstCut(s->loops, s->tree); cut < crEndCut(s->loops, s->tree); ++cut) {
    for (int i = cut->activeCount; i < cut->rowCount; ++i) {
      sum += a[cut->rowStart + i] * b[cut->rowStart + i];
    }
  }
  return sum;
}

static void addLeftOut(const Sharing* s, double* a, double factor, const double* b)
{
  for (crCut* cut = crFirstCut(s->loops, s->tree); cut < crEndCut(s->loops, s->tree); ++cut) {
    for (int i = cut->activeCount; i < cut->rowCount; ++i) {
      a[cut->rowStart + i] += factor * b[cut->rowStart + i];
    }
  }
}

// out := (B N)^T (B N) z
static void applyNormal(Sharing* s, const double* z, double* out, double* gradient)
{
  applyNull(s, z, s->x);
  clearBodies(s);
  handToJoints(s, s->x);
  gatherFromJoints(s, s->x, gradient);
  applyNullTransposed(s, gradient, out);
}

// z from -(B N)^T R, which is in r.
static void iterate(Sharing* s, double* gradient)
{
  double rr = dotLeftOut(s, s->r, s->r), first = rr;
  for (crCut* cut = crFirstCut(s->loops, s->tree); cut < crEndCut(s->loops, s->tree); ++cut) {
    for (int i = 0; i < cut->rowCount; ++i) {
      s->z[cut->rowStart + i] = 0.0;
      s->p[cut->rowStart + i] = s->r[cut->rowStart + i];
    }
  }
  for (int step = 0; step < CR_SHARE_ITERATIONS && rr > CR_SHARE_ACCURACY * CR_SHARE_ACCURACY * first; ++step) {
    applyNormal(s, s->p, s->Ap, gradient);
    double pAp = dotLeftOut(s, s->p, s->Ap);
    if (!(pAp > 0.0)) {
      break;
    }
    addLeftOut(s, s->z, rr / pAp, s->p);
    addLeftOut(s, s->r, -rr / pAp, s->Ap);
    double next = dotLeftOut(s, s->r, s->r), factor = next / rr;
    for (crCut* cut = crFirstCut(s->loops, s->tree); cut < crEndCut(s->loops, s->tree); ++cut) {
      for (int i = cut->activeCount; i < cut->rowCount; ++i) {
        s->p[cut->rowStart + i] = s->r[cut->rowStart + i] + factor * s->p[cut->rowStart + i];
      }
    }
    rr = next;
  }
}

// ----------------------------------------------------------------------------------- Newton and Euler

// W += sign W about a cut's B, on a body.
static void addToBody(crInstance* instance, int body, const crCut* cut, crWrenchL W, double sign)
{
  if (body > 0) {
    crWrenchL moved = crShiftWrench(W, cut->p_WB - instance->places[body].p);
    instance->W[body].t += moved.t * sign;
    instance->W[body].f += moved.f * sign;
  }
}

// With what couplings exert on its coordinate. A coupling of its own has no rows of wrenches.
static crWrenchL constraintWrench(const crInstance* instance, const crCut* cut)
{
  double push = crIsCoupling(cut) ? 0.0 : crGetRigidPush(instance, cut->joint);
  crWrenchL W = { cut->duals[0].t * push, cut->duals[0].f * push };
  for (int r = 0; r < cut->rowCount; ++r) {
    W.t += cut->rows[r].t * cut->reaction[r];
    W.f += cut->rows[r].f * cut->reaction[r];
  }
  return W;
}

// What every joint transmits to its body, from accelerations and the cuts' forces.
static void transmit(crInstance* instance, int tree)
{
  const crModel* model = instance->model;
  crLoops* loops = instance->loops;
  for (int t = tree; t < model->size.treeCount; ++t) {
    const crTree* record = &model->trees[t];
    for (int b = record->bodyStart; model->components[t] == tree && b < record->bodyStart + record->bodyCount; ++b) {
      crWrenchL W = crMulRigid(&instance->rigids[b], model->links[b].mass, instance->A[b]);
      instance->W[b] = (crWrenchL){ W.t + instance->biases[b].t, W.f + instance->biases[b].f };
    }
  }
  for (crCut* cut = crFirstCut(loops, tree); cut < crEndCut(loops, tree); ++cut) {
    crWrenchL W = constraintWrench(instance, cut);
    addToBody(instance, cut->bodyB, cut, W, -1.0);
    addToBody(instance, cut->bodyA, cut, W, 1.0);
  }
  for (int t = tree; t < model->size.treeCount; ++t) {
    const crTree* record = &model->trees[t];
    for (int b = record->bodyStart + record->bodyCount - 1; model->components[t] == tree && b >= record->bodyStart;
         --b) {
      int parent = model->links[b].parent;
      loops->reactions[b] = instance->W[b];
      if (parent > 0) {
        crWrenchL moved = crShiftWrench(instance->W[b], instance->places[b].r);
        instance->W[parent].t += moved.t;
        instance->W[parent].f += moved.f;
      }
    }
  }
}

// -------------------------------------------------------------------------------------------- reactions

// The rows of all cuts through the trees, those left out as well, and the factor of those in use.
static void prepare(Sharing* s)
{
  for (crCut* cut = crFirstCut(s->loops, s->tree); cut < crEndCut(s->loops, s->tree); ++cut) {
    cut->savedCount = cut->activeCount;
    cut->savedLength = cut->length;
    cut->activeCount = cut->rowCount;
  }
  crPropagateRows(s->instance, s->tree, cr_rowsGeometric);
  s->length = 0.0;
  for (crCut* cut = crFirstCut(s->loops, s->tree); cut < crEndCut(s->loops, s->tree); ++cut) {
    cut->activeCount = cut->savedCount;
    s->length = crIsCoupling(cut) ? s->length : fmax(s->length, cut->length);
  }
  crFactorRows(s->instance, s->tree, cr_rowsGeometric, 0.0);
}

static void share(crInstance* instance, int tree)
{
  crLoops* loops = instance->loops;
  size_t rows = (size_t)loops->rowCount;
  Sharing s = { .instance = instance,
                .loops = loops,
                .tree = tree,
                .z = loops->scratch,
                .r = loops->scratch + rows,
                .p = loops->scratch + 2 * rows,
                .Ap = loops->scratch + 3 * rows,
                .x = loops->scratch + 4 * rows };
  double* gradient = loops->scratch + 5 * rows;
  prepare(&s);
  for (crCut* cut = crFirstCut(loops, tree); cut < crEndCut(loops, tree); ++cut) {
    for (int i = 0; i < cut->rowCount; ++i) {
      s.x[cut->rowStart + i] = cut->reaction[cut->order[i]] / crRowScale(cut, cut->order[i]);
    }
  }
  gatherFromJoints(&s, s.x, gradient); // of the reactions without sharing, which transmit() has left in the bodies
  applyNullTransposed(&s, gradient, s.r);
  for (crCut* cut = crFirstCut(loops, tree); cut < crEndCut(loops, tree); ++cut) {
    for (int i = 0; i < cut->rowCount; ++i) {
      s.r[cut->rowStart + i] = i < cut->activeCount ? 0.0 : -s.r[cut->rowStart + i];
    }
  }
  iterate(&s, gradient);
  applyNull(&s, s.z, s.x);
  for (crCut* cut = crFirstCut(loops, tree); cut < crEndCut(loops, tree); ++cut) {
    for (int i = 0; i < cut->rowCount; ++i) {
      cut->reaction[cut->order[i]] += s.x[cut->rowStart + i] * crRowScale(cut, cut->order[i]);
    }
    cut->length = cut->savedLength; // what is only looked at leaves nothing to the steps that follow
  }
}

void crShareReactions(crInstance* instance, int tree)
{
  bool isShared = false;
  for (crCut* cut = crFirstCut(instance->loops, tree); cut < crEndCut(instance->loops, tree); ++cut) {
    memset(cut->reaction, 0, sizeof cut->reaction);
    for (int i = 0; i < cut->activeCount; ++i) {
      cut->reaction[cut->order[i]] = cut->lambda[i];
    }
    isShared = isShared || cut->activeCount < cut->rowCount;
  }
  transmit(instance, tree);
  if (isShared) {
    share(instance, tree);
    transmit(instance, tree);
  }
}
