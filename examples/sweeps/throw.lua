-- A steel ball is thrown onto a table: where does it come down again?
--
-- The model of two sweeps: map.lua and tolerance.lua.
-- Try: carom run throw.lua --set angle=0.6

local p = parameters{
  speed = 3,    -- [m/s]
  angle = 0.8,  -- [rad] above the horizon
  cor = 0.7,    -- coefficient of restitution
  mu = 0.2,     -- of friction
}

scene{ stopTime = 1, interval = 0.02 }
contactPair("Steel", "DryWood", { cor = p.cor, muK = p.mu, muR = 0.001 })

local room = world("room", { light{ kind = "ambient", intensity = 0.4 } })
object("lamp", { parent = room, position = { 1, -1, 3 }, light{ kind = "point" } })
object("table", {
  parent = room, position = { 1.5, 0, -0.05 }, -- its top is at z = 0
  solid{ shape = box{ size = { 6, 1, 0.1 } }, contact = "DryWood", visual = "BurlyWood" },
})
object("ball", {
  parent = room, position = { 0, 0, 0.05 }, free = true,
  velocity = { p.speed * math.cos(p.angle), 0, p.speed * math.sin(p.angle) },
  solid{ shape = sphere{ diameter = 0.04 }, material = "Steel", contact = "Steel", visual = "SteelBlue" },
})
