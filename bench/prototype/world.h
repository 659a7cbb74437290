// A program for balls on a table and for nothing else, which shows how fast the task can be done: every island of balls
// that touch each other has its own clock, step and integrator [Mirtich00], [Lubachevsky91].
//
// The island with the smallest clock steps. Its trial step is searched for contacts against the last segment of every
// neighbour; that segment always contains the smallest clock, so nothing older is kept. The earliest hit truncates both
// by redoing their steps up to it. The event stays pending until it is the earliest thing anywhere, and is cancelled if
// a third ball comes first, so nothing that happened is ever undone. When a contact begins islands merge, when one ends
// they split.
//
// Specialised: spheres of one size on a plane between four vertical ones, the law of billiards.h. A ball alone on the
// table is stiff and takes the implicit method of order 5 on seven unknowns; everything else the explicit pair.
#ifndef CR_BENCH_PROTOTYPE_WORLD_H
#define CR_BENCH_PROTOTYPE_WORLD_H

#include "../billiards.h"

#include <stdbool.h>

#define STATE_SIZE 9             // position, velocity, angular velocity; the rotation is a quadrature of the last
#define PLANES 5                 // the table, then the walls at +x, -x, +y, -y
#define CONTACT_DEPTH 2e-8       // [m] at which a contact begins
#define EXPLICIT_FIRST_STEP 1e-5 // [s] after an event
#define IMPLICIT_FIRST_STEP 1e-3 // [s]
#define STIFF_COUNT 3            // positive stiffness tests until a ball on the table goes implicit

// A ball and its last segment. Segment: what its island's last step covered.
typedef struct Ball {
  double start[STATE_SIZE], end[STATE_SIZE]; // state at both ends of the segment
  double startRates[6], endRates[6];         // [m/s^2], [rad/s^2] there
  double startTurn[4], endTurn[4];           // quaternions there
  double control[6][3];                      // [m] Bernstein points of the position on the segment
  double low[3], high[3];                    // [m] the box around them
  double damping[PLANES];                    // [s/m] frozen when the contact began
  unsigned touches;                          // bit per plane
  int island, place;                         // and its number in it
  int cells[4];                              // of the grid: x from, to, y from, to; the first < 0: none
  int stiffCount;                            // since the contact with the table began
} Ball;

typedef struct Touch {
  int a, b;       // balls
  double damping; // [s/m]
} Touch;

typedef enum Pending { pendingNone, pendingInside, pendingMerge } Pending;

// Balls that touch each other, directly or through others.
typedef struct Island {
  int ballCount, ballCapacity, *balls;
  int touchCount, touchCapacity;
  Touch* touches;
  double from, to; // [s] of the segment; `to` is the clock
  double step;     // [s] to try next
  double lastError;
  Pending pending;
  int partner;     // island of a pending merge; -1: none
  int ball, other; // that cause the pending event; other: a ball, or -1 - plane
  int heapPlace;
  bool isFirst; // implicit method: no step since the last event
  bool hasCollocation;
  double collocationStep;   // [s]
  double collocation[3][7]; // polynomial of the last implicit step, for the start of the next iteration
} Island;

typedef struct Cell {
  int count, capacity, *balls;
} Cell;

typedef struct Counts {
  long implicitSteps, explicitSteps, rejectedSteps, ballStages; // of both methods
  long events, merges, splits, redone, pairTests, largestIsland, falseHits;
  int iterations; // of the last implicit step
} Counts;

typedef struct World {
  double halfX, halfY, muK, muR, corTable, corWall; // scene
  double tolerance;                                 // [-]
  bool isGlobal;                                    // one island for ever: one step for all balls
  double implicitTolerance;                         // [-]
  double stopTime;                                  // [s]
  double kPlane, kBall;                             // [N/m^1.5]
  int ballCount;
  Ball* balls;
  int islandCount, freeCount, heapCount;
  Island* islands; // (ballCount + 2)
  int *freeIslands, *heap;
  bool usesGrid;
  int gridX, gridY;
  Cell* cells;
  int* stamps; // (ballCount) last search that met a ball
  int stamp;
  int candidateCount, candidateCapacity, *candidates;
  double* work; // of steps
  int workSize;
  Counts counts;
} World;

// ------------------------------------------------------------------------------------------- the program

World* createWorld(int ballCount);
void destroyWorld(World* world);
void startWorld(World* world, double stopTime);                         // from `end` of all balls
void runWorld(World* world, double t);                                  // until every clock is at t or later
void readPosition(const World* world, int ball, double t, double p[3]); // t within the last segment

// ----------------------------------------------------------------------------------------------- its parts

// path.c: what a step covered
void setPath(Ball* ball, double h, const double startAcceleration[3], const double endAcceleration[3]);
void setPoint(Ball* ball);                                  // a segment without length, at `end`
void turnBall(Ball* ball, double h, const double angle[3]); // angle: integral of the angular velocity
void readPath(const Ball* ball, double length, double s, double p[3], double v[3], double a[3]);
double findPlaneHit(const double values[6], double threshold); // first s with value <= threshold, or 2
double findBallHit(World* world, const Ball* a, const Island* ofA, const Ball* b, const Island* ofB, double from,
                   double to); // [s], or infinite

// explicit_step.c and implicit_step.c: from `start` of the balls to `end`; the error in units of the tolerance, < 0:
// the iteration failed
double takeExplicitStep(World* world, Island* island, double h);
double takeImplicitStep(World* world, Island* island, double h);

// island.c: islands, their clocks in a heap, and the grid of cells for finding neighbours
int createIsland(World* world);
void releaseIsland(World* world, int id);
void addBall(World* world, int id, int ball);
void addTouch(Island* island, Touch touch);
bool isImplicit(const World* world, const Island* island);
void insertClock(World* world, int id);
void removeClock(World* world, int id);
void moveClock(World* world, int id);
void createGrid(World* world);
void placeInGrid(World* world, int ball);
void findNeighbours(World* world, int ball); // fills candidates with balls of other islands

// event.c
void resolveEvent(World* world, int id);
void flipContacts(World* world, Island* island, int ball, int other);
void restartIsland(World* world, Island* island);

#endif
