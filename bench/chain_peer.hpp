// One chain in Carom and in another library, timed in turn: what the peers' benchmarks share.
//
// A Peer is made with the number of links, at the state of call 0. evaluate(call) moves the first link to its angle and
// rate of that call and computes all accelerations; acceleration(i) gives that of link i.
#ifndef CR_BENCH_CHAIN_PEER_HPP
#define CR_BENCH_CHAIN_PEER_HPP

#include "chain.h"

#include <cmath>
#include <cstdio>

namespace chainPeer
{

constexpr int fewestCalls = 20;

inline int countCalls(int n, double share)
{
  const int calls = static_cast<int>(share * chainCalls(n));
  return calls > fewestCalls ? calls : fewestCalls;
}

template <class Peer> double timePeer(Peer& peer, int n, double share)
{
  const int calls = countCalls(n, share);
  const double start = chainNow();
  for (int k = 0; k < calls; ++k) {
    peer.evaluate(k);
  }
  return 1e9 * (chainNow() - start) / calls / n;
}

template <class Peer> double findError(Peer& peer, crInstance* instance, int n)
{
  static double y[2 * CHAIN_MAX], rates[2 * CHAIN_MAX];
  double error = 0.0, largest = 0.0;
  chainFillState(n, 0, y);
  crInstance_ComputeRates(instance, crModel_GetAllTrees(crInstance_GetModel(instance)), 0.0, y, rates);
  peer.evaluate(0);
  for (int i = 0; i < n; ++i) {
    error = std::fmax(error, std::fabs(peer.acceleration(i) - rates[n + i]));
    largest = std::fmax(largest, std::fabs(rates[n + i]));
  }
  return error / largest;
}

// ratio: at least so much faster; error: difference of accelerations, relative to the largest.
struct Limits {
  double ratio, error;
};

template <class Peer> bool compareSize(int n, Limits limits, double share)
{
  static double y[2 * CHAIN_MAX], rates[2 * CHAIN_MAX];
  crModel* model = chainMakeModel(n);
  crInstance* instance = nullptr;
  if (model == nullptr || crCreateInstance(model, nullptr, nullptr, &instance) != cr_ok) {
    return false;
  }
  Peer peer(n);
  const double error = findError(peer, instance, n);
  double ours = HUGE_VAL, theirs = HUGE_VAL;
  chainFillState(n, 0, y);
  for (int run = 0; run < CHAIN_RUNS; ++run) {
    ours = std::fmin(ours, chainTimeOurs(instance, n, y, rates));
    theirs = std::fmin(theirs, timePeer(peer, n, share));
  }
  std::printf("%6d  %14.1f  %15.1f  %7.2f  %10.1e\n", n, ours, theirs, theirs / ours, error);
  crDestroyInstance(instance);
  crDestroyModel(model);
  return theirs >= limits.ratio * ours && error < limits.error;
}

// The table of all sizes. `share` of the usual calls for a peer that would take too long. The exit code.
template <class Peer> int compare(const char* name, Limits limits, double share)
{
  static const int sizes[] = CHAIN_SIZES;
  bool isGood = true;
  std::printf("compiler  %s, %s\n", BENCH_COMPILER, BENCH_FLAGS);
  std::printf("%6s  %14s  %6s [ns/dof]  %7s  %10s\n", "links", "carom [ns/dof]", name, "ratio", "difference");
  for (int n : sizes) {
    isGood = compareSize<Peer>(n, limits, share) && isGood;
  }
  std::printf("limits: ratio %.1f, difference %.0e\n", limits.ratio, limits.error);
  return isGood ? 0 : 1;
}

} // namespace chainPeer

#endif
