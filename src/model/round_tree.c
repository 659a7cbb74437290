// Round trees: free bodies whose orientation nothing depends on, so that it can be left out of what is solved for.
//
// Such a tree is one free body with
//   - the same inertia about every axis through its origin, which is its centre of mass: no gyroscopic torque,
//   - no contact shapes but spheres about its origin, whose surface does not move against them,
//   - no force elements, no joint law, no signals that look at it or act on it, and no gravity but a uniform one.
// Forces then follow from position, velocity and angular velocity alone.
#include "model/link.h"
#include "model/model.h"

// [-] Of what a number is compared with: bodies that are welded from parts are round up to round-off.
#define CR_ROUND_OFF 1e-13

static void fillShapes(crModel* m)
{
  int shape = 0;
  for (int b = 0; b <= m->size.bodyCount; ++b) {
    while (shape < m->size.shapeCount && m->contactShapes[shape].body < b) {
      ++shape;
    }
    m->bodyShapes[b] = shape;
  }
}

static bool hasRoundInertia(const crLink* link, double radius)
{
  crMat3 I = crFromLanes33(link->I_Bo);
  double size = I.cx.x, limit = CR_ROUND_OFF * size;
  crVec3 diagonal = crMakeVec3(I.cx.x - size, I.cy.y - size, I.cz.z - size);
  crVec3 others = crMakeVec3(I.cx.y, I.cx.z, I.cy.z);
  return crMaxAbs(diagonal) <= limit && crMaxAbs(others) <= limit &&
         crMaxAbs(crFromLanes(link->h)) <= CR_ROUND_OFF * link->mass * radius;
}

static bool isCentredSphere(const crContactShape* place, const crShape* shape)
{
  return shape->kind == cr_shapeSphere && crMaxAbs(place->surfaceVelocity) == 0.0 &&
         crMaxAbs(place->X_BS.p) <= CR_ROUND_OFF * shape->sweep;
}

// One free body; what couples a tree to others or looks at it is listed with it, unless it shares a component.
static bool isLeftAlone(const crModel* m, int t)
{
  const crTree* tree = &m->trees[t];
  return tree->bodyCount == 1 && m->links[tree->bodyStart].path == cr_pathFree && m->componentTrees[t] == 1 &&
         m->treeSignals[t] == m->treeSignals[t + 1] && m->treeForces[t] == m->treeForces[t + 1] &&
         m->treeLaws[t] == m->treeLaws[t + 1] && m->treeDrives[t] == m->treeDrives[t + 1] &&
         m->gravity.kind != cr_gravityPointMass;
}

static bool isRoundBody(const crModel* m, int body)
{
  double radius = 0.0;
  for (int i = m->bodyShapes[body]; i < m->bodyShapes[body + 1]; ++i) {
    if (!isCentredSphere(&m->contactShapes[i], &m->shapes[i])) {
      return false;
    }
    radius = m->shapes[i].sweep;
  }
  return hasRoundInertia(&m->links[body], radius);
}

void crFillRoundTrees(crModel* m)
{
  fillShapes(m);
  for (int t = 0; t < m->size.treeCount; ++t) {
    m->areAlone[t] = isLeftAlone(m, t);
    int body = m->trees[t].bodyStart;
    m->areRound[t] = m->areAlone[t] && isRoundBody(m, body);
    m->links[body].inverseRound = m->areRound[t] ? 1.0 / m->links[body].I_Bo.x[0] : 0.0;
  }
}
