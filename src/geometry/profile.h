// Profiles: oriented curves in a plane, made of elements, with the solid on the left of the way along them.
//
// An element is smooth and has its curvature in one sign: concave arcs are stored in two halves, so that a ball that is
// too large for one touches either half by itself. A *chain* is a stretch of elements that a ball of a range of radii
// touches in one point at most: profiles are cut at concave corners, and in the middle of concave arcs of radii up to
// the ball's. Convex corners belong to their chain. What is left turns back on itself where it goes around a body, as
// from one flank of a groove to the other: such chains are cut in the middle of lines or convex arcs as well, where no
// two parts of them see each other, and a ball that rolls over such a cut is handed over.
//
// An involute is unrolled from its base circle, of radius b about the origin. With the outward normal n, w = n turned
// to the left, g = 1 where the angle t that it is unrolled by grows along the way, else -1, and c the sign of its
// curvature,
//
//   p = b (g w + c t n),    c / (b t) is its curvature,    n turns by c g dt
//
// Its normals are tangents of the base circle, and what is parallel to it are involutes of that circle: so the foot of
// a point lies on a tangent from it, and its distance is a closed form.
//
// Profiles of revolution lie in the half-plane of rho (x) and z (y). The nearest point of a surface of revolution lies
// in the half-plane of the point itself. A ball that reaches beyond the axis touches the other side as well: for it a
// *far* chain sees the point mirrored, at -rho.
#ifndef CR_GEOMETRY_PROFILE_H
#define CR_GEOMETRY_PROFILE_H

#include "base/friend.h"
#include "base/report.h"
#include "carom/geometry.h"

typedef struct crPlanePoint {
  double x, y;
} crPlanePoint;

static inline crPlanePoint crPlaneAdd(crPlanePoint a, double s, crPlanePoint b) // a + s b
{
  return (crPlanePoint){ a.x + s * b.x, a.y + s * b.y };
}

static inline crPlanePoint crPlaneSub(crPlanePoint a, crPlanePoint b)
{
  return (crPlanePoint){ a.x - b.x, a.y - b.y };
}

static inline double crPlaneDot(crPlanePoint a, crPlanePoint b)
{
  return a.x * b.x + a.y * b.y;
}

static inline double crPlaneCross(crPlanePoint a, crPlanePoint b)
{
  return a.x * b.y - a.y * b.x;
}

static inline double crPlaneLength(crPlanePoint a)
{
  return sqrt(a.x * a.x + a.y * a.y);
}

// Turned by a right angle to the left.
static inline crPlanePoint crPlaneLeft(crPlanePoint a)
{
  return (crPlanePoint){ -a.y, a.x };
}

typedef enum crProfileKind { cr_profileLine, cr_profileArc, cr_profileInvolute, CR_PROFILE_KINDS } crProfileKind;

#define CR_PROFILE_BUNCH 4 // elements that are looked at together

// Places on it are s = -1 ... 1, from start to end, 0 in its middle.
typedef struct crProfileElement {
  crProfileKind kind;
  int source; // point of the def that it leads to
  crPlanePoint start, end, middle;
  crPlanePoint normal; // unit length, out of the solid, in the middle
  crPlanePoint startNormal, endNormal;
  double curvature;    // [1/m] > 0: the solid is convex there; of a line 0; of an involute in its middle
  double half;         // line: [m] half its length; else: [rad] half the angle that its normal turns by
  double radius;       // [m] of an arc; of an involute: the least
  double sine, cosine; // of half the angle
  double base, roll;   // [m], [rad] of an involute: its base circle, and t in its middle
  double growth;       // [-] g of an involute
  double around;       // [m] radius of the circle about its middle around it
  double room; // [m] all elements but it and those next to it are not nearer to it; not more than `around`; 0: unknown
  crPlanePoint centre;         // of a circle around it and the next ones, CR_PROFILE_BUNCH together,
  double bunch;                // [m] and its radius
  crPlanePoint corner;         // unit length: in the middle between the normals at a convex corner behind its end
  double cornerCosine;         // [-] of half the angle between them; 2: there is none
  crPlanePoint cone;           // unit length: in the middle of all normals of both, the element and that corner,
  double coneSine, coneCosine; // [-] and of half the angle that they turn by; 1 and 0: a right angle and more
  double cut;    // [m] radius of balls from which on it does not go on behind its end: 0 at concave corners
  bool isSmooth; // goes on behind its end without a corner
  bool isHalved; // likewise, as the other half of the same line or convex arc
} crProfileElement;

// One block of byteCount bytes without pointers.
typedef struct crProfile {
  size_t byteCount;
  int count;
  bool isClosed;             // the last element ends where the first one begins
  bool isRevolved;           // x is the distance from the axis, and ends on it are no ends
  bool isShell;              // has an end that is free: a surface alone, with a back and nothing behind it
  bool hasVolume;            // encloses the solid, with the axis
  double size;               // [m] the largest of all coordinates of its points
  crPlanePoint min, max;     // [m] bounds
  crProfileElement items[1]; // (count)
} crProfile;

// A place on an element, with its outward normal.
typedef struct crProfilePlace {
  crPlanePoint point, normal;
  double curvature; // [1/m]
} crProfilePlace;

// What differs from one kind of element to the next.
typedef struct crProfileRow {
  crProfilePlace (*at)(const crProfileElement* element, double s);
  double (*speed)(const crProfileElement* element, double s); // [m] length of its way over that of s
  // 0: the nearest point lies between the ends, with the outward normal there and the distance [m], < 0 behind it; else
  // -1 or 1: start or end are nearest. outCurvature [1/m]: there, whichever.
  int (*nearest)(const crProfileElement* element, crPlanePoint x, crPlanePoint* outNormal, double* outSigned,
                 double* outCurvature);
} crProfileRow;
CR_FRIEND extern const crProfileRow cr_profileRows[CR_PROFILE_KINDS];

static inline crProfilePlace crProfileElement_At(const crProfileElement* element, double s)
{
  return cr_profileRows[element->kind].at(element, s);
}

// The place of an involute whose normal is n, which must be one of its own. outRadius [m]: of curvature there, > 0.
CR_FRIEND crPlanePoint crProfileElement_FindByNormal(const crProfileElement* involute, crPlanePoint n,
                                                     double* outRadius);

// The point of a stretch of elements nearest to x.
typedef struct crProfileFoot {
  double distance;     // [m] >= 0 in front of it, < 0 behind: see crChain_FindFoot
  crPlanePoint normal; // unit length: from the foot to x in front, the other way behind
  crPlanePoint point;  // the foot
  double curvature;    // [1/m] there; NaN: a corner
  int element;
  int end; // -1, 1: at the start or the end of the element; 0: between
} crProfileFoot;

// Checks a def, all breaches reported, and makes a profile of it, in memory that crFree takes back with byteCount.
CR_FRIEND crStatus crCreateProfile(const crProfileDef* def, bool isRevolved, const crAllocator* allocator,
                                   crReporter* reporter, crProfile** outProfile);

// Given all else of the elements: their room.
void crProfile_FindRooms(crProfile* profile);

// A stretch of a profile as balls of radii in [least, most) touch it.
typedef struct crChain {
  const crProfile* profile;
  int first, count; // elements, from the first again behind the last
  bool isWhole;
  bool isFar;
  bool startsShared, endsShared;      // goes on there as another chain, on the same line or arc,
  int before, after;                  // of so many elements,
  bool isBeforeShared, isAfterShared; // which goes on likewise at its other end
  bool isFace;        // of an extruded profile whose chains are parts of it: its end faces, and none of its walls
  bool sharesFace;    // has its walls and their edges alone: the end faces are another one's
  double least, most; // [m] radii of balls that it is for
  // bounds of all its points
  crPlanePoint min, max; // [m]
  double reach;          // [m] from the origin; of an extruded one without its length
  // for bounds on how distances change
  double concave; // [m] least radius of its concave arcs; infinite: none
  bool isConvex;  // it has nothing concave, so that it lies behind the tangent at each of its points
  // [m] How far apart the centres are about which it bends: of its arcs, and ends and corners as they are. Along a
  // normal it moves as the centre does that belongs to it. Or how far apart its points are, if that is less.
  double spread;
  double facing;    // [-] most that its normals face the axis with: 0 ... 1
  bool facesByArcs; // whatever faces the axis are concave arcs about points on the axis or beyond
  double circle;    // [m] least radius of curvature around the axis, of what faces it; infinite: nothing does
} crChain;

crChain crMakeWholeChain(const crProfile* profile);

// All chains of a profile; outCount: of them. The memory is taken back by crFree, outCount chains.
crStatus crCreateChains(const crProfile* profile, const crAllocator* allocator, crChain** outChains, int* outCount);

// Bytes of a chain with its profile, and a copy inside so large a block, aligned to 8.
size_t crChain_Measure(const crChain* chain);
const crChain* crChain_CopyTo(const crChain* chain, void* block);

// Behind are points inside the solid of the whole profile alone: a point beyond a wall sees its back from outside, in
// front. A shell has no solid: it is seen from both sides. Of far chains x.x is the distance from the axis as it is,
// and the foot that of the mirrored point, with normal and point mirrored back; one on the axis is no touch: its
// distance is infinite.
crProfileFoot crChain_FindFoot(const crChain* chain, crPlanePoint x);

// Whether a foot is where another chain goes on, which has the touch then; and that chain, without its bounds.
bool crChain_IsShared(const crChain* chain, const crProfileFoot* foot);
crChain crChain_GetNext(const crChain* chain, const crProfileFoot* foot);
// Whether a chain goes on as another one of the same profile.
bool crChain_GoesOnAs(const crChain* chain, const crChain* other);

// Whether a ball that leaves one of both, chains of the same profile, may go on at the other over an end face.
bool crChain_MeetsOnFace(const crChain* chain, const crChain* other);

// Whether a foot is seen from its back, along a normal that leads to x, as that of a foot: only of shells.
bool crChain_IsBack(const crChain* chain, const crProfileFoot* foot, crPlanePoint normal);

// Whether a point is on the inner side of what is nearest of a chain, and not beyond its ends, whatever the rest of the
// profile is.
bool crChain_IsBehind(const crChain* chain, crPlanePoint x);

// Whether a point lies in the solid.
bool crProfile_IsInside(const crProfile* profile, crPlanePoint x);

// What a profile has that another one may lie flat on or in, where touches at one point would change places for ever.
typedef struct crProfileSides {
  bool hasFlat;  // a side between two convex corners, straight or nearly, of a tenth of the size or more
  bool hasBed;   // a side likewise, with any ends, straight or hollow
  bool areLines; // all sides are straight, so that convex pieces are exact
} crProfileSides;
crProfileSides crProfile_FindSides(const crProfile* profile);

// Integrals of x^i y^j over what a closed profile encloses, i <= 4, j <= 2, in closed form but for round-off.
double crProfile_Integrate(const crProfile* profile, int i, int j);

// The farthest point of a chain along d.
crPlanePoint crChain_FindSupport(const crChain* chain, crPlanePoint d);

#endif
