#include "collide/area/patch.h"

#include "collide/area/wide.h"

#define SUMS 24        // 22, filled up to groups of eight
#define CR_LOOKED_AT 9 // points of which one is deep enough to tell where all are,
#define CR_DEEP 1e-3 // [-] from the first one on that is as deep as this, of the deepest: others may be rounding errors

void crPatch_Begin(crPatch* patch)
{
  patch->share = 0.5;
  patch->isExchanged = patch->isSpilled = patch->isOneSided = patch->isBroken = patch->hasOrigin = false;
  patch->surfaces = CR_ALL_SURFACES;
  patch->count = patch->runs[0] = 0;
  patch->runCount = 1;
  patch->areSecond[0] = patch->haveSpots[0] = false;
  patch->offsets[0] = crMakeVec3(0.0, 0.0, 0.0);
  patch->haveFeet[0] = false;
  patch->sinks[0] = 0.0;
  patch->finish = NULL;
  patch->depth = 0.0;
  patch->deepest = patch->deepestNormal = patch->deepestSpot = crMakeVec3(0.0, 0.0, 0.0);
  patch->isDeepestSecond = false;
  patch->spill = NULL;
  patch->context = NULL;
  patch->seeCorner = NULL;
  patch->lines = NULL;
  patch->sums[0] = patch->sums[1] = (crPatchSums){ .area = 0.0 };
}

// Fills up the last group.
static void pad(crPatch* patch)
{
  int from = patch->count, to = (from + CR_PATCH_LANES - 1) / CR_PATCH_LANES * CR_PATCH_LANES;
  for (int i = from; i < to; ++i) {
    patch->w[i] = patch->d[i] = 0.0;
    for (int k = 0; k < 3; ++k) {
      patch->x[k][i] = patch->x[k][0];
      patch->m[k][i] = 0.0;
    }
  }
  for (int i = from; i < to && patch->haveSpots[patch->runCount - 1]; ++i) {
    for (int k = 0; k < 3; ++k) {
      patch->z[k][i] = patch->x[k][0];
      patch->q[k][i] = 0.0;
    }
    patch->e[i] = patch->s[i] = 0.0;
  }
  patch->count = to;
}

// The lanes from `part` on of all groups of a run.
static inline void addPart(const crPatch* patch, int run, int part, double sums[SUMS][CR_PATCH_LANES])
{
  crVec3 o = patch->origin, offset = patch->offsets[run];
  bool hasSpots = patch->haveSpots[run];
  crPart zero = { 0.0 }, area = zero, i1 = zero, i2 = zero, i3 = zero, x1 = zero, y1 = zero, z1 = zero, x2 = zero,
         y2 = zero, z2 = zero, e1 = zero, e2 = zero;
  crPart xx1 = zero, xy1 = zero, xz1 = zero, yy1 = zero, yz1 = zero, zz1 = zero;
  crPart xx2 = zero, xy2 = zero, xz2 = zero, yy2 = zero, yz2 = zero, zz2 = zero;
  for (int i = patch->runs[run] + part; i < patch->runs[run + 1]; i += CR_PATCH_LANES) {
    crPart w = *(const crPart*)&patch->w[i], d = *(const crPart*)&patch->d[i], g1 = w * d, g2 = g1 * d;
    crPart x = *(const crPart*)&patch->x[0][i] - o.x, y = *(const crPart*)&patch->x[1][i] - o.y,
           z = *(const crPart*)&patch->x[2][i] - o.z;
    crPart p = x + offset.x, q = y + offset.y, r = z + offset.z; // where they count
    if (hasSpots) {
      crPart e = *(const crPart*)&patch->e[i];
      p = *(const crPart*)&patch->z[0][i] - o.x;
      q = *(const crPart*)&patch->z[1][i] - o.y;
      r = *(const crPart*)&patch->z[2][i] - o.z;
      e1 += g1 * e;
      e2 += g2 * e;
    }
    crPart gx = g1 * x, gy = g1 * y, gz = g1 * z, hp = g2 * p, hq = g2 * q, hr = g2 * r;
    area += w;
    i1 += g1;
    i2 += g2;
    i3 += g2 * d;
    x1 += gx;
    y1 += gy;
    z1 += gz;
    x2 += hp;
    y2 += hq;
    z2 += hr;
    xx1 += gx * x;
    xy1 += gx * y;
    xz1 += gx * z;
    yy1 += gy * y;
    yz1 += gy * z;
    zz1 += gz * z;
    xx2 += hp * p;
    xy2 += hp * q;
    xz2 += hp * r;
    yy2 += hq * q;
    yz2 += hq * r;
    zz2 += hr * r;
  }
  const crPart all[SUMS] = { area,     i1,  i2,  i3,  x1,       y1,       z1,       x2,  y2,  z2,  xx1 + e1, yy1 + e1,
                             zz1 + e1, xy1, xz1, yz1, xx2 + e2, yy2 + e2, zz2 + e2, xy2, xz2, yz2, zero,     zero };
  for (int k = 0; k < SUMS; ++k) {
    *(crPart*)&sums[k][part] = all[k];
  }
}

static void addSums(crPatch* patch, int run)
{
  int from = patch->runs[run], to = patch->runs[run + 1];
  if (from >= to) {
    return;
  }
  if (!patch->hasOrigin) {
    patch->origin = patch->haveSpots[run] ? crMakeVec3(patch->z[0][from], patch->z[1][from], patch->z[2][from])
                                          : crAdd(patch->offsets[run], crPatch_GetPoint(patch, from));
    patch->hasOrigin = true;
  }
  double lanes[SUMS][CR_PATCH_LANES];
  for (int part = 0; part < CR_PATCH_LANES; part += CR_PART_LANES) {
    addPart(patch, run, part, lanes);
  }
  const crWide* sums = (const crWide*)lanes;
  crPatchSums* s = &patch->sums[patch->areSecond[run]];
  crWide a = crTotals(&sums[0]), b = crTotals(&sums[8]), c = crTotals(&sums[16]);
  s->area += a[0];
  s->i1 += a[1];
  s->i2 += a[2];
  s->i3 += a[3];
  s->x1 = crAdd(s->x1, crMakeVec3(a[4], a[5], a[6]));
  s->x2 = crAdd(s->x2, crMakeVec3(a[7], b[0], b[1]));
  s->xx1 = crAddSym3(s->xx1, (crSym3){ b[2], b[3], b[4], b[5], b[6], b[7] });
  s->xx2 = crAddSym3(s->xx2, (crSym3){ c[0], c[1], c[2], c[3], c[4], c[5] });
}

static void finishRun(crPatch* patch)
{
  if (patch->finish != NULL) {
    patch->finish(patch, patch->runs[patch->runCount - 1], patch->count, patch->finishData);
  }
}

static void giveAway(crPatch* patch)
{
  crPatchSpill spill = patch->spill != NULL ? patch->spill : addSums;
  finishRun(patch);
  pad(patch);
  patch->runs[patch->runCount] = patch->count;
  for (int i = 0; i < patch->runCount; ++i) {
    spill(patch, i);
  }
}

void crPatch_Spill(crPatch* patch)
{
  giveAway(patch);
  patch->isSpilled = true;
  patch->count = 0;
  patch->areSecond[0] = patch->areSecond[patch->runCount - 1];
  patch->haveSpots[0] = patch->haveSpots[patch->runCount - 1];
  patch->offsets[0] = patch->offsets[patch->runCount - 1];
  patch->haveFeet[0] = patch->haveFeet[patch->runCount - 1];
  patch->sinks[0] = patch->sinks[patch->runCount - 1];
  patch->runCount = 1;
}

static void begin(crPatch* patch, bool isSecond, bool hasSpots, crVec3 offset)
{
  if (patch->runCount == CR_PATCH_RUNS) {
    crPatch_Spill(patch);
  }
  pad(patch);
  patch->runCount += patch->count > patch->runs[patch->runCount - 1]; // else the last one is empty
  int last = patch->runCount - 1;
  patch->runs[last] = patch->count;
  patch->areSecond[last] = isSecond;
  patch->haveSpots[last] = hasSpots;
  patch->offsets[last] = offset;
  patch->haveFeet[last] = false;
  patch->sinks[last] = 0.0;
}

// Begins a run, or goes on with the last one if it is alike.
static void take(crPatch* patch, bool isSecond, bool hasSpots, crVec3 offset)
{
  int last = patch->runCount - 1;
  if (patch->finish != NULL) {
    return;
  }
  if (patch->areSecond[last] != isSecond || patch->haveSpots[last] != hasSpots ||
      crMaxAbs(crSub(patch->offsets[last], offset)) != 0.0) {
    begin(patch, isSecond, hasSpots, offset);
  }
}

void crPatch_TakeFirst(crPatch* patch)
{
  take(patch, false, false, crMakeVec3(0.0, 0.0, 0.0));
}

void crPatch_TakeSecond(crPatch* patch)
{
  take(patch, true, false, crMakeVec3(0.0, 0.0, 0.0));
}

void crPatch_TakeSpots(crPatch* patch, bool isSecond)
{
  take(patch, isSecond, true, crMakeVec3(0.0, 0.0, 0.0));
}

void crPatch_TakeOffset(crPatch* patch, bool isSecond, crVec3 offset)
{
  take(patch, isSecond, false, offset);
}

void crPatch_Hold(crPatch* patch, bool isSecond, bool hasFeet, double sink, crPatchFinish finish, const void* data)
{
  begin(patch, isSecond, true, crMakeVec3(0.0, 0.0, 0.0));
  patch->haveFeet[patch->runCount - 1] = hasFeet;
  patch->sinks[patch->runCount - 1] = sink;
  patch->finish = finish;
  patch->finishData = data;
}

void crPatch_Release(crPatch* patch)
{
  finishRun(patch);
  patch->finish = NULL;
}

crPatchMark crPatch_Mark(const crPatch* patch)
{
  int last = patch->runCount - 1;
  return (crPatchMark){ .count = patch->count,
                        .runCount = patch->runCount,
                        .lineCount = patch->lines != NULL ? patch->lines->count : 0,
                        .isSecond = patch->areSecond[last],
                        .hasSpots = patch->haveSpots[last],
                        .hasFeet = patch->haveFeet[last],
                        .isDeepestSecond = patch->isDeepestSecond,
                        .isBroken = patch->isBroken,
                        .sink = patch->sinks[last],
                        .offset = patch->offsets[last],
                        .depth = patch->depth,
                        .deepest = patch->deepest,
                        .deepestNormal = patch->deepestNormal,
                        .deepestSpot = patch->deepestSpot };
}

int crPatch_FindSince(const crPatch* patch, const crPatchMark* mark)
{
  int best = -1;
  double most = 0.0, deep = patch->depth > mark->depth ? CR_DEEP * patch->depth : HUGE_VAL;
  for (int i = mark->count, end = patch->count; i < end; ++i) {
    if (patch->w[i] > 0.0 && patch->d[i] > most) { // parts without an area by rounding have no weight
      end = most < deep && patch->d[i] >= deep && i + CR_LOOKED_AT < end ? i + CR_LOOKED_AT : end;
      best = i;
      most = patch->d[i];
    }
  }
  return best;
}

void crPatch_Undo(crPatch* patch, const crPatchMark* mark)
{
  int last = mark->runCount - 1;
  patch->count = mark->count;
  patch->runCount = mark->runCount;
  patch->areSecond[last] = mark->isSecond;
  patch->haveSpots[last] = mark->hasSpots;
  patch->haveFeet[last] = mark->hasFeet;
  patch->sinks[last] = mark->sink;
  patch->offsets[last] = mark->offset;
  patch->isDeepestSecond = mark->isDeepestSecond;
  patch->isBroken = mark->isBroken;
  patch->depth = mark->depth;
  patch->deepest = mark->deepest;
  patch->deepestNormal = mark->deepestNormal;
  patch->deepestSpot = mark->deepestSpot;
  if (patch->lines != NULL) {
    patch->lines->count = mark->lineCount;
  }
}

void crPatch_End(crPatch* patch)
{
  giveAway(patch);
}

void crPatch_Place(crPatch* patch, int from, int to, const crPose* X)
{
  for (int i = from; i < to; ++i) {
    crVec3 x = crTransformPoint(*X, crPatch_GetPoint(patch, i));
    crVec3 m = crMulMV(X->R, crMakeVec3(patch->m[0][i], patch->m[1][i], patch->m[2][i]));
    patch->x[0][i] = x.x;
    patch->x[1][i] = x.y;
    patch->x[2][i] = x.z;
    patch->m[0][i] = m.x;
    patch->m[1][i] = m.y;
    patch->m[2][i] = m.z;
  }
}

static void turnPlaces(crMat3 R, int count, double (*x)[CR_PATCH_ROOM])
{
  for (int i = 0; i < count; i += CR_PATCH_LANES) {
    crWide *a = (crWide*)&x[0][i], *b = (crWide*)&x[1][i], *c = (crWide*)&x[2][i];
    crWide p = *a, q = *b, r = *c;
    *a = R.cx.x * p + R.cx.y * q + R.cx.z * r;
    *b = R.cy.x * p + R.cy.y * q + R.cy.z * r;
    *c = R.cz.x * p + R.cz.y * q + R.cz.z * r;
  }
}

void crPatch_Turn(crPatch* patch, crMat3 R)
{
  bool hasSpots = false, hasFeet = false;
  for (int i = 0; i < patch->runCount; ++i) {
    patch->offsets[i] = crMulTV(R, patch->offsets[i]);
    hasSpots = hasSpots || patch->haveSpots[i];
    hasFeet = hasFeet || patch->haveFeet[i];
  }
  turnPlaces(R, patch->count, patch->x);
  turnPlaces(R, patch->count, patch->m);
  if (hasSpots) {
    turnPlaces(R, patch->count, patch->z);
  }
  if (hasFeet) {
    turnPlaces(R, patch->count, patch->q);
  }
  patch->origin = crMulTV(R, patch->origin);
  patch->deepest = crMulTV(R, patch->deepest);
  patch->deepestNormal = crMulTV(R, patch->deepestNormal);
  patch->deepestSpot = crMulTV(R, patch->deepestSpot);
  patch->sums[0] = patch->sums[1] = (crPatchSums){ .area = 0.0 };
  for (int i = 0; i < patch->runCount; ++i) {
    addSums(patch, i);
  }
}
