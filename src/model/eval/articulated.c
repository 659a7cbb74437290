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
// and Ia, pa are added to the parent's IA, pA, moved to its origin (X^T Ia X, X^T pa). Moving comes first, and the
// projection is done there with X^T Z, which is the same: so the way from IA to the parent's does not wait for L.
//
//   M' = M    G' = G - M [r]x    I' = I + [r]x G + ([r]x G')^T    t' = t + r x f    f' = f
//
// Outwards, with Z at the parent's origin, so that the parent's acceleration is used as it is:
//
//   v' = L^-T (y - (X^T Z)^T a_P)
//
// A revolute joint has S = (e, 0) and a scalar D; it is written out without L: Z = U / D, y = u / D,
// Ia = IA - U U^T / D. A free body that carries nothing needs no recursion: free_body.h.
#include "model/eval/free_body.h"

// ----------------------------------------------------------------------------------------------- inwards

// A body alone: H = [h]x, so G = -[h]x.
static inline crArticulated startBody(const crInstance* instance, int b)
{
  const crRigid* rigid = &instance->rigids[b];
  double m = instance->model->links[b].mass;
  crLanes h = rigid->h;
  crArticulated B = { rigid->I,
                      { { 0.0, -h[2], h[1], 0.0 }, { h[2], 0.0, -h[0], 0.0 }, { -h[1], h[0], 0.0, 0.0 } },
                      { { m, 0.0, 0.0, 0.0 }, { 0.0, m, 0.0, 0.0 }, { 0.0, 0.0, m, 0.0 } },
                      instance->biases[b] };
  return B;
}

// X^T IA X, X^T pA
static inline crArticulated moveToParent(const crArticulated* B, crLanes r)
{
  crArticulated P;
  crLanes33 Mr = crMulCrossL(B->M, r);
  P.M = B->M;
  P.G = (crLanes33){ B->G.x - Mr.x, B->G.y - Mr.y, B->G.z - Mr.z };
  P.I = crAddL33(crAddL33(B->I, crCrossMulL(r, B->G)), crTransposeL(crCrossMulL(r, P.G)));
  P.bias = crShiftWrench(B->bias, r);
  return P;
}

// The first child to come starts its parent. Returns what the parent has now.
static inline crArticulated addToParent(crInstance* instance, const crLink* link, const crArticulated* moved)
{
  crArticulated own = link->isLastChild ? startBody(instance, link->parent) : instance->articulated[link->parent];
  crArticulated P = { crAddL33(own.I, moved->I),
                      crAddL33(own.G, moved->G),
                      crAddL33(own.M, moved->M),
                      { own.bias.t + moved->bias.t, own.bias.f + moved->bias.f } };
  instance->articulated[link->parent] = P;
  return P;
}

static inline bool articulateRevolute(crInstance* instance, const crLink* link, int b, double floor, crArticulated* B)
{
  crPivot* pivot = &instance->pivots[link->pivotStart];
  crLanes e = instance->places[b].R.z, r = instance->places[b].r;
  crWrenchL U = { crMulL(B->I, e), crMulL(B->G, e) };
  double D = crDotL(e, U.t) + instance->rotor[link->dofStart];
  bool isGood = D > floor;
  double inverse = isGood ? 1.0 / D : 0.0;
  double y = (instance->tau[link->dofStart] - crDotL(e, B->bias.t)) * inverse;
  U.t += crCrossL(r, U.f);
  pivot->Z = (crWrenchL){ U.t * inverse, U.f * inverse };
  pivot->y = y;
  pivot->pivot = D;
  if (link->parent > 0) {
    crArticulated P = moveToParent(B, r);
    P.I = crSubScaledOuterL(P.I, U.t, U.t, inverse);
    P.G = crSubScaledOuterL(P.G, U.f, U.t, inverse);
    P.M = crSubScaledOuterL(P.M, U.f, U.f, inverse);
    P.bias = (crWrenchL){ P.bias.t + U.t * y, P.bias.f + U.f * y };
    *B = addToParent(instance, link, &P);
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

static bool articulateGeneral(crInstance* instance, const crLink* link, int b, const double* floors, crArticulated* B)
{
  const crMotionL* S = &instance->S[link->dofStart];
  crPivot* pivots = &instance->pivots[link->pivotStart];
  crLanes r = instance->places[b].r;
  crArticulated P = moveToParent(B, r);
  bool areGood = true;
  for (int i = 0; i < link->vCount; ++i) {
    crWrenchL U = crMulArticulated(B, S[i]);
    for (int j = 0; j <= i; ++j) {
      pivots[i].L[j] = crPowerL(U, S[j]);
    }
    pivots[i].L[i] += instance->rotor[link->dofStart + i];
    pivots[i].Z = crShiftWrench(U, r);
    pivots[i].y = instance->tau[link->dofStart + i] - crPowerL(B->bias, S[i]);
    areGood &= factorRow(pivots, i, floors != NULL ? floors[link->dofStart + i] : 0.0);
    solveRow(pivots, i);
  }
  for (int i = 0; i < link->vCount; ++i) {
    crWrenchL Z = pivots[i].Z;
    P.I = crSubScaledOuterL(P.I, Z.t, Z.t, 1.0);
    P.G = crSubScaledOuterL(P.G, Z.f, Z.t, 1.0);
    P.M = crSubScaledOuterL(P.M, Z.f, Z.f, 1.0);
    P.bias = (crWrenchL){ P.bias.t + Z.t * pivots[i].y, P.bias.f + Z.f * pivots[i].y };
  }
  if (link->parent > 0) {
    *B = addToParent(instance, link, &P);
  }
  return areGood;
}

bool crArticulateBody(crInstance* instance, int body, const double* floors)
{
  const crLink* link = &instance->model->links[body];
  crArticulated B = link->isLeaf ? startBody(instance, body) : instance->articulated[body];
  instance->articulated[body] = B;
  if (link->path == cr_pathRevolute) {
    return articulateRevolute(instance, link, body, floors != NULL ? floors[link->dofStart] : 0.0, &B);
  }
  return articulateGeneral(instance, link, body, floors, &B);
}

// The same for all bodies of a tree. B is the articulated inertia of the body before, if that was a child.
bool crArticulateTree(crInstance* instance, const crTree* tree)
{
  const crLink* links = instance->model->links;
  bool isGood = true;
  crArticulated B;
  for (int b = tree->bodyStart + tree->bodyCount - 1; b >= tree->bodyStart; --b) {
    const crLink* link = &links[b];
    if (link->isLeaf) {
      B = instance->articulated[b] = startBody(instance, b);
    }
    if (link->path == cr_pathRevolute) {
      isGood &= articulateRevolute(instance, link, b, 0.0, &B);
    } else {
      crArticulated other = B; // a copy has an address, B stays in registers
      isGood &= articulateGeneral(instance, link, b, NULL, &other);
      B = other;
    }
    if (link->parent != b - 1 && b > tree->bodyStart && !links[b - 1].isLeaf) {
      B = instance->articulated[b - 1];
    }
  }
  return isGood;
}

void crLockBody(crInstance* instance, int body)
{
  const crLink* link = &instance->model->links[body];
  if (link->isLeaf) {
    instance->articulated[body] = startBody(instance, body);
  }
  if (link->parent > 0) {
    crArticulated P = moveToParent(&instance->articulated[body], instance->places[body].r);
    addToParent(instance, link, &P);
  }
}

// ---------------------------------------------------------------------------------------------- outwards

static inline crMotionL accelerateRevolute(crInstance* instance, const crLink* link, int b, crMotionL P)
{
  const crPivot* pivot = &instance->pivots[link->pivotStart];
  double vdot = pivot->y - crPowerL(pivot->Z, P);
  instance->vdot[link->dofStart] = vdot;
  crMotionL A = { P.w + instance->places[b].R.z * vdot, P.v + crCrossL(P.w, instance->places[b].r) };
  return A;
}

static crMotionL accelerateGeneral(crInstance* instance, const crLink* link, int b, crMotionL P)
{
  const crPivot* pivots = &instance->pivots[link->pivotStart];
  const crMotionL* S = &instance->S[link->dofStart];
  double* vdot = &instance->vdot[link->dofStart];
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
  return A;
}

void crAccelerateTree(crInstance* instance, const crTree* tree)
{
  crMotionL A = instance->A[0];
  for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
    const crLink* link = &instance->model->links[b];
    crMotionL P = link->parent == b - 1 ? A : instance->A[link->parent];
    A = link->path == cr_pathRevolute ? accelerateRevolute(instance, link, b, P)
                                      : accelerateGeneral(instance, link, b, P);
    instance->A[b] = A;
  }
}

// ------------------------------------------------------------------------------------------------ stage

crStatus crEvalAcceleration(crInstance* instance, const crTree* tree)
{
  const crLink* root = &instance->model->links[tree->bodyStart];
  bool isGood;
  if (root->path == cr_pathFree) {
    isGood = crAccelerateFree(instance, root, tree->bodyStart);
  } else {
    isGood = crArticulateTree(instance, tree);
    crAccelerateTree(instance, tree);
  }
  return isGood && crAreFinite(instance->vdot + root->dofStart, tree->vCount) ? cr_ok : cr_retry;
}
