// What contacts of balls do, in lanes. With D from the middle of A to that of B, |D| its length, and the arm of A
// a share s of D, that of B the rest of it:
//
//   s = (|D| + r_A - r_B) / (2 |D|),   v = v_B - v_A - (s w_A + (1 - s) w_B) x D,   delta = r_A + r_B - |D|
//   t_A = -s D x f,   t_B = -(1 - s) D x f
//
// The point of application is the middle of the two witness points, as everywhere.
#ifndef CR_CONTACT_BALL_PUSH_H
#define CR_CONTACT_BALL_PUSH_H

#include "contact/ball_lanes_inside.h"

// ------------------------------------------------------------------------------------------------- lanes

static inline crLanes splat(double a)
{
  return (crLanes){ a, a, a, a };
}

static inline void turnBack(Vectors4 l, crLanes out[CR_BALL_WIDTH])
{
  crLanes zero = splat(0.0);
  crLanes a = __builtin_shufflevector(l.x, l.y, 0, 4, 2, 6), b = __builtin_shufflevector(l.x, l.y, 1, 5, 3, 7);
  crLanes c = __builtin_shufflevector(l.z, zero, 0, 4, 2, 6), d = __builtin_shufflevector(l.z, zero, 1, 5, 3, 7);
  out[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  out[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  out[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  out[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

static inline crLanes root4(crLanes a)
{
  return root(a);
}

// Contacts on their way through a block: what is between their balls, then, in the places of D and of both spins, the
// force and both torques, and in the first place of v what they dissipate; components of all contacts side by side.
typedef struct Block {
  double D[3][CR_BALL_BLOCK], v[3][CR_BALL_BLOCK];
  double wA[3][CR_BALL_BLOCK], wB[3][CR_BALL_BLOCK]; // isEven: sum and, at the end of a step, difference of spins
} Block;

#define CR_PUSH_WIDTH 4
#include "contact/ball_push_inside.h"
#undef CR_PUSH_WIDTH

#ifdef __AVX512F__
typedef double Eight __attribute__((vector_size(64)));

static inline Eight root8(Eight a)
{
  return (Eight){ sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3]), sqrt(a[4]), sqrt(a[5]), sqrt(a[6]), sqrt(a[7]) };
}

#define CR_PUSH_WIDTH 8
#include "contact/ball_push_inside.h"
#undef CR_PUSH_WIDTH
#endif

// Contacts of a block, loaded. isEnd: of a step, where all is kept of contacts. isEven: as of evalPush. Returns what
// they dissipate, summed up four by four.
static inline __attribute__((always_inline)) crLanes pushBlock(const crBallLists* lists, int from, int to, Block* block,
                                                               bool isEnd, bool isEven)
{
  crLanes power = splat(0.0);
  int i = from;
#ifdef __AVX512F__
  for (; i + 8 <= to; i += 8) {
    Eight own = pushPart8(lists, i, block, i - from, isEnd, isEven);
    power += __builtin_shufflevector(own, own, 0, 1, 2, 3);
    power += __builtin_shufflevector(own, own, 4, 5, 6, 7);
  }
#endif
  for (; i < to; i += CR_BALL_WIDTH) {
    power += pushPart4(lists, i, block, i - from, isEnd, isEven);
  }
  return power;
}

// Where a block ends.
static inline int endBlock(int from, int to)
{
  return from + CR_BALL_BLOCK < to ? from + CR_BALL_BLOCK : to;
}

#endif
