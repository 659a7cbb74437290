-- Calibration: length and damping of a pendulum from two swings that were measured, a small and a large one, each with an
-- uncertainty of 0.02 rad. (The data are those of a pendulum of 0.83 m with 0.21 N m s/rad, with noise.)
-- Try: carom fit swing.lua, and look at swing.fit/fit.html

fit{
  model = "pendulum.lua",
  parameters = { length = { 0.5, 2, start = 1 }, damping = { 0, 1 } },
  experiments = {
    { data = "swing_small.csv", set = { start = 0.3 }, columns = { phi = "hinge.angle" }, deviation = 0.02 },
    { data = "swing_large.csv", set = { start = 1.2 }, columns = { phi = "hinge.angle" }, deviation = 0.02 },
  },
}
