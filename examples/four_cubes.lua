-- Four cubes in space: two fly towards the middle, where two others rest; after the collision all four fly apart.
--
-- Shows free bodies without gravity, contacts of edges, corners and faces, and what impacts cannot change: momentum and
-- angular momentum stay, and without losses the energy comes back, too. Carom also serves other simulators as their
-- collision function; c/four_cubes.c and modelica/Carom.mo do so with the same cubes.
-- Try: carom run four_cubes.lua --set cor=0.5 --set muK=0.3

local p = parameters{
  speed = 1.5, -- [m/s] of the two that fly
  E = 1e7,     -- [N/m^2] rubber: a collision takes some milliseconds
  cor = 1,     -- coefficient of restitution
  muK = 0,     -- friction
}

scene{ gravity = "none", stopTime = 3, interval = 0.005, tolerance = 1e-9 }

solidMaterial("Rubber", { density = 1, E = p.E, nu = 0.4 })
contactPair("Rubber", "Rubber", { cor = p.cor, muK = p.muK, muR = 0 })

local space = world("space", { light{ kind = "ambient", intensity = 0.4 } })
object("lamp", { parent = space, position = { 2, -6, 6 }, light{ kind = "point" } })
object("viewer", {
  parent = space, position = { 0, -7, 4 }, rotation = { axis = "x", angle = math.atan(7, 4) },
  camera{ fieldOfView = 0.8 },
})

local function cube(name, color, position, rotation, velocity, angularVelocity)
  object(name, {
    parent = space, position = position, rotation = rotation, free = true,
    velocity = velocity, angularVelocity = angularVelocity,
    solid{ shape = box{ size = { 1, 1, 1 }, rounding = 0.02 }, mass = 1, contact = "Rubber",
           visual = visualMaterial(name, { color = color, shininess = 0.6 }) },
  })
end
cube("cube1", "Crimson", { -2, 0.1, 0.2 }, { 0.9, 0.1, 0.2, 0.3 }, { p.speed, 0, 0 })
cube("cube2", "RoyalBlue", { 2.2, -0.1, 0 }, nil, { -p.speed, 0.1, 0 }, { 0.5, -0.3, 0.8 })
cube("cube3", "Gold", { 0, 0.72, 0 }, { 0.9, 0.4, -0.1, 0.1 })
cube("cube4", "SeaGreen", { 0.1, -0.6, 0.1 })
