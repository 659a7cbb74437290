// What contacts do to their balls, so many at a time: included once for each CR_PUSH_WIDTH, by ball_push.h. Loaded and
// turned is what the contacts need. Lanes do not know of each other, so any width gives the same bits.
#define CR_PUSH_JOIN(name, width) name##width
#define CR_PUSH_NAME(name, width) CR_PUSH_JOIN(name, width)
#define OF_WIDTH(name) CR_PUSH_NAME(name, CR_PUSH_WIDTH)
#define Lanes OF_WIDTH(Lanes)
#define Mask OF_WIDTH(Mask)
#define Vectors OF_WIDTH(Vectors)
#define Push OF_WIDTH(Push)
#define choose OF_WIDTH(choose)
#define cutOff OF_WIDTH(cutOff)
#define read OF_WIDTH(read)
#define keep OF_WIDTH(keep)
#define evalPush OF_WIDTH(evalPush)
#define keepPoint OF_WIDTH(keepPoint)
#define get OF_WIDTH(get)
#define put OF_WIDTH(put)
#define pushPart OF_WIDTH(pushPart)

typedef double Lanes __attribute__((vector_size(8 * CR_PUSH_WIDTH)));
typedef __typeof__((Lanes){ 0.0 } < (Lanes){ 0.0 }) Mask;

#if CR_PUSH_WIDTH != 4 // of which all lanes of balls know
typedef struct Vectors {
  Lanes x, y, z;
} Vectors;
#endif

// What the contacts do.
typedef struct Push {
  Vectors force; // on B
  Vectors torqueA, torqueB;
  Lanes dissipation;               // [W]
  Lanes normal, depth, rate, slip; // [N], [m], [m/s]
} Push;

static inline Lanes choose(Mask mask, Lanes a, Lanes b)
{
  return (Lanes)(((Mask)a & mask) | ((Mask)b & ~mask));
}

static inline Lanes cutOff(Lanes a) // below 0
{
  Lanes zero = { 0.0 };
  return choose(a > zero, a, zero);
}

static inline Lanes read(const double* from)
{
  Lanes l;
  memcpy(&l, from, sizeof l);
  return l;
}

static inline void keep(double* to, Lanes l)
{
  memcpy(to, &l, sizeof l);
}

static inline Vectors get(double (*from)[CR_BALL_BLOCK], int place)
{
  return (Vectors){ read(from[0] + place), read(from[1] + place), read(from[2] + place) };
}

static inline void put(double (*to)[CR_BALL_BLOCK], int place, Vectors v)
{
  keep(to[0] + place, v.x);
  keep(to[1] + place, v.y);
  keep(to[2] + place, v.z);
}

// The law of crEvalContactForce. inverse: 1 / |D|; perhaps infinite where there is nothing, which has no stiffness.
// isEven: all balls are alike, so that both arms are half of D, and wA is the sum of both spins.
static inline __attribute__((always_inline)) Push evalPush(const crBallLists* lists, int i, Vectors D, Vectors v,
                                                           Vectors wA, Vectors wB, bool isEven)
{
  Lanes lengths = D.x * D.x + D.y * D.y + D.z * D.z, distance = OF_WIDTH(root)(lengths), perLengths = 1.0 / lengths;
  Lanes inverse = distance * perLengths; // the division does not wait for the root
  Lanes zero = { 0.0 }, share = zero + 0.5, rest = share, wx = 0.5 * wA.x, wy = 0.5 * wA.y, wz = 0.5 * wA.z;
  if (!isEven) {
    share = 0.5 + 0.5 * read(lists->diff + i) * inverse;
    rest = 1.0 - share;
    wx = share * wA.x + rest * wB.x;
    wy = share * wA.y + rest * wB.y;
    wz = share * wA.z + rest * wB.z;
  }
  Lanes depth = cutOff(read(lists->sum + i) - distance);
  Lanes along = -(D.x * v.x + D.y * v.y + D.z * v.z) * perLengths, rate = along * distance;
  Lanes spring = read(lists->k + i) * depth * OF_WIDTH(root)(depth);
  Lanes fn = cutOff(spring + spring * read(lists->d + i) * rate);
  Vectors s = { v.x - (wy * D.z - wz * D.y) + along * D.x, v.y - (wz * D.x - wx * D.z) + along * D.y,
                v.z - (wx * D.y - wy * D.x) + along * D.z };
  Lanes square = s.x * s.x + s.y * s.y + s.z * s.z, slip = OF_WIDTH(root)(square), vMin = read(lists->vMin + i);
  Lanes perMin = read(lists->perMin + i);
  Lanes slow = square * perMin * (1.0 - (1.0 / 3.0) * (slip * perMin)) + (1.0 / 3.0) * vMin;
  Lanes per = fn * (read(lists->muK + i) / choose(slip < vMin, slow, slip)), pull = fn * inverse;
  Vectors T = { per * (D.y * s.z - D.z * s.y), per * (D.z * s.x - D.x * s.z), per * (D.x * s.y - D.y * s.x) };
  return (Push){ { pull * D.x - per * s.x, pull * D.y - per * s.y, pull * D.z - per * s.z },
                 { share * T.x, share * T.y, share * T.z },
                 { rest * T.x, rest * T.y, rest * T.z },
                 (fn - spring) * rate + per * square,
                 fn,
                 depth,
                 rate,
                 slip };
}

// What they are at the end of a step. turn: relative spin.
static inline __attribute__((always_inline)) void keepPoint(const crBallLists* lists, int i, const Push* push,
                                                            Vectors turn)
{
  size_t room = (size_t)lists->room;
  double* to = lists->points + i;
  keep(to + cr_pointForce * room, push->normal);
  keep(to + cr_pointPower * room, push->dissipation);
  keep(to + cr_pointDepth * room, push->depth);
  keep(to + cr_pointRate * room, push->rate);
  keep(to + cr_pointSlip * room, push->slip);
  keep(to + cr_pointTurn * room, OF_WIDTH(root)(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z));
}

// As many contacts of a block, from `place` on. Returns what they dissipate.
static inline __attribute__((always_inline)) Lanes pushPart(const crBallLists* lists, int i, Block* block, int place,
                                                            bool isEnd, bool isEven)
{
  Vectors D = get(block->D, place), v = get(block->v, place), wA = get(block->wA, place), wB = wA;
  if (isEnd || !isEven) {
    wB = get(block->wB, place);
  }
  Push push = evalPush(lists, i, D, v, wA, wB, isEven);
  if (isEnd) {
    Vectors difference = { wB.x - wA.x, wB.y - wA.y, wB.z - wA.z };
    keepPoint(lists, i, &push, isEven ? wB : difference);
  }
  put(block->D, place, push.force);
  keep(block->v[0] + place, push.dissipation);
  put(block->wA, place, push.torqueA);
  if (!isEven) {
    put(block->wB, place, push.torqueB);
  }
  return push.dissipation;
}

#undef pushPart
#undef put
#undef get
#undef keepPoint
#undef evalPush
#undef keep
#undef read
#undef cutOff
#undef choose
#undef Push
#undef Vectors
#undef Mask
#undef Lanes
