#!/bin/sh
# Draws the figures of docs/ that come from laws and from runs of examples, all from this build: build/carom,
# and the programs build/*_figures. The same files, bit for bit, every time.
set -eu
cd "$(dirname "$0")/.."
figures=docs/figures

# plot NAME PATTERN...: runs examples/NAME.lua and plots these variables
plot() {
  name=$1
  shift
  build/carom run "examples/$name.lua" --quiet --no-report --out "build/$name.run"
  build/carom plot "build/$name.run/result.h5" "$@" -o "$figures/$name.svg"
}

build/collision_figures $figures
build/contact_figures $figures
build/example_figures $figures examples
plot double_pendulum '*.angle' '*.rate'
plot rolling_ball ball.position.x ball.velocity.x ball.angularVelocity.y
plot two_balls 'first.position.x' 'second.position.x' 'first.velocity.x' 'second.velocity.x' \
  'first.angularVelocity.y' 'second.angularVelocity.y'
plot cushion ball.position.x ball.velocity.x ball.angularVelocity.y
plot bouncing_box 'box.position.z' 'box.orientation.*'

# sweeps and a fit
rm -rf build/map.sweep build/tolerance.sweep
build/carom sweep examples/sweeps/map.lua --quiet -o build/map.sweep
build/carom sweep plot build/map.sweep map angle speed ball.position.x -o $figures/sweep_map.svg
build/carom sweep examples/sweeps/tolerance.lua --quiet -o build/tolerance.sweep
build/carom sweep plot build/tolerance.sweep histogram 'last(ball.position.x)' -o $figures/sweep_histogram.svg
build/carom sweep plot build/tolerance.sweep sensitivity 'last(ball.position.x)' -o $figures/sweep_sensitivity.svg
build/carom fit examples/sweeps/swing.lua --quiet -o build/swing.fit
cp build/swing.fit/experiment-2.svg $figures/fit_swing.svg
