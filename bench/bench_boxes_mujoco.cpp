// Six dropped boxes in MuJoCo: the classical method of order 4, contacts that are springs of 1e5 1/s^2 without damping,
// no friction. What springs store at the end is not counted.
#include "boxes.h"
#include "mujoco_messages.h"

#include <cmath>
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace
{

std::string describe(double step)
{
  double p[BOXES][3], q[BOXES][4];
  char text[512];
  placeBoxes(p, q);
  std::snprintf(text, sizeof text,
                "<mujoco><option timestep='%g' integrator='RK4'/>"
                "<default><geom condim='1' solref='-100000 0' solimp='0.99 0.99 0.001' density='%g'/></default>"
                "<worldbody><geom type='plane' size='0 0 1'/>",
                step, BOX_DENSITY);
  std::string xml = text;
  for (int i = 0; i < BOXES; i++) {
    std::snprintf(text, sizeof text,
                  "<body pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'><freejoint/>"
                  "<geom type='box' size='%g %g %g'/></body>",
                  p[i][0], p[i][1], p[i][2], q[i][0], q[i][1], q[i][2], q[i][3], boxSize[0] / 2, boxSize[1] / 2,
                  boxSize[2] / 2);
    xml += text;
  }
  return xml + "</worldbody></mujoco>";
}

mjModel* makeModel(const std::string& xml)
{
  char path[] = "/tmp/bench_boxes_XXXXXX.xml", message[500] = "";
  int file = mkstemps(path, 4);
  if (file < 0 || write(file, xml.data(), xml.size()) != static_cast<ssize_t>(xml.size())) {
    return nullptr;
  }
  close(file);
  takeMujocoMessages();
  mjModel* model = mj_loadXML(path, nullptr, message, sizeof message);
  unlink(path);
  if (model == nullptr) {
    std::printf("MuJoCo: %s\n", message);
  }
  return model;
}

void run(double step, const char* what, const char* key)
{
  mjModel* model = makeModel(describe(step));
  if (model == nullptr) {
    return;
  }
  mjData* data = mj_makeData(model);
  const long steps = std::lround(BOX_STOP / step);
  double start = boxNow(), energy = 0;
  for (long k = 0; k < steps; k++) {
    mj_step(model, data);
  }
  double seconds = boxNow() - start;
  for (int i = 0; i < BOXES; i++) { // of a free joint: velocity in the world, angular velocity in body axes
    energy += boxEnergy(data->qpos[7 * i + 2], data->qvel + 6 * i, data->qvel + 6 * i + 3);
  }
  printBoxRow(what, key, steps, seconds, energy - boxesStartEnergy());
  mj_deleteData(data);
  mj_deleteModel(model);
}

} // namespace

int main()
{
  printBoxHead();
  run(1e-3, "MuJoCo, RK4, step 0.001 s", "mujoco.1e-03");
  run(1e-4, "MuJoCo, RK4, step 0.0001 s", "mujoco.1e-04");
  return 0;
}
