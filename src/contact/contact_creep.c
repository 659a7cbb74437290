// What friction does at a contact, for people: whether it sticks, slides or rolls, how much of its limit it has, and
// how far it crept.
//
// Regularized friction pulls with muK f_n s / reg(s) at the slip s, and so holds nothing: under a load of half of its
// limit a contact slips at 0.18 vMin for as long as the load lasts. Such slips are summed up at the ends of steps; they
// are slow, and steps long.
#include "contact/contact.h"

static bool rubs(const crContactLaw* law)
{
  return (law->muK > 0.0 || law->muR > 0.0) && law->response != cr_responseObserver && law->response != cr_responseUser;
}

// [m] At which a relative turn counts as a speed.
static double findLever(const crContact* contact)
{
  return crFindCreepLever(&contact->memory, contact->grip);
}

double crFindCreepLever(const crContactMemory* memory, double grip)
{
  return fmax(memory->lever, grip);
}

crContactMode crFindContactMode(const crContactLaw* law, const crContact* contact)
{
  if (!rubs(law) || !((law->sticks ? contact->load : contact->force.normalForce) > 0.0)) {
    return cr_modeNone;
  }
  double slide = crFindSlide(contact), turn = crLength(contact->motion.turn) * findLever(contact);
  bool slides = law->sticks ? slide > 0.0 : slide >= law->vMin;
  return slides ? cr_modeSliding : turn >= law->vMin ? cr_modeRolling : cr_modeSticking;
}

double crFindConeShare(const crContactLaw* law, const crContact* contact)
{
  double limit = law->sticks ? law->muS * contact->load : law->muK * contact->force.normalForce;
  crVec3 f = contact->force.force, n = contact->motion.normal;
  return rubs(law) && limit > 0.0 ? crLength(crMulAdd(f, -crDot(f, n), n)) / limit : NAN;
}

void crAddCreep(const crContactLaw* law, const crCreepStep* step, crCreepSums* sums)
{
  double v = step->slip, w = step->turn, lever = step->lever, h = step->h;
  if (!rubs(law) || !(step->force > 0.0) || !(h > 0.0)) {
    return;
  }
  double sliding = law->muK > 0.0 && w * lever < law->vMin ? v / crRegularize(v, law->vMin) : 0.0;
  double rolling = law->muR > 0.0 && w < law->wMin ? w / crRegularize(w, law->wMin) : 0.0;
  double share = fmax(sliding, rolling);
  if (share > CR_LEAST_LOAD) {
    sums->path += h * ((sliding > CR_LEAST_LOAD ? v : 0.0) + (rolling > CR_LEAST_LOAD ? w * step->ofRolling : 0.0));
    sums->time += h;
    sums->load += h * share;
    sums->depth += h * fmax(0.0, step->depth);
  }
}

crCreep crDescribeCreep(const crContact* contact)
{
  const crCreepSums* sums = &contact->creep;
  double perTime = sums->time > 0.0 ? 1.0 / sums->time : 0.0;
  return (crCreep){ sums->path, sums->time, perTime * sums->load, perTime * sums->depth };
}
