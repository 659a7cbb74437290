// Mass and inertia of a mesh as the compiler of MuJoCo computes them.
#ifndef CR_TEXT_ROBOT_MESH_INERTIA_H
#define CR_TEXT_ROBOT_MESH_INERTIA_H

#include "text/robot/robot.h"

// For a density of 1. A closed mesh has the inertia of its inside. An open one has none: then, with a warning, pyramids
// from the centre of its surface are summed up, all counted as positive unless isExact.
crStatus crWeighMesh(crRobot* robot, const crValue* shape, bool isExact, crReporter* reporter, crInertia* outInertia);

#endif
