#include "collide/area/patch.h"

#include "collide/area/wide.h"

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
  patch->spill = NULL;
  patch->context = NULL;
  patch->seeCorner = NULL;
  patch->lines = NULL;
  patch->sums[0] = patch->sums[1] = (crPatchSums){ .area = 0.0 };
}

// Fills up the last group.
static void pad(crPatch* patch)
{
  for (; patch->count % CR_PATCH_LANES != 0; ++patch->count) {
    int i = patch->count;
    patch->w[i] = patch->d[i] = 0.0;
    for (int k = 0; k < 3; ++k) {
      patch->x[k][i] = patch->x[k][0];
      patch->z[k][i] = patch->x[k][0];
      patch->m[k][i] = patch->q[k][i] = 0.0;
    }
    patch->e[i] = patch->s[i] = 0.0;
  }
}

static void addSums(crPatch* patch, int run)
{
  int from = patch->runs[run], to = patch->runs[run + 1];
  if (from >= to) {
    return;
  }
  bool hasSpots = patch->haveSpots[run];
  crVec3 offset = patch->offsets[run];
  if (!patch->hasOrigin) {
    patch->origin = hasSpots ? crMakeVec3(patch->z[0][from], patch->z[1][from], patch->z[2][from])
                             : crAdd(offset, crMakeVec3(patch->x[0][from], patch->x[1][from], patch->x[2][from]));
    patch->hasOrigin = true;
  }
  crVec3 o = patch->origin;
  crWide zero = { 0.0 }, area = zero, i1 = zero, i2 = zero, i3 = zero, x1 = zero, y1 = zero, z1 = zero, x2 = zero,
         y2 = zero, z2 = zero, e1 = zero, e2 = zero;
  crWide xx1 = zero, xy1 = zero, xz1 = zero, yy1 = zero, yz1 = zero, zz1 = zero;
  crWide xx2 = zero, xy2 = zero, xz2 = zero, yy2 = zero, yz2 = zero, zz2 = zero;
  for (int i = from; i < to; i += CR_PATCH_LANES) {
    crWide w = *(const crWide*)&patch->w[i], d = *(const crWide*)&patch->d[i], g1 = w * d, g2 = g1 * d;
    crWide x = *(const crWide*)&patch->x[0][i] - o.x, y = *(const crWide*)&patch->x[1][i] - o.y,
           z = *(const crWide*)&patch->x[2][i] - o.z;
    crWide p = x + offset.x, q = y + offset.y, r = z + offset.z; // where they count
    if (hasSpots) {
      crWide e = *(const crWide*)&patch->e[i];
      p = *(const crWide*)&patch->z[0][i] - o.x;
      q = *(const crWide*)&patch->z[1][i] - o.y;
      r = *(const crWide*)&patch->z[2][i] - o.z;
      e1 += g1 * e;
      e2 += g2 * e;
    }
    crWide gx = g1 * x, gy = g1 * y, gz = g1 * z, hp = g2 * p, hq = g2 * q, hr = g2 * r;
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
  xx1 += e1;
  yy1 += e1;
  zz1 += e1;
  xx2 += e2;
  yy2 += e2;
  zz2 += e2;
  crPatchSums* s = &patch->sums[patch->areSecond[run]];
  crWide a = crTotals((crWide[]){ area, i1, i2, i3, x1, y1, z1, x2 }),
         b = crTotals((crWide[]){ y2, z2, xx1, yy1, zz1, xy1, xz1, yz1 }),
         c = crTotals((crWide[]){ xx2, yy2, zz2, xy2, xz2, yz2, zero, zero });
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

void crPatch_End(crPatch* patch)
{
  giveAway(patch);
}
