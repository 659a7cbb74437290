// A pendulum through the C API: 1 kg on a massless rod of 1 m swings from 0.5 rad. Prints its angle after 2 s.
#include <carom/carom.h>
#include <stdio.h>

int main(void)
{
  crScene* scene = NULL;
  crModel* model = NULL;
  crSimulation* simulation = NULL;
  crCreateScene(NULL, NULL, &scene);
  crObjectDef ground = crDefaultObjectDef("ground"), bob = crDefaultObjectDef("bob");
  ground.mobility = cr_mobilityWorld;
  crScene_AddObject(scene, &ground, NULL);
  crFeatureDef ball = crDefaultFeatureDef(cr_featureMass);
  ball.as.mass.mass = 1, ball.as.mass.com.z = -1;
  bob.features = &ball, bob.featureCount = 1;
  crScene_AddObject(scene, &bob, NULL);
  crJointDef hinge = crDefaultJointDef(cr_jointRevolute, "hinge", "ground", "bob");
  hinge.axis.y = 1, hinge.start[0] = 0.5;
  crScene_AddJoint(scene, &hinge, NULL);
  crCompile(scene, NULL, NULL, NULL, &model);
  crCreateSimulation(model, NULL, NULL, NULL, &simulation);
  if (crSimulation_Advance(simulation, 2.0) == cr_ok) { // each call refuses what an earlier one could not make
    int angle = crModel_FindVariable(model, "hinge.angle");
    printf("%.6f rad\n", crInstance_GetVariable(crSimulation_GetInstance(simulation), angle));
  }
  crDestroySimulation(simulation);
  crDestroyModel(model);
  crDestroyScene(scene);
}
