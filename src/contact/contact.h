// The inside of a set's contacts. Two shapes touch once: pair k has contact k. They are sorted by (shapeA, shapeB), so
// that sums have one order. Memory grows at events only, but for the list of near pairs of the broad phase.
#ifndef CR_CONTACT_CONTACT_H
#define CR_CONTACT_CONTACT_H

#include "base/archive.h"
#include "base/memory.h"
#include "carom/collide.h"
#include "carom/record.h"
#include "contact/bristle.h"
#include "contact/contact_law.h"
#include "model/eval/contacts.h"

// What a contact shape means to the contacts of a set.
typedef struct crShapeFacts {
  int body;
  int tree;      // -1: the world
  int stateTree; // whose states its contacts couple with others; -1: the world, or a carrier, see island/carrier.c
  double mass;   // [kg] of its body, of its tree if that has none; infinite: does not move
  double half;   // [m] half its smallest dimension
  bool isRound;  // a sphere, capsule or ellipsoid
  bool isSphere;
  bool isCentred; // at its body's origin
  bool hasSurfaceVelocity;
  crVec3 surfaceVelocity; // [m/s] in body axes
  int compound;           // its first shape
  bool isCompound;        // which has others
  double thickest;        // [m] half the smallest dimension of its thickest one
} crShapeFacts;

// What the contacts of all sets of one instance share: what shapes are, and where they are. Sets whose trees differ may
// be evaluated at the same time: each writes the poses of its own shapes alone.
typedef struct crShapeTable {
  crAllocator allocator;
  const crModel* model;
  int shapeCount;
  crShapeFacts* facts; // (shapeCount)
  crPose* poses;       // (shapeCount) those of the world are written once
  crAabb* bounds;      // (shapeCount) in axes of the shape
  double margin;       // [m] see crShapeTable_ChooseMargin, of all that moves
  double gravity;      // [m/s^2]
  bool hasCompounds;   // any
  bool hasOthers;      // any tree is more than a free body, so that there are differences: see linear_contact.h
  bool hasCarriers;    // any tree has shapes whose stateTree it is not
} crShapeTable;

crStatus crCreateShapeTable(const crModel* model, const crAllocator* allocator, crShapeTable** outTable);
void crDestroyShapeTable(crShapeTable* table);

// The distance beyond which pairs need not be looked at: a share of the smallest shape that moves, of those with
// isMember (NULL: of all).
double crShapeTable_ChooseMargin(const crShapeTable* table, const bool* isMember);

// How two shapes push each other: at a point, by ways of their own where most of the time goes, or by area.
typedef enum crTouchPath {
  cr_touchAny,
  cr_touchArea,
  cr_touchSpheres,
  cr_touchSpherePlane, // A is the sphere
  cr_touchPlaneSphere,
  cr_touchSphereSolid, // any other that a sphere touches in one point
  cr_touchSolidSphere,
} crTouchPath;

// Two shapes that touch.
typedef struct crTouchingPair {
  int shapeA, shapeB;
  int place; // while pairs are sorted, or are the next ones: where it was; see crContacts_SeatNext
  crTouchPath path;
  const crContactLaw* law;
  crDistanceCache cache;
} crTouchingPair;

// A contact at one end of a step.
typedef struct crContactPoint {
  double force, power;    // [N], [W]
  double depth, rate;     // [m], [m/s]
  double slide;           // [m/s]
  double stored, release; // [J], [W]
} crContactPoint;

// Parts of a step that takes several.
typedef struct crContactParts {
  crContactPoint start;        // of the first one
  double time;                 // [s] that they take
  double impulse, dissipation; // [N s], [J]
  double slipPath;             // [m]
  double maxDepth, maxForce;   // [m], [N]
} crContactParts;

// How a contact crept under load, up to the end of the last step: contact_creep.c.
typedef struct crCreepSums {
  double path;        // [m]
  double time;        // [s]
  double load, depth; // [s], [m s] integrals over that time, of the share of its limit that friction had, and of depth
} crCreepSums;

typedef struct crContact {
  crContactMemory memory;
  crBristle bristle; // of friction that sticks
  int place;         // of its first state, among those of all bristles of the set
  int column;        // first entry of its columns in the pattern of the set
  double begin;      // [s]
  double approach;   // [m/s] at the beginning, before an impulse
  bool isNew;        // began at the last event
  bool isHeld;       // while impulses are resolved: none moves it
  double before;     // [m/s] likewise: how fast it approached before them
  bool isTouching;   // false: prepared, or over; without a force while it is apart
  bool isSettled;    // its impact is over, so that steps are held back by stability alone
  // of the step that is being taken: stages have been summed up, parts of it are done, there are maxima inside
  bool hasSums, hasParts, hasPeaks;
  // up to the end of the last step
  double maxDepth, maxForce;   // [m], [N]
  double impulse, dissipation; // [N s], [J]
  double slipPath;             // [m] that its surfaces have slipped on each other
  crCreepSums creep;           // of it, below the speed at which friction is regularized
  double lastSlip, lastTurn;   // [m/s], [rad/s] at its end
  double slipRate, turnRate;   // [m/s^2], [rad/s^2] mean change of these over that step
  // as evaluated last
  crTouch now;
  crContactMotion motion;
  crContactForce force;
  crVec3 drag;           // [N] on B: what surfaces that move by themselves act against
  double area, pressure; // [m^2], [N/m^2] of the patch, and the largest in it; 0: at a point
  double grip;           // [m] lever at which the patch resists drilling; 0: at a point
  double load;           // [N] that its bristle has
  double stored;         // [J] without its bristle; 0 in groups at points,
  double release;        // [W] and what its elastic force does to both bodies, the fall of what is stored
  double share;          // [-] at a point: of what it would push with alone, in sets with groups; contact_group.h
  // of the step that is being taken, contact_sums.c
  double impulseSum, dissipationSum; // [N s], [J] of the stages
  double slideSum, releaseSum;       // [m], [J] likewise
  crContactPoint start;              // of it, or of its present part
  crContactParts parts;              // those that are done
  double nearStart, nearEnd;         // [m/s] rates a little inside, where peaks need them
} crContact;

typedef struct crBallStage crBallStage;
typedef struct crAreaCourses crAreaCourses;

// Contacts of one group, from the first on: see contact_group.h. A contact alone is its own first.
typedef struct crContactPartner {
  int first, next; // next -1: the last one
  uint32_t apart;  // bit i: its solid is touched by itself, whether that of contact i of the group is or not
} crContactPartner;

// A contact while groups are made.
typedef struct crGroupSeat {
  int first, second, contact;
  bool isArea;
} crGroupSeat;

typedef struct crAreaPart crAreaPart;
typedef struct crLinearContact crLinearContact;

// A set of its own has its table, its members and a broad phase. One that shares a table knows its near pairs from
// elsewhere, and is small: there may be as many as bodies.
struct crContacts {
  crAllocator allocator;
  crShapeTable* table;
  bool ownsTable;
  const crModel* model; // this and the next six are the table's
  int shapeCount;
  const crShapeFacts* facts; // (shapeCount)
  crPose* poses;             // (shapeCount)
  double margin;             // [m] pairs that are farther apart count as this far; with a broad phase that of the set
  double gravity;            // [m/s^2]

  crBroadPhase* broadPhase; // NULL: shares a table, or has no need of it at present
  bool* isMember;           // (shapeCount) on the world or on a tree of the set; NULL: any
  int* members;             // (memberCount) shapes of the set that move; NULL: shares a table
  int memberCount;

  bool isListed;            // lists that follow from the pairs are those of these pairs
  bool hasSurfaces;         // any that touches moves by itself
  bool hasGroups;           // any contact has partners; else there are no partners
  bool isLinear;            // area contacts are, for differences: see linear_contact.h
  bool isCrowd;             // bristles are damped as there
  const crBallStage* stage; // of the step that is being taken, if a stage of it is evaluated in lanes: see ball_stage.h
  crAreaCourses* courses;   // likewise, if patches are on courses in it: see area_course.h
  double lastEvent;         // [s] at which contacts were resolved last; NaN: never
  double fading;            // [J] that bristles store whose contacts were dropped for those who look
  double released;          // [J] that bristles stored whose contacts the last event ended
  int bristleCount;         // states of all bristles, with room for more
  crArrayOf(crTouchingPair) pairs;
  crArrayOf(crContact) contacts;
  crArrayOf(int) activeShapes;         // moving shapes of the pairs, ascending
  crArrayOf(crTouchingPair) latePairs; // that have been inserted, and go to their places when all come,
  crArrayOf(crContact) lateContacts;   // with their contacts
  crArrayOf(crTouchingPair) nextPairs; // while an event is resolved
  crArrayOf(crContact) nextContacts;
  crArrayOf(crContactRecord) events;
  crArrayOf(uint64_t) links; // trees that touch each other, both ways: tree << 32 | other, ascending, each once
  crArrayOf(int) carriers;   // trees of shapes that touch, and couple nobody: ascending, each once
  crArrayOf(crContactPartner) partners; // (contacts) see hasGroups
  crArrayOf(crGroupSeat) seats;
  crArrayOf(crAreaPart) parts;      // of the largest group
  crArrayOf(crLinearContact) lines; // (contacts) of sets with joints
  crArrayOf(uint64_t) bristles;     // trees with the places of their bristles: tree << 32 | place, ascending
  crArrayOf(int) owners;            // (bristleCount) contact that begins at a place; -1: none
  crArrayOf(int) places; // (as links) where the states of the other begin in those of the set, once asked for
};

// The place for a new last item; NULL: out of memory.
#define crPushItem(array, allocator)                                                                                   \
  (crMakeRoom((array), (array)->count + 1, (allocator)) ? &(array)->items[(array)->count++] : NULL)

// Contacts of a set that knows its near pairs from elsewhere, empty. The table must outlive them.
crStatus crCreateSharedContacts(crShapeTable* table, const crAllocator* allocator, crContacts** outContacts);

// No contacts and no events, as if new; memory is kept for reuse.
void crContacts_Clear(crContacts* contacts);

// Into a set of the same table: all but the contacts themselves, and their groups.
crStatus crContacts_CopyPairs(const crContacts* from, crContacts* to);

// Sets that become one: all contacts of `from`, which is empty then and keeps its memory, move into `to`. Both share a
// table. cr_errorMemory: nothing has changed.
crStatus crContacts_Absorb(crContacts* to, crContacts* from);

// Sets that part: a copy of one pair with its contacts, behind those of `to`; and, when all have come, their order and
// lists.
crStatus crContacts_AddPair(const crContacts* from, const crTouchingPair* pair, crContacts* to);
crStatus crContacts_SortPairs(crContacts* contacts);
// Room for so many pairs in an empty set that will have all at once; false: no memory.
bool crContacts_ReserveAll(crContacts* contacts, int count);

// A pair of shapes with what the model says of it; false: they cannot meet.
CR_FRIEND bool crContacts_MakePair(const crContacts* contacts, crBoxPair shapes, crTouchingPair* outPair);
// A contact of two shapes; order and lists when all have come, as above. cr_errorMisuse: there cannot be one, or it is
// there already.
crStatus crContacts_AddContact(crContacts* contacts, crBoxPair shapes, const crContact* contact);

// contact_archive.c: all that a set remembers; a reader has an empty one of the same trees.
void crContacts_Archive(crArchive* archive, crContacts* contacts);
void crContactRecord_Archive(crArchive* archive, const crModel* model, crContactRecord* record);

// Finds anew which of the given pairs touch at the instance's state: as crInstance_ResolveContacts, with near pairs
// that are known. They are sorted by (a, b), each once, and include all that touch now or did.
crStatus crInstance_ResolvePairs(crInstance* instance, crTreeSet set, const crBoxPair* pairs, int count);

// A touch that becomes deep within a step, for sets so large that contacts begin and end inside steps, not at events.
typedef struct crContactStart {
  crBoxPair pair;
  double time, rate; // [s] when, and [m/s] how fast
  crTouch touch;
  crTouchGeometry geometry;
} crContactStart;

// Adds contacts that will begin; what is over begins anew. Sorted by pair.
crStatus crContacts_Prepare(crContacts* contacts, const crContactStart* starts, int count);
// Likewise, of contacts without bristles. Lists that follow from the pairs have to be made again before they are used,
// see isListed; and what is new is late: apart from the others, until all that is takes its place.
crStatus crContacts_Insert(crContacts* contacts, const crContactStart* starts, int count);
void crContacts_SeatLate(crContacts* contacts);
// A pair of the set, late or not, and its contact. false: there is none.
bool crContacts_FindSeat(const crContacts* contacts, crBoxPair pair, const crTouchingPair** outPair,
                         crContact** outContact);

// At the end of such a step, from t0 to t1, where contacts were evaluated last: those that touch now have begun, others
// are over. Events as crInstance_ResolveContacts, none of them before t0.
crStatus crContacts_Follow(crContacts* contacts, double t0, double t1);

// One of them that has begun or is over at the end of such a step. false: no memory.
bool crContacts_NoteChange(crContacts* contacts, const crTouchingPair* pair, crContact* contact, bool isTouching,
                           double t0, double t1);

// For those who look at such a set inside a step: drops what was prepared or is over, where contacts were evaluated
// last.
void crContacts_DropApart(crContacts* contacts);

// A contact as others see it, up to the last step; what it exerts is told of those that are as they are now.
crContactRecord crDescribeContact(const crContacts* contacts, const crTouchingPair* pair, const crContact* contact,
                                  crContactPhase phase);

// A new event of a contact, which begins unless it is made to end at t; NULL: no memory.
crContactRecord* crContacts_PushEvent(crContacts* contacts, const crTouchingPair* pair, const crContact* contact);
void crEndEvent(crContactRecord* event, double t);

crTouchPath crChooseTouchPath(const crContactLaw* law, const crShape* a, const crShape* b);

// Order of two pairs of shapes: -1, 0 or 1.
static inline int crComparePairs(int a, int b, int otherA, int otherB)
{
  return a != otherA ? (a < otherA ? -1 : 1) : b != otherB ? (b < otherB ? -1 : 1) : 0;
}

const crContactLaw* crContacts_FindLaw(const crContacts* contacts, int shapeA, int shapeB);

// Room for the lists that follow from so many pairs; and those lists made anew, which takes no memory.
bool crContacts_ReserveLists(crContacts* contacts, int pairCount);
void crContacts_ListAgain(crContacts* contacts);

// The next pairs and contacts become the present ones; and where next contacts are only those that are new: the pair
// of number i of these has place -1 - i, others that of their contact, ascending. false: no memory, nothing has
// changed.
void crContacts_TakeNext(crContacts* contacts);
bool crContacts_SeatNext(crContacts* contacts);

// [W] That what moves carriers puts in against contacts, as evaluated last: of those whose owner is not this one.
double crContacts_SumCarrierWork(const crContacts* contacts, const crInstance* instance, const int* owners, int owner);

// Half the width of the hysteresis of a pair.
double crContacts_GetHysteresis(const crContacts* contacts, int shapeA, int shapeB, const crContactLaw* law);

// The hysteresis that the lightest of all shapes needs against another one, where it has a larger one because none is
// less than 1e-13 m unless asked for; outShape is that one. 0: it has what it needs.
double crContacts_FindLackingHysteresis(const crContacts* contacts, int* outShape);

// Whether two shapes are in the set and can meet; a filter for broad phases, `context` being the contacts.
bool crContacts_CanMeet(const void* context, int a, int b);

// The touching pair of two shapes, which is not late; NULL: they do not touch.
const crTouchingPair* crContacts_FindPair(const crContacts* contacts, crBoxPair pair);

// The contact of a pair of the set.
static inline crContact* crContacts_GetOf(const crContacts* contacts, const crTouchingPair* pair)
{
  return &contacts->contacts.items[pair - contacts->pairs.items];
}

// [bytes] That its contacts have room in.
static inline size_t crContacts_GetSize(const crContacts* contacts)
{
  return (size_t)contacts->contacts.capacity * sizeof *contacts->contacts.items;
}

// Radii and sizes at a touch of two shapes at these poses, with the contact radii that a user gave.
crTouchGeometry crFindTouchGeometry(const crModel* model, crBoxPair pair, const crPose* X_WA, const crPose* X_WB,
                                    const crTouch* touch);

// contact_bristles.c: states of contacts that stick, as part of those of a set. They lie side by side, in the places
// that they are given here; there are `least` of them, at least, so that some may be free.
int crContacts_CountBristles(const crContacts* contacts); // that are needed
void crContacts_PlaceBristles(crContacts* contacts, int least);
// Places for contacts that were prepared, among those that nobody has; there may be more of them then. false: no
// memory.
bool crContacts_SeatBristles(crContacts* contacts);
void crContacts_SetBristles(crContacts* contacts, const double* x);            // (bristleCount) before an evaluation
void crContacts_GetBristles(const crContacts* contacts, double* outX);         // as set last
void crContacts_GetBristleRates(const crContacts* contacts, double* outRates); // as evaluated last
// The end of a step, where contacts were evaluated last: bases are carried there.
void crContacts_CarryBristles(crContacts* contacts);
// That of a contact which begins, whose shapes are about where they touch.
crBristle crContacts_StartBristle(const crContacts* contacts, const crTouchingPair* pair, const crContactMemory* memory,
                                  const crTouch* touch);
void crContacts_SetCrowd(crContacts* contacts, bool isCrowd); // bristles are damped as in crowds from here on
bool crContacts_ReserveBristles(crContacts* contacts);        // room for the next; false: no memory
// Adds the columns and rows of bristles to the pattern of a set, which has those of its trees: crModel_GetSparsity.
// stateStarts: of trees, in the states of the set. ioRows NULL: counts.
void crContacts_AddBristlePattern(crContacts* contacts, crTreeSet set, const int* stateStarts, int* ioColumnStarts,
                                  int* ioRows, int* ioCount);
// Once that is done: bristles of a tree, ascending, as tree << 32 | place; and rows that those before a place have.
int crContacts_FindBristles(const crContacts* contacts, int tree, const uint64_t** outKeys);
int crContacts_CountBristleRows(const crContacts* contacts, int tree, int before);

// [m/s] How fast its surfaces slip on each other, as evaluated last: without what a bristle bends.
static inline double crFindSlide(const crContact* contact)
{
  return contact->bristle.count > 0         ? contact->bristle.slide
         : contact->force.normalForce > 0.0 ? crLength(contact->motion.slip)
                                            : 0.0;
}

// contact_sums.c: sums over the stages of a step, with the weights of its method: see crStageSums.
void crContacts_BeginSums(crContacts* contacts, double ofStart, double ofStage);
void crContacts_AddToSums(crContacts* contacts, double ofStage);

// The rest of it, all from what was evaluated last. StartSums at an event, where a step starts;
// DropSums before each time that it is taken; KeepPart where it takes several.
void crContacts_StartSums(crContacts* contacts);

// [J] What contacts store more at the end of a step, which was evaluated last, and their forces have taken on the
// way together: 0 but for errors of the step.
typedef struct crSpill {
  double spill;  // [J]
  double rise;   // [J] of what is stored
  bool isWhole;  // nothing else is stored than what that tells
  double stored; // [J] at one of its ends, the larger
  double noise;  // [J] by rounding errors of places
  double load;   // [N] of all
} crSpill;

crSpill crContacts_FindSpill(const crContacts* contacts);
void crContacts_DropSums(crContacts* contacts);
void crContacts_KeepPart(crContacts* contacts, double h);

// The step is final. Leaves out contacts whose depth or force has a new maximum inside the step, and returns whether
// there are any; steep ones may be wrong by more than `limit` of themselves.
bool crContacts_CompleteSums(crContacts* contacts, double h, double limit, bool* outAreSteep);
// Keeps the rates of contacts a little inside the step, near its start or its end, for such maxima.
void crContacts_LookNear(crContacts* contacts, bool isEnd);
// Those that were left out. nearStep [s]: how far inside rates were looked at; 0: they were not.
void crContacts_CompletePeaks(crContacts* contacts, double h, double nearStep);

// [m] The largest depth of a contact at a point up to the end of a step, h long, where depth and rate are these:
// `most`, or that of the cubic inside it. Without a maximum inside that is `most`.
double crFindDeepest(const crContactPoint* start, double depth, double rate, double h, double most);

// contact_creep.c: what friction does to a contact where it was evaluated last.
crContactMode crFindContactMode(const crContactLaw* law, const crContact* contact);
double crFindConeShare(const crContactLaw* law, const crContact* contact); // [-] NaN: there is no friction
// A step that is final, with means over it, and as it is at its end.
typedef struct crCreepStep {
  double h;            // [s]
  double slip, turn;   // [m/s], [rad/s] means
  double force, depth; // [N] normal, [m] at its end
  double lever;        // [m] at which turning counts as slipping
  double ofRolling;    // [m] mu_geo
} crCreepStep;

#define CR_LEAST_LOAD 0.01 // [-] of its limit, from which friction has a load
double crFindCreepLever(const crContactMemory* memory, double grip);
void crAddCreep(const crContactLaw* law, const crCreepStep* step, crCreepSums* sums);
crCreep crDescribeCreep(const crContact* contact);

// Depth, rate, slip of a touch, from the motion of both bodies.
crContactMotion crFindContactMotion(const crInstance* instance, const crContacts* contacts, int shapeA, int shapeB,
                                    const crTouch* touch);

// What its bristle feels where a contact was evaluated last; and what it pulls with added to its force.
crBristleMotion crFindBristleMotion(const crInstance* instance, const crShapeFacts* a, const crShapeFacts* b,
                                    const crContact* contact);
void crPullBristle(const crInstance* instance, const crContacts* contacts, const crTouchingPair* pair, double load,
                   crContact* contact);

// The links of a tree to others that it touches, ascending. Returns their number.
int crContacts_FindLinks(const crContacts* contacts, int tree, const uint64_t** outLinks);

// The broad phase of a set with a table of its own is made anew when near pairs are asked for, if it was dropped.
crStatus crContacts_ProvideBroadPhase(crContacts* contacts);
void crContacts_DropBroadPhase(crContacts* contacts);

// Places all shapes of the set that move, and finds the pairs whose boxes are within the margin.
crStatus crFindNearPairs(const crInstance* instance, crContacts* contacts, const crBoxPair** outPairs, int* outCount);

// Poses of the shapes in a list, at stage position.
void crPlaceShapes(const crInstance* instance, crContacts* contacts, const int* shapes, int count);
void crPlaceTrees(const crInstance* instance, crTreeSet set); // all shapes of the set's trees

#endif
