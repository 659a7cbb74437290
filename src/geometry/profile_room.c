// How far the elements of a profile are from each other, from below: by circles around pieces of them.
#include "geometry/profile.h"

#include <math.h>
#include <stdlib.h>

#define CR_HALVINGS 16      // of both together
#define CR_REACH_SLACK 1e-9 // [-] for round-off
#define CR_NARROW 0.5       // [-] of a distance: pieces that reach so far tell it well enough

// A piece of an element, of which no point is farther from its middle than its ends.
typedef struct Piece {
  const crProfileElement* element;
  double low, high;
  crPlanePoint middle;
  double reach; // [m] from there
} Piece;

static Piece makePiece(const crProfileElement* e, double low, double high)
{
  Piece piece = { .element = e, .low = low, .high = high, .middle = crProfileElement_At(e, 0.5 * (low + high)).point };
  double toLow = crPlaneLength(crPlaneSub(crProfileElement_At(e, low).point, piece.middle));
  double toHigh = crPlaneLength(crPlaneSub(crProfileElement_At(e, high).point, piece.middle));
  piece.reach = (1.0 + CR_REACH_SLACK) * fmax(toLow, toHigh);
  return piece;
}

// [m] Not more than the distance of two pieces, and not more than `most`.
static double findApart(const Piece* a, const Piece* b, double most, int halvings)
{
  double length = crPlaneLength(crPlaneSub(b->middle, a->middle)), reach = a->reach + b->reach, apart = length - reach;
  if (apart >= most) {
    return most;
  }
  if (reach <= CR_NARROW * length || halvings == 0) {
    return fmax(apart, 0.0);
  }
  const Piece *longer = a->reach > b->reach ? a : b, *other = longer == a ? b : a;
  double middle = 0.5 * (longer->low + longer->high);
  Piece first = makePiece(longer->element, longer->low, middle),
        second = makePiece(longer->element, middle, longer->high);
  double nearest = findApart(&first, other, most, halvings - 1);
  return findApart(&second, other, nearest, halvings - 1);
}

static bool areNext(const crProfile* profile, int i, int k)
{
  int away = abs(i - k);
  return away <= 1 || (profile->isClosed && away == profile->count - 1);
}

// Elements hang together, so that the middle of the next one is not farther than 2 `longest` away: whoever is far away
// is for some elements to come. [m] longest: the most of all `around`.
static double findRoom(const crProfile* profile, int i, double longest)
{
  const crProfileElement* e = &profile->items[i];
  Piece own = makePiece(e, -1.0, 1.0);
  double room = e->around;
  for (int k = 0; k < profile->count; ++k) {
    const crProfileElement* other = &profile->items[k];
    double beyond = crPlaneLength(crPlaneSub(other->centre, e->middle)) - other->bunch - e->around - room;
    if (beyond >= 0.0) {
      k += CR_PROFILE_BUNCH - 1 + (int)fmin(0.5 * beyond / longest, profile->count);
    } else if (!areNext(profile, i, k)) {
      Piece piece = makePiece(other, -1.0, 1.0);
      room = findApart(&own, &piece, room, CR_HALVINGS);
    }
  }
  return room;
}

void crProfile_FindRooms(crProfile* profile)
{
  double longest = 0.0;
  for (int i = 0; i < profile->count; ++i) {
    longest = fmax(longest, profile->items[i].around);
  }
  for (int i = 0; i < profile->count; ++i) {
    profile->items[i].room = findRoom(profile, i, longest);
  }
}
