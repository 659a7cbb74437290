-- Monte Carlo: parts are never what the drawing says. How much does the place scatter where the ball comes to be, and which
-- tolerance is to blame? The design "sensitivity" answers both.
-- Try: carom sweep tolerance.lua && carom sweep show tolerance.sweep

sweep{
  model = "throw.lua",
  vary = {
    speed = normal(3, 0.02), angle = normal(0.8, 0.01), cor = normal(0.7, 0.02), mu = uniform(0.15, 0.25),
  },
  design = "sensitivity", runs = 12000, seed = 1,
  output = { last("ball.position.x"), max("ball.position.z") },
}
