// The pile in MuJoCo: conjugate gradients, sparse, elliptic cones, steps of 1 ms. A run in which its buffers overflow
// is said to be wrong; larger ones need more memory than it can ask for.
#include "mujoco_messages.h"
#include "pile.h"

#include <cstdlib>
#include <string>
#include <unistd.h>
#include <vector>

namespace
{

std::string describe(int n, const double (*p)[3])
{
  char text[512];
  const double half = pileHalfWidth(n);
  std::string xml;
  std::snprintf(text, sizeof text,
                "<mujoco><option timestep='%g' solver='CG' jacobian='sparse' iterations='50' cone='elliptic'/>"
                "<size njmax='%d' nconmax='%d' nstack='%ld'/><default><geom friction='%g' condim='3'/></default>"
                "<worldbody><geom type='plane' size='0 0 1'/>",
                PILE_STEP, (n <= 300 ? 20 : 7) * n, 4 * n, 20000L * n + 2000000L, PILE_FRICTION);
  xml = text;
  const double walls[4][2] = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } };
  for (const double* wall : walls) {
    std::snprintf(text, sizeof text, "<geom type='plane' pos='%g %g 0' zaxis='%g %g 0' size='0 0 1'/>", -half * wall[0],
                  -half * wall[1], wall[0], wall[1]);
    xml += text;
  }
  for (int i = 0; i < n; i++) {
    std::snprintf(text, sizeof text,
                  "<body pos='%.12g %.12g %.12g'><freejoint/><geom type='sphere' size='%g' density='1000'/></body>",
                  p[i][0], p[i][1], p[i][2], PILE_RADIUS);
    xml += text;
  }
  return xml + "</worldbody></mujoco>";
}

mjModel* makeModel(const std::string& xml)
{
  char path[] = "/tmp/bench_pile_XXXXXX.xml", message[500] = "";
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

void run(int n)
{
  std::vector<double> places(3 * static_cast<size_t>(n));
  auto* p = reinterpret_cast<double(*)[3]>(places.data());
  placePile(n, p);
  mjModel* model = makeModel(describe(n, p));
  if (model == nullptr) {
    return;
  }
  mjData* data = mj_makeData(model);
  int warnings = 0;
  PileClock clock = startPileClock(n);
  for (long k = 1; markPile(&clock, (k - 1) * PILE_STEP) != 0; k++) {
    mj_step(model, data);
  }
  for (int i = 0; i < mjNWARNING; i++) {
    warnings += data->warning[i].number;
  }
  for (int i = 0; i < n; i++) {
    for (int a = 0; a < 3; a++) {
      p[i][a] = data->qpos[7 * i + a];
    }
  }
  printPileRow(warnings == 0 ? "MuJoCo, CG, step 0.001 s" : "MuJoCo, CG, buffers overflow", "mujoco", n, &clock,
               findDeepest(n, p), findHeight(n, p));
  mj_deleteData(data);
  mj_deleteModel(model);
}

} // namespace

int main(int argc, char** argv)
{
  printPileHead();
  for (int i = 0; i < (countPileSizes(argc, argv, 2) > 2 ? 2 : 1); i++) { // with 1,000 its buffers overflow
    run(pileSizes[i]);
  }
  return 0;
}
