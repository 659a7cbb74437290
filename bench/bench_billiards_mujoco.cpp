// The billiards scene in MuJoCo, with steps of a fixed size. Balls and walls are springs whose half period takes four
// steps; with low impedance they keep the energy, with high impedance simultaneous contacts gain some.
#include "billiards.h"
#include "mujoco_messages.h"

#include <cstdlib>
#include <string>
#include <unistd.h>

namespace
{

const double impedance = 0.01, stepsPerContact = 4;

std::string describe(const char* integrator, double step)
{
  double p[BALLS][3], rate = 3.14159265358979 / (stepsPerContact * step); // [rad/s] of a contact
  char text[600];
  placeBalls(p);
  std::snprintf(text, sizeof text,
                "<mujoco><compiler inertiafromgeom='false'/><option timestep='%g' integrator='%s' gravity='0 0 -9.81' "
                "cone='elliptic' solver='Newton' iterations='50' tolerance='1e-10'/><size njmax='2000' nconmax='400'/>"
                "<default><geom contype='0' conaffinity='0'/></default><worldbody>"
                "<geom name='table' type='plane' size='2 2 .1'/>",
                step, integrator);
  std::string xml = text, pairs;
  const double walls[4][2] = { { -1, 0 }, { 1, 0 }, { 0, -1 }, { 0, 1 } };
  for (int k = 0; k < 4; k++) {
    std::snprintf(text, sizeof text, "<geom name='wall%d' type='plane' pos='%g %g 0' zaxis='%g %g 0' size='2 2 .1'/>",
                  k, -HALF_LENGTH * walls[k][0], -HALF_WIDTH * walls[k][1], walls[k][0], walls[k][1]);
    xml += text;
  }
  for (int i = 0; i < BALLS; i++) {
    std::snprintf(text, sizeof text,
                  "<body pos='%.17g %.17g %.17g'><freejoint/><inertial pos='0 0 0' mass='%g' diaginertia='%.17g %.17g "
                  "%.17g'/><geom name='ball%d' type='sphere' size='%g'/></body>",
                  p[i][0], p[i][1], RADIUS, MASS, INERTIA, INERTIA, INERTIA, i, RADIUS);
    xml += text;
    std::snprintf(text, sizeof text,
                  "<pair geom1='table' geom2='ball%d' condim='6' friction='0.6 0.6 0.0006 0.0006 0.0006' "
                  "solref='%g 1' solimp='0.99 0.99 0.001'/>",
                  i, 2 * step);
    pairs += text;
    for (int k = 0; k < 4; k++) {
      std::snprintf(text, sizeof text,
                    "<pair geom1='wall%d' geom2='ball%d' condim='1' solref='%g %g' solimp='%g %g 0.001'/>", k, i,
                    -rate * rate, -2 * 0.071 * rate, impedance, impedance);
      pairs += text;
    }
    for (int j = i + 1; j < BALLS; j++) {
      std::snprintf(text, sizeof text,
                    "<pair geom1='ball%d' geom2='ball%d' condim='1' solref='%g 0' solimp='%g %g 0.001'/>", i, j,
                    -rate * rate, impedance, impedance);
      pairs += text;
    }
  }
  return xml + "</worldbody><contact>" + pairs + "</contact></mujoco>";
}

mjModel* makeModel(const std::string& xml)
{
  char path[] = "/tmp/bench_billiards_XXXXXX.xml", message[500] = "";
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

void run(const char* integrator, double step)
{
  mjModel* model = makeModel(describe(integrator, step));
  if (model == nullptr) {
    return;
  }
  mjData* data = mj_makeData(model);
  double early[BALLS][3], end[BALLS][3];
  const long steps = std::lround(STOP_TIME / step), earlyStep = std::lround(0.5 / step);
  data->qvel[0] = CUE_SPEED;
  const double start = cpuNow();
  for (long k = 1; k <= steps; k++) {
    mj_step(model, data);
    for (int i = 0; (k == earlyStep || k == steps) && i < BALLS; i++) {
      for (int a = 0; a < 3; a++) {
        (k == earlyStep ? early : end)[i][a] = data->qpos[7 * i + a];
      }
    }
  }
  char what[64];
  std::snprintf(what, sizeof what, "MuJoCo, %s, step %g s", integrator, step);
  printRow(what, cpuNow() - start, steps, early, end);
  mj_deleteData(data);
  mj_deleteModel(model);
}

} // namespace

int main()
{
  printHead();
  run("RK4", 1e-3);
  run("implicit", 1e-3);
  return 0;
}
