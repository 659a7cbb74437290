-- A rattleback: spun the one way it goes on, spun the other way it begins to rattle, stops, and turns back.
--
-- The stone is the lower part of an ellipsoid whose axes of inertia are turned by a small angle against those of its
-- belly. Turning about the vertical is thereby coupled to rocking, and in one direction rocking grows at the cost of
-- the spin until it has all of it, and hands it back with the other sign. Sizes and inertia as in [KaneLevinson82].
-- Try: --set spin=5       the direction that it likes: it goes on
--      --set skew=0       no coupling
--      carom plot rattleback.run/result.h5 'stone.angularVelocity.z'

local p = parameters{
  spin = -5.0,    -- [rad/s] about the vertical
  tilt = 0.01,    -- [rad] at the start: what the rattling grows from
  skew = -2e-5,   -- [kg m^2] product of inertia
  muR = 0,        -- rolling resistance
}

scene{ stopTime = 10, interval = 0.01, kRed = 1e-3, vMin = 1e-3 }
solidMaterial("Stone", { density = 2600, E = 5e10, nu = 0.25 })
contactPair("Stone", "Stone", { cor = 0.3, muK = 0.8, muR = p.muR })

local a, b, c = 0.20, 0.03, 0.02 -- [m] semi-axes of the belly
local depth = 0.01               -- [m] of the centre of mass below the middle of the ellipsoid

local slate = visualMaterial("slate", { color = "#3c4650", shininess = 0.6 })
local jade = visualMaterial("jade", { color = "#2fa37c", shininess = 0.95 })
local amber = visualMaterial("amber", { color = "#ffb547", shininess = 0.9 })

local room = world("room", {
  solid{ shape = halfSpace{}, contact = "Stone" },
  light{ kind = "ambient", intensity = 0.4 },
})
object("table", {
  parent = room, position = { 0, 0, -0.01 },
  visual{ shape = cylinder{ radius = 0.26, length = 0.02 }, visual = slate },
})
object("lamp", { parent = room, position = { 0.4, -0.4, 0.8 }, light{ kind = "point", intensity = 1.0 } })
object("sun", { parent = room, rotation = { 0.6, 0.4, 0 }, light{ kind = "directional", intensity = 0.8 } })
object("viewer", {
  parent = room, position = { 0, -0.66, 0.44 }, rotation = { axis = "x", angle = math.atan(0.66, 0.43) },
  camera{ fieldOfView = 0.6 },
})

-- The frame of the stone is in its centre of mass. Two studs on its back make the turning visible.
local stone = object("stone", {
  parent = room, position = { 0, 0, c - depth }, rotation = { axis = "x", angle = p.tilt }, free = true, start = "rest",
  angularVelocity = { 0, 0, p.spin },
  mass{ mass = 1, inertia = { 2e-4, 1.6e-3, 1.7e-3, p.skew, 0, 0 } },
})
object("belly", {
  parent = stone, position = { 0, 0, depth },
  solid{ shape = ellipsoid{ radii = { a, b, c } }, contact = "Stone", visual = jade },
})
for i, x in ipairs{ -0.12, 0.12 } do
  object("stud" .. i, {
    parent = "belly", position = { x, 0, c * math.sqrt(1 - (x / a) ^ 2) },
    visual{ shape = sphere{ radius = 0.008 }, visual = i == 1 and amber or "Ivory" },
  })
end
