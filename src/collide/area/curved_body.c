#include "collide/area/curved_body.h"

bool crIsCurvedBody(const crShape* shape)
{
  bool isKind = shape->kind == cr_shapeCylinder || shape->kind == cr_shapeCone || shape->kind == cr_shapeBeam;
  return isKind && shape->sweep == 0.0;
}

crCurvedBody crMakeCurvedBody(const crShape* shape)
{
  const crCore* core = &shape->core;
  crCurvedBody body;
  if (shape->kind == cr_shapeBeam) {
    body = (crCurvedBody){
      .half = core->half.x, .r0 = core->half.y, .r1 = core->half.y, .z0 = -core->half.z, .z1 = core->half.z
    };
  } else {
    double top = shape->kind == cr_shapeCone ? core->topRadius : core->radius;
    body = (crCurvedBody){ .r0 = core->radius, .r1 = top, .z0 = core->zMin, .z1 = core->zMax };
  }
  body.slope = (body.r1 - body.r0) / (body.z1 - body.z0);
  body.inverse = body.slope == 0.0 ? 1.0 / body.r0 : 0.0;
  body.cosine = 1.0 / sqrt(1.0 + body.slope * body.slope);
  body.slant = 2.0 * (body.z1 - body.z0) / body.cosine;
  body.size = body.half + (body.r0 > body.r1 ? body.r0 : body.r1) + 0.5 * (body.z1 - body.z0);
  return body;
}
