// What sensors read of contacts: sums over those of one object.
#include "contact/contact.h"

static void addContact(const crContact* contact, double sign, crVec3 o, crContactSum* sum)
{
  crVec3 f = crScale(sign, contact->force.force), t = crScale(sign, contact->force.torque);
  sum->force = crAdd(sum->force, f);
  sum->torque = crAdd(sum->torque, crAdd(t, crCross(crSub(contact->now.point, o), f)));
  sum->normalForce += contact->force.normalForce;
  sum->area += contact->area;
  sum->pressure = fmax(sum->pressure, contact->force.normalForce > 0.0 ? contact->pressure : 0.0);
  sum->depth = fmax(sum->depth, contact->motion.depth);
}

// Forces are those on B. Two solids of one object never touch each other.
crContactSum crContacts_SumOn(const crContacts* contacts, int object, int other, crVec3 o)
{
  crContactSum sum = { .normalForce = 0.0 };
  for (int k = 0; k < contacts->pairs.count; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    int a = contacts->model->contactShapes[pair->shapeA].object,
        b = contacts->model->contactShapes[pair->shapeB].object;
    if (b == object && (other < 0 || a == other)) {
      addContact(&contacts->contacts.items[k], 1.0, o, &sum);
    } else if (a == object && (other < 0 || b == other)) {
      addContact(&contacts->contacts.items[k], -1.0, o, &sum);
    }
  }
  return sum;
}
