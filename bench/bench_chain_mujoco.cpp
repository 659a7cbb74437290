// Forward dynamics of revolute chains against MuJoCo, as Debian builds it: mj_forward without contacts and constraints,
// which factorizes the mass matrix. The chain comes as URDF, because MJCF would nest as many elements as there are
// links, at some 100 of which the parser stops.
#include "chain_peer.hpp"
#include "mujoco_messages.h"

#include <cstdlib>
#include <string>
#include <unistd.h>

#define RATIO_LIMIT 1.0  // at least as fast
#define ERROR_LIMIT 1e-5 // [-] a mass matrix of 512 links is factorized
#define CALL_SHARE 0.05

namespace
{

std::string describeLink(int i)
{
  char text[700];
  const std::string parent = i > 0 ? "link" + std::to_string(i - 1) : "world";
  std::snprintf(text, sizeof text,
                "<link name='link%d'><inertial><origin xyz='0 0 %g'/><mass value='%g'/>"
                "<inertia ixx='%g' iyy='%g' izz='%g' ixy='0' ixz='0' iyz='0'/></inertial></link>"
                "<joint name='joint%d' type='continuous'><parent link='%s'/><child link='link%d'/>"
                "<origin xyz='0 0 %g'/><axis xyz='%s'/></joint>",
                i, -CHAIN_LENGTH / 2, CHAIN_MASS, CHAIN_IX, CHAIN_IY, CHAIN_IZ, i, parent.c_str(), i,
                i > 0 ? -CHAIN_LENGTH : 0.0, chainAxis(i) == 1 ? "0 1 0" : "1 0 0");
  return text;
}

mjModel* loadChain(int n)
{
  char path[] = "/tmp/carom_bench_XXXXXX.urdf", error[500] = "";
  std::string text = "<robot name='chain'><mujoco><compiler balanceinertia='false' discardvisual='true'/></mujoco>"
                     "<link name='world'/>";
  for (int i = 0; i < n; ++i) {
    text += describeLink(i);
  }
  text += "</robot>";
  const int handle = mkstemps(path, 5);
  std::FILE* file = handle >= 0 ? fdopen(handle, "w") : nullptr;
  if (file == nullptr) {
    return nullptr;
  }
  std::fputs(text.c_str(), file);
  std::fclose(file);
  takeMujocoMessages();
  mjModel* model = mj_loadXML(path, nullptr, error, sizeof error);
  unlink(path);
  if (model == nullptr) {
    std::fprintf(stderr, "mujoco: %s\n", error);
  }
  return model;
}

class Chain
{
public:
  explicit Chain(int n) : model(loadChain(n))
  {
    if (model == nullptr) {
      std::exit(1);
    }
    model->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_CONSTRAINT;
    data = mj_makeData(model);
    for (int i = 0; i < n; ++i) {
      data->qpos[i] = chainAngle(i, 0);
      data->qvel[i] = chainRate(i, 0);
    }
  }

  Chain(const Chain&) = delete;
  Chain& operator=(const Chain&) = delete;

  ~Chain()
  {
    mj_deleteData(data);
    mj_deleteModel(model);
  }

  void evaluate(int call)
  {
    data->qpos[0] = chainAngle(0, call);
    data->qvel[0] = chainRate(0, call);
    mj_forward(model, data);
  }

  double acceleration(int i) const
  {
    return data->qacc[i];
  }

private:
  mjModel* model;
  mjData* data;
};

} // namespace

int main()
{
  return chainPeer::compare<Chain>("mujoco", { RATIO_LIMIT, ERROR_LIMIT }, CALL_SHARE);
}
