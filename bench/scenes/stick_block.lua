-- A box on the floor or on a slope, or a ball that rolling friction holds, under a force along the floor at its foot.
-- In one hour nothing may move that is loaded below the cone.

local p = parameters{
  law = "stick",
  shape = "box", -- or "ball"
  angle = 0,     -- [deg] of the slope
  mu = 0.4,
  muR = 0,
  load = "none", -- "shake": 0.5 +- 0.4 of the cone at 50 Hz; "ramp": up to 1.5 of it in 1 s, and down again
  E = 1e9,       -- [N/m^2]
  stop = 3600,   -- [s]
}

local a = math.rad(p.angle)
scene{
  stopTime = p.stop, interval = p.stop / 60, friction = p.law,
  gravity = { 9.81 * math.sin(a), 0, -9.81 * math.cos(a) },
}
solidMaterial("Bone", { density = 1600, E = p.E, nu = 0.35 })
contactPair("Bone", "Bone", { cor = 0.5, muK = p.mu, muR = p.muR })
local room = world("room", { solid{ shape = halfSpace{}, contact = "Bone" } })
local shape = p.shape == "box" and box{ size = { 0.1, 0.1, 0.1 } } or sphere{ radius = 0.05 }
local body = object("b", {
  parent = room, position = { 0, 0, 0.05 }, free = true, start = p.load ~= "none" and "rest" or nil,
  solid{ shape = shape, mass = 1.6, contact = "Bone" },
})
if p.load ~= "none" then
  local cone, signal = p.mu * 1.6 * 9.81, nil
  if p.load == "shake" then
    signal = sine("push", { amplitude = 0.4 * cone, frequency = 50, offset = 0.5 * cone })
  else
    signal = timeTable("push", { times = { 0, 1, 2, 3 }, values = { 0, 1.5 * cone, 0, 0 } })
  end
  local foot = object("foot", { parent = body, position = { 0, 0, -0.05 } })
  force("load", foot, { force = { 1, 0, 0 }, factor = signal })
end
