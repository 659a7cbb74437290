// Stage acceleration: the articulated-body algorithm [Featherstone08] section 7.3, O(n).
//
// Accelerations are split as A_B = A0_B + a_B, A0 with all v' = 0 (stage velocity). The wrench that a body needs is
// then bias + I a with bias = I A0 + gyroscopic terms - F (stage force), and the recursion has no velocity products
// left:
//
//   a_B = X a_P + S v',    X a_P = (w_P', v_P' + w_P' x r)
//
// Inwards, for each body, with the articulated inertia IA and bias pA of it and all behind it, as blocks
// (I, G^T; G, M), H = G^T:
//
//   U = IA S      D = S^T U + rotor = L L^T      Z = U L^-T      y = L^-1 (tau - S^T pA)
//   Ia = IA - Z Z^T      pa = pA + Z y
//
// and Ia, pa are added to the parent's IA, pA, moved to its origin (X^T Ia X, X^T pa):
//
//   M' = M    G' = G - M [r]x    I' = I + [r]x G + ([r]x G')^T    t' = t + r x f    f' = f
//
// Outwards, with Z moved to the parent's origin as well, so that the parent's acceleration is used as it is:
//
//   v' = L^-T (y - Z^T a_P)
//
// A revolute joint has S = (e, 0) and a scalar D; it is written out without L: Z = U / D, y = u / D.
#include "model/eval/instance.h"

#include <float.h>

// ----------------------------------------------------------------------------------------------- inwards

// X^T Ia X and X^T pa added to what the parent has.
static inline void addToParent(crArticulated* P, crLanes33 I, crLanes33 G, crLanes33 M, crWrenchL bias, crLanes r)
{
  crLanes33 Mr = crMulCrossL(M, r);
  crLanes33 moved = { G.x - Mr.x, G.y - Mr.y, G.z - Mr.z };
  crLanes33 K = crCrossMulL(r, G);
  crLanes33 Kt = crTransposeL(crCrossMulL(r, moved));
  P->M = crAddL33(P->M, M);
  P->G = crAddL33(P->G, moved);
  P->I = crAddL33(P->I, crAddL33(I, crAddL33(K, Kt)));
  P->bias.t += bias.t + crCrossL(r, bias.f);
  P->bias.f += bias.f;
}

static inline bool articulateRevolute(crInstance* instance, const crLink* link, int b, double floor)
{
  const crArticulated* B = &instance->articulated[b];
  crPivot* pivot = &instance->pivots[link->dofStart];
  crLanes e = instance->places[b].R.z, r = instance->places[b].r;
  crWrenchL U = { crMulL(B->I, e), crMulL(B->G, e) };
  double D = crDotL(e, U.t) + instance->rotor[link->dofStart];
  bool isGood = D > floor;
  double inverse = isGood ? 1.0 / D : 0.0;
  double y = (instance->tau[link->dofStart] - crDotL(e, B->bias.t)) * inverse;
  crWrenchL Z = { U.t * inverse, U.f * inverse };
  pivot->Z = crShiftWrench(Z, r);
  pivot->y = y;
  pivot->pivot = D;
  if (link->parent > 0) {
    crWrenchL bias = { B->bias.t + U.t * y, B->bias.f + U.f * y };
    addToParent(&instance->articulated[link->parent], crSubOuterL(B->I, U.t, Z.t), crSubOuterL(B->G, U.f, Z.t),
                crSubOuterL(B->M, U.f, Z.f), bias, r);
  }
  return isGood;
}

// Row i of the factor, from D_ij in it, and whether its pivot is above the floor. A locked row is that of an infinite
// pivot: nothing moves along it, and it does not matter to the others.
static bool factorRow(crPivot* pivots, int i, double floor)
{
  double* row = pivots[i].L;
  for (int j = 0; j < i; ++j) {
    for (int k = 0; k < j; ++k) {
      row[j] -= row[k] * pivots[j].L[k];
    }
    row[j] = pivots[j].L[j] > 0.0 ? row[j] / pivots[j].L[j] : 0.0;
  }
  for (int k = 0; k < i; ++k) {
    row[i] -= row[k] * row[k];
  }
  pivots[i].pivot = row[i];
  bool isGood = row[i] > floor;
  row[i] = isGood ? sqrt(row[i]) : 0.0;
  return isGood;
}

// Z_i = (U_i - sum L_ij Z_j) / L_ii, and likewise y_i; U and u are in their places on entry.
static void solveRow(crPivot* pivots, int i)
{
  double inverse = pivots[i].L[i] > 0.0 ? 1.0 / pivots[i].L[i] : 0.0;
  for (int j = 0; j < i; ++j) {
    pivots[i].Z.t -= pivots[j].Z.t * pivots[i].L[j];
    pivots[i].Z.f -= pivots[j].Z.f * pivots[i].L[j];
    pivots[i].y -= pivots[j].y * pivots[i].L[j];
  }
  pivots[i].Z.t *= inverse;
  pivots[i].Z.f *= inverse;
  pivots[i].y *= inverse;
}

static bool articulateGeneral(crInstance* instance, const crLink* link, int b, const double* floors)
{
  const crArticulated* B = &instance->articulated[b];
  const crMotionL* S = &instance->S[link->dofStart];
  crPivot* pivots = &instance->pivots[link->dofStart];
  crLanes33 I = B->I, G = B->G, M = B->M;
  crWrenchL bias = B->bias;
  crLanes r = instance->places[b].r;
  bool areGood = true;
  for (int i = 0; i < link->vCount; ++i) {
    crWrenchL U = crMulArticulated(B, S[i]);
    for (int j = 0; j <= i; ++j) {
      pivots[i].L[j] = crPowerL(U, S[j]);
    }
    pivots[i].L[i] += instance->rotor[link->dofStart + i];
    pivots[i].Z = U;
    pivots[i].y = instance->tau[link->dofStart + i] - crPowerL(B->bias, S[i]);
    areGood &= factorRow(pivots, i, floors != NULL ? floors[link->dofStart + i] : 0.0);
    solveRow(pivots, i);
  }
  for (int i = 0; i < link->vCount; ++i) {
    crWrenchL Z = pivots[i].Z;
    I = crSubOuterL(I, Z.t, Z.t);
    G = crSubOuterL(G, Z.f, Z.t);
    M = crSubOuterL(M, Z.f, Z.f);
    bias.t += Z.t * pivots[i].y;
    bias.f += Z.f * pivots[i].y;
    pivots[i].Z = crShiftWrench(Z, r);
  }
  if (link->parent > 0) {
    addToParent(&instance->articulated[link->parent], I, G, M, bias, r);
  }
  return areGood;
}

bool crArticulateBody(crInstance* instance, int body, const double* floors)
{
  const crLink* link = &instance->model->links[body];
  if (link->isRevolute) {
    return articulateRevolute(instance, link, body, floors != NULL ? floors[link->dofStart] : 0.0);
  }
  return articulateGeneral(instance, link, body, floors);
}

void crLockBody(crInstance* instance, int body)
{
  const crArticulated* B = &instance->articulated[body];
  int parent = instance->model->links[body].parent;
  if (parent > 0) {
    addToParent(&instance->articulated[parent], B->I, B->G, B->M, B->bias, instance->places[body].r);
  }
}

// Each body alone: H = [h]x, so G = -[h]x.
void crStartArticulated(crInstance* instance, const crTree* tree)
{
  for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
    crArticulated* B = &instance->articulated[b];
    crLanes h = instance->rigids[b].h;
    double m = instance->model->links[b].mass;
    B->I = instance->rigids[b].I;
    B->G = (crLanes33){ { 0.0, -h[2], h[1], 0.0 }, { h[2], 0.0, -h[0], 0.0 }, { -h[1], h[0], 0.0, 0.0 } };
    B->M = (crLanes33){ { m, 0.0, 0.0, 0.0 }, { 0.0, m, 0.0, 0.0 }, { 0.0, 0.0, m, 0.0 } };
    B->bias = instance->biases[b];
  }
}

// ---------------------------------------------------------------------------------------------- outwards

static inline void accelerateRevolute(crInstance* instance, const crLink* link, int b)
{
  const crPivot* pivot = &instance->pivots[link->dofStart];
  crMotionL P = instance->A[link->parent];
  double vdot = pivot->y - crPowerL(pivot->Z, P);
  instance->vdot[link->dofStart] = vdot;
  instance->A[b] = (crMotionL){ P.w + instance->places[b].R.z * vdot, P.v + crCrossL(P.w, instance->places[b].r) };
}

static void accelerateGeneral(crInstance* instance, const crLink* link, int b)
{
  const crPivot* pivots = &instance->pivots[link->dofStart];
  const crMotionL* S = &instance->S[link->dofStart];
  double* vdot = &instance->vdot[link->dofStart];
  crMotionL P = instance->A[link->parent];
  crMotionL A = { P.w, P.v + crCrossL(P.w, instance->places[b].r) };
  for (int i = link->vCount - 1; i >= 0; --i) {
    double x = pivots[i].y - crPowerL(pivots[i].Z, P);
    for (int j = i + 1; j < link->vCount; ++j) {
      x -= pivots[j].L[i] * vdot[j];
    }
    vdot[i] = pivots[i].L[i] > 0.0 ? x / pivots[i].L[i] : 0.0;
    A.w += S[i].w * vdot[i];
    A.v += S[i].v * vdot[i];
  }
  instance->A[b] = A;
}

crStatus crEvalAcceleration(crInstance* instance, const crTree* tree)
{
  const crLink* links = instance->model->links;
  int first = tree->bodyStart, last = tree->bodyStart + tree->bodyCount - 1;
  bool isGood = true;
  crStartArticulated(instance, tree);
  for (int b = last; b >= first; --b) {
    isGood &= crArticulateBody(instance, b, NULL);
  }
  for (int b = first; b <= last; ++b) {
    if (links[b].isRevolute) {
      accelerateRevolute(instance, &links[b], b);
    } else {
      accelerateGeneral(instance, &links[b], b);
    }
  }
  const double* vdot = instance->vdot + links[first].dofStart;
  for (int i = 0; i < tree->vCount; ++i) {
    isGood &= fabs(vdot[i]) <= DBL_MAX;
  }
  return isGood ? cr_ok : cr_retry;
}
