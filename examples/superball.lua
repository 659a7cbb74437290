-- A superball is thrown below a table, and comes back.
--
-- Rubber gives way along the floor, too, and springs back: the contact turns the slip round, as it turns the approach
-- round. So the first bounce takes a part of the speed and gives spin, the underside of the table sends the ball back with
-- that spin, and the floor sends it home. Friction without a spring would only let it begin to roll.
-- Try: --set friction=regularized    it stays below the table
--      --set mu=0.1                  too slippery to grip
--      carom plot superball.run/result.h5 'ball.velocity.x' 'ball.angularVelocity.y'

local p = parameters{
  friction = "stick",
  mu = 1.0,
  cor = 0.95,
  speed = 6,     -- [m/s]
}

scene{ stopTime = 1.4, interval = 0.005, friction = p.friction }
solidMaterial("Polybutadiene", { density = 950, E = 2e8, nu = 0.49 }) -- stiffer than it is: depths stay small
contactPair("Polybutadiene", "Steel", { cor = p.cor, muK = p.mu, muR = 0 })

local oak = visualMaterial("oak", { color = "#b98a52", shininess = 0.3 })
local floor = visualMaterial("floor", { color = "#e6dfd2", shininess = 0.1 })
local pink = visualMaterial("pink", { color = "#f03a8a", shininess = 0.9 })

local room = world("room", {
  solid{ shape = halfSpace{}, contact = "Steel", visual = floor },
  light{ kind = "ambient", intensity = 0.5 },
})
object("sun", { parent = room, rotation = { 0.6, -0.5, 0 }, light{ kind = "directional", intensity = 0.9 } })
object("viewer", {
  parent = room, position = { 0.55, -2.6, 0.75 }, rotation = { axis = "x", angle = math.atan(2.6, 0.35) },
  camera{ fieldOfView = 0.7 },
})
local table = object("table", {
  parent = room, position = { 1.0, 0, 0.72 },
  solid{ shape = box{ size = { 1.2, 0.7, 0.04 } }, contact = "Steel", visual = oak },
})
for i, x in ipairs{ -0.55, 0.55 } do
  for k, y in ipairs{ -0.3, 0.3 } do
    object("leg" .. i .. k, {
      parent = table, position = { x, y, -0.37 },
      solid{ shape = box{ size = { 0.05, 0.05, 0.7 } }, visual = oak },
    })
  end
end

local angle = math.rad(45)
object("ball", {
  parent = room, position = { -0.4, 0, 0.55 }, free = true,
  velocity = { p.speed * math.cos(angle), 0, -p.speed * math.sin(angle) },
  solid{ shape = sphere{ radius = 0.03 }, material = "Polybutadiene", contact = "Polybutadiene", visual = pink },
})
