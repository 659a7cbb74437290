// How far apart are a cylinder and a box? Signed distance, normal and nearest points of two shapes.
//
//   cc distance.c $(pkg-config --static --cflags --libs carom) && ./a.out
#include <carom/carom.h>

#include <stdio.h>

// Messages about shapes that cannot be made go here.
static void printError(void* context, const crError* error)
{
  (void)context;
  fprintf(stderr, "%s\n", error->message);
}

int main(void)
{
  crErrorSink sink = { printError, NULL };
  crShapeDef cylinder = crDefaultShapeDef(cr_shapeCylinder), box = crDefaultShapeDef(cr_shapeBox);
  cylinder.as.cylinder.radius = 0.5;
  cylinder.as.cylinder.length = 2.0;
  box.as.box.size = crMakeVec3(1.0, 1.0, 1.0);
  crShape *a = NULL, *b = NULL;
  if (crCreateShape(&cylinder, NULL, &sink, &a) == cr_ok && crCreateShape(&box, NULL, &sink, &b) == cr_ok) {
    crPose X_WA = crIdentityPose();
    for (int i = 0; i <= 4; ++i) { // the box comes nearer from the right, on its edge
      crQuat turn = crAxisAngleToQuat(crMakeVec3(0.0, 0.0, 1.0), 0.25 * CR_PI);
      crPose X_WB = crMakePose(crMakeVec3(2.0 - 0.25 * i, 0.0, 0.0), turn);
      crDistance d;
      crComputeDistance(a, &X_WA, b, &X_WB, NULL, &d);
      printf("distance %8.5f  normal %5.2f %5.2f %5.2f  points %8.5f and %8.5f\n", d.distance, d.normal.x, d.normal.y,
             d.normal.z, d.pointA.x, d.pointB.x);
    }
  }
  crDestroyShape(a); // NULL is ignored
  crDestroyShape(b);
  return a != NULL && b != NULL ? 0 : 1;
}
