// The inside of area contacts in lanes: what its files share. A block has so many contacts, the numbers of one kind of
// all of them side by side. Lanes do not know of each other, and every one is computed in the order of the code for one
// contact (area_contact.c): any width gives the same bits as that.
#ifndef CR_CONTACT_AREA_LANES_INSIDE_H
#define CR_CONTACT_AREA_LANES_INSIDE_H

#include "collide/area/wide.h"
#include "contact/area_contact.h"

#include <string.h>

#define CR_AREA_BLOCK 16 // contacts: a multiple of any width; they are in the first cache still

typedef double crAreaRow[CR_AREA_BLOCK];

// One side of all contacts: as of crAreaSide, and what its inverses are of.
typedef struct crAreaSides {
  crAreaRow p[3], v[3], w[3];
  crAreaRow mass, h[3]; // [kg] infinite: does not move; [kg m] first moment about p
  crAreaRow I[9];       // [kg m^2] about p, by columns; 0: counts as not turning
} crAreaSides;

// In axes of the frame X: that of the shape with the corner, of A where edges cross.
typedef struct crAreaBlock {
  crAreaSides a, b;
  crAreaRow R[9], origin[3];              // X, by columns
  crAreaRow sign;                         // [-] 1: the frame is that of B, which feels the force; else -1
  crAreaRow isAlong;                      // [-] 1: the force is along `along`; 0: along any, which that is not
  crAreaRow along[3], at[3], normal[3];   // direction of the force; the deepest place, and outward there
  crAreaRow depth, side;                  // side: 1: what is deepest is of A's surface; else -1
  crAreaRow isSolid;                      // of corners: 1: below a box; else 0
  crAreaRow modulus, muK, vMin;           // of the law
  crAreaRow u, isDamped;                  // isDamped: 1, or 0
  crAreaRow least, mostSquare, mostDepth; // [m], [m^2], [m] see findGrip, isTooWide and isTrue
  crAreaRow elastic, force[3], torque[3]; // of the patch, as of crAreaForce
  crAreaRow centre[3], spread[6], area, pressure;
  // what follows from these
  crAreaRow isOdd;                            // 1: has to be evaluated by itself
  crAreaRow point[3], n[3], slip[3], turn[3]; // as of crTouch and crContactMotion
  crAreaRow rate, grip, load, release;
  crAreaRow drag[3], outForce[3], outTorque[3], dissipation; // as of crContact and crContactForce
} crAreaBlock;

// Forces of the corners from `from` on, as many as a part has lanes: of D, nu, and what is below, as of
// crComputeCornerForce.
void crPushCorners(crAreaBlock* block, int from);

// What follows from patches and motion, likewise: as of crEvalAreaContact.
void crFinishAreas(crAreaBlock* block, int from);

// ------------------------------------------------------------------------------------------------- parts

// Components of as many vectors as a part has lanes.
typedef struct crPart3 {
  crPart x, y, z;
} crPart3;

// By columns.
typedef struct crPart33 {
  crPart3 x, y, z;
} crPart33;

typedef long long crPartBits __attribute__((vector_size(8 * CR_PART_LANES), aligned(8)));

static inline crPart crSpreadOverPart(double a)
{
  return (crPart){ 0.0 } + a;
}

static inline crPart crReadPart(const crAreaRow row, int from)
{
  crPart part;
  memcpy(&part, row + from, sizeof part);
  return part;
}

static inline void crKeepPart(crAreaRow row, int from, crPart part)
{
  memcpy(row + from, &part, sizeof part);
}

static inline crPart3 crReadPart3(const crAreaRow rows[3], int from)
{
  return (crPart3){ crReadPart(rows[0], from), crReadPart(rows[1], from), crReadPart(rows[2], from) };
}

static inline void crKeepPart3(crAreaRow rows[3], int from, crPart3 v)
{
  crKeepPart(rows[0], from, v.x);
  crKeepPart(rows[1], from, v.y);
  crKeepPart(rows[2], from, v.z);
}

static inline crPart33 crReadPart33(const crAreaRow rows[9], int from)
{
  return (crPart33){ crReadPart3(rows, from), crReadPart3(rows + 3, from), crReadPart3(rows + 6, from) };
}

static inline crPart crSizesOfParts(crPart a)
{
  return (crPart)((crPartBits)a & 0x7fffffffffffffffLL);
}

// 1 with the signs of a.
static inline crPart crSignsOfParts(crPart a)
{
  return (crPart)(((crPartBits)a & ~0x7fffffffffffffffLL) | (crPartBits)crSpreadOverPart(1.0));
}

static inline crPart3 crAddP(crPart3 a, crPart3 b)
{
  return (crPart3){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static inline crPart3 crSubP(crPart3 a, crPart3 b)
{
  return (crPart3){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static inline crPart3 crScaleP(crPart s, crPart3 a)
{
  return (crPart3){ s * a.x, s * a.y, s * a.z };
}

static inline crPart3 crMulAddP(crPart3 a, crPart s, crPart3 b)
{
  return (crPart3){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static inline crPart crDotP(crPart3 a, crPart3 b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline crPart3 crCrossP(crPart3 a, crPart3 b)
{
  return (crPart3){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static inline crPart3 crMulMP(const crPart33* m, crPart3 v)
{
  return (crPart3){ m->x.x * v.x + m->y.x * v.y + m->z.x * v.z, m->x.y * v.x + m->y.y * v.y + m->z.y * v.z,
                    m->x.z * v.x + m->y.z * v.y + m->z.z * v.z };
}

static inline crPart3 crMulTP(const crPart33* m, crPart3 v)
{
  return (crPart3){ crDotP(m->x, v), crDotP(m->y, v), crDotP(m->z, v) };
}

#endif
