// Boxes, cylinders and hulls in MuJoCo: conjugate gradients, sparse, elliptic cones, steps of 1 ms. A run in which its
// buffers overflow is said to be wrong.
#include "mixed.h"
#include "mujoco_messages.h"

#include <cstdlib>
#include <string>
#include <unistd.h>
#include <vector>

namespace
{

std::string describe(int n, const double (*p)[3], const double (*q)[4])
{
  char text[512];
  const double half = mixedHalfWidth(n);
  std::string xml;
  std::snprintf(text, sizeof text,
                "<mujoco><option timestep='%g' solver='CG' jacobian='sparse' iterations='50' cone='elliptic'/>"
                "<size njmax='%d' nconmax='%d' nstack='%ld'/><default><geom friction='%g' condim='3' density='%g'/>"
                "</default><asset><mesh name='hull' vertex='",
                MIXED_STEP, 60 * n, 20 * n, 40000L * n + 2000000L, MIXED_FRICTION, MIXED_DENSITY);
  xml = text;
  for (int i = 0; i < MIXED_CORNERS; i++) {
    double x[3];
    mixedCorner(i, x);
    std::snprintf(text, sizeof text, "%.12g %.12g %.12g ", x[0], x[1], x[2]);
    xml += text;
  }
  xml += "'/></asset><worldbody><geom type='plane' size='0 0 1'/>";
  const double walls[4][2] = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } };
  for (const double* wall : walls) {
    std::snprintf(text, sizeof text, "<geom type='plane' pos='%g %g 0' zaxis='%g %g 0' size='0 0 1'/>", -half * wall[0],
                  -half * wall[1], wall[0], wall[1]);
    xml += text;
  }
  char box[96], cylinder[96];
  std::snprintf(box, sizeof box, "type='box' size='%g %g %g'", mixedBox[0] / 2, mixedBox[1] / 2, mixedBox[2] / 2);
  std::snprintf(cylinder, sizeof cylinder, "type='cylinder' size='%g %g'", MIXED_RADIUS, MIXED_LENGTH / 2);
  const char* shapes[3] = { box, cylinder, "type='mesh' mesh='hull'" };
  for (int i = 0; i < n; i++) {
    std::snprintf(text, sizeof text,
                  "<body pos='%.12g %.12g %.12g' quat='%.12g %.12g %.12g %.12g'><freejoint/><geom %s/></body>", p[i][0],
                  p[i][1], p[i][2], q[i][0], q[i][1], q[i][2], q[i][3], shapes[i % 3]);
    xml += text;
  }
  return xml + "</worldbody></mujoco>";
}

mjModel* makeModel(const std::string& xml)
{
  char path[] = "/tmp/bench_mixed_XXXXXX.xml", message[500] = "";
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
  std::vector<double> places(7 * static_cast<size_t>(n));
  auto* p = reinterpret_cast<double(*)[3]>(places.data());
  auto* q = reinterpret_cast<double(*)[4]>(places.data() + 3 * static_cast<size_t>(n));
  placeMixed(n, p, q);
  mjModel* model = makeModel(describe(n, p, q));
  if (model == nullptr) {
    return;
  }
  mjData* data = mj_makeData(model);
  int warnings = 0;
  double start = mixedNow(), seconds = 0, height = 0;
  long k = 0;
  for (; k * MIXED_STEP < MIXED_STOP - 1e-9 && seconds < MIXED_LIMIT; k++) {
    mj_step(model, data);
    seconds = mixedNow() - start;
  }
  for (int i = 0; i < mjNWARNING; i++) {
    warnings += data->warning[i].number;
  }
  for (int i = 0; i < n; i++) {
    height += data->qpos[7 * i + 2] / n;
  }
  printMixedRow(warnings == 0 ? "MuJoCo, CG, step 0.001 s" : "MuJoCo, CG, buffers overflow", "mujoco", n,
                k * MIXED_STEP, seconds, height, NAN);
  mj_deleteData(data);
  mj_deleteModel(model);
}

} // namespace

int main()
{
  printMixedHead();
  run(mixedSizes[0]); // 1,000 need more memory than it can ask for
  return 0;
}
