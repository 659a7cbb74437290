-- Two walls close on three rubber balls in a row, squeeze them by a few millimetres, open and close again.
-- The motion of the walls is prescribed: while they are closed the balls are stiff and hardly move.

local p = parameters{
  squeeze = 0.004, -- [m] less than the balls are long
  travel = 0.05,   -- [m] of each wall
  period = 1,      -- [s]
}

scene{ stopTime = 2, interval = 0.01, tolerance = 1e-6 }
solidMaterial("Rubber", { density = 1100, E = 5e6, nu = 0.48 })
contactPair("Rubber", "Rubber", { cor = 0.5, muK = 0.8, muR = 1e-3 })
contactPair("Rubber", "Steel", { cor = 0.5, muK = 0.5, muR = 1e-3 })

local radius, thickness = 0.03, 0.02 -- [m]
local room = world("room", { solid{ shape = halfSpace{}, contact = "Steel" } })
for i = -1, 1 do
  object("ball" .. i + 2, {
    parent = room, position = { i * 0.075, 0.001 * i, radius }, free = true, start = "rest",
    solid{ shape = sphere{ radius = radius }, material = "Rubber", contact = "Rubber" },
  })
end
-- closed: the balls are `squeeze` too long for what is left between the walls
local closed = 3 * radius - p.squeeze / 2 + thickness / 2
for i, side in ipairs{ -1, 1 } do
  local wall = object("wall" .. i, {
    solid{ shape = box{ size = { thickness, 0.3, 0.1 } }, material = "Steel", contact = "Steel" } })
  prismatic("guide" .. i, object("rail" .. i, { parent = room, position = { 0, 0, 0.052 } }), wall, {
    axis = { side, 0, 0 },
    motion = sine("way" .. i, { amplitude = p.travel / 2, frequency = 1 / p.period, phase = pi / 2,
                                offset = closed + p.travel / 2 }),
  })
end
