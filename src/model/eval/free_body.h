// Free bodies: the parts of the stages that need no recursion.
//
// With the centre of mass at c = h / m from the origin, and bias = (t, f) the wrench that the body needs to move with
// A0,
//
//   Ic w' = tau_w - t - c x (tau_v - f),   v' = (tau_v - f) / m - w' x c,   Ic = I - (h.h 1 - h h^T) / m
#ifndef CR_MODEL_EVAL_FREE_BODY_H
#define CR_MODEL_EVAL_FREE_BODY_H

#include "model/eval/instance.h"

// R of q / |q|, with twice the products of the quaternion's components over its square.
static inline crPlace crPlaceFree(const double* q)
{
  crPlace B;
  double w = q[3], x = q[4], y = q[5], z = q[6];
  double s = 2.0 / (w * w + x * x + y * y + z * z);
  double xx = s * x * x, yy = s * y * y, zz = s * z * z, xy = s * x * y, xz = s * x * z, yz = s * y * z;
  double wx = s * w * x, wy = s * w * y, wz = s * w * z;
  B.R = (crLanes33){ { 1.0 - (yy + zz), xy + wz, xz - wy, 0.0 },
                     { xy - wz, 1.0 - (xx + zz), yz + wx, 0.0 },
                     { xz + wy, yz - wx, 1.0 - (xx + yy), 0.0 } };
  B.p = (crLanes){ q[0], q[1], q[2], 0.0 };
  B.r = B.p;
  return B;
}

// bias of one body at stage velocity, F being its forces.
static inline crWrenchL crComputeBias(const crInstance* instance, int b)
{
  const crRigid* rigid = &instance->rigids[b];
  crLanes w = instance->V[b].w;
  crWrenchL N = crMulRigid(rigid, instance->model->links[b].mass, instance->A0[b]);
  crLanes t = N.t + crCrossL(w, crMulL(rigid->I, w)), f = N.f + crCrossL(w, crCrossL(w, rigid->h));
  return (crWrenchL){ t - instance->F[b].t, f - instance->F[b].f };
}

// M^-1 b of a symmetric matrix by Cramer's rule; false unless its determinant is positive.
static inline bool crSolveL33(crLanes33 M, crLanes b, crLanes* outX)
{
  crLanes33 adjoint = { crCrossL(M.y, M.z), crCrossL(M.z, M.x), crCrossL(M.x, M.y) };
  double determinant = crDotL(M.x, adjoint.x);
  *outX = crMulL(adjoint, b) * (1.0 / determinant);
  return determinant > 0.0;
}

static inline bool crAccelerateFree(crInstance* instance, const crLink* link, int b)
{
  const crRigid* rigid = &instance->rigids[b];
  const crWrenchL* bias = &instance->biases[b];
  const double* tau = instance->tau + link->dofStart;
  double* vdot = instance->vdot + link->dofStart;
  double inverse = 1.0 / link->mass;
  crLanes h = rigid->h, c = h * inverse, alpha;
  crLanes f = (crLanes){ tau[0], tau[1], tau[2], 0.0 } - bias->f;
  crLanes t = (crLanes){ tau[3], tau[4], tau[5], 0.0 } - bias->t - crCrossL(c, f);
  double hc = crDotL(h, c);
  crLanes33 I = crSubScaledOuterL(rigid->I, h, c, -1.0);
  I.x -= (crLanes){ hc, 0.0, 0.0, 0.0 };
  I.y -= (crLanes){ 0.0, hc, 0.0, 0.0 };
  I.z -= (crLanes){ 0.0, 0.0, hc, 0.0 };
  bool isGood = crSolveL33(I, t, &alpha) && link->mass > 0.0;
  crLanes a = f * inverse - crCrossL(alpha, c);
  for (int i = 0; i < 3; ++i) {
    vdot[i] = a[i];
    vdot[3 + i] = alpha[i];
  }
  instance->A[b] = (crMotionL){ alpha, a };
  return isGood;
}

// [J] Kinetic and potential energy of a body that is left alone (crModel.areAlone), in a state of its tree.
double crFindFreeEnergy(const crModel* model, int tree, const double* y, double* outPotential);

// Rates of a set of free bodies that are left alone (crModel.areAlone), all stages up to acceleration in two passes
// over them.
bool crHasShortPath(const crInstance* instance, crTreeSet set);
crStatus crMoveFreeBodies(crInstance* instance, crTreeSet set, double t, const double* y); // stage velocity alone
crStatus crEvalFreeForces(crInstance* instance, crTreeSet set, double t, const double* y); // contacts, no biases
crStatus crComputeFreeRates(crInstance* instance, crTreeSet set, double t, const double* y, double* outRates);

#endif
