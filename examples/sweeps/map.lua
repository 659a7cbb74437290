-- A map of a design: how far the ball gets in a second, over the angle and the speed of the throw.
-- Try: carom sweep map.lua && carom sweep plot map.sweep map angle speed ball.position.x -o map.svg

sweep{
  model = "throw.lua",
  vary = { angle = grid(0.1, 1.5, 30), speed = grid(1, 5, 30) },
  output = { last("ball.position.x"), count("contacts ball table") },
}
