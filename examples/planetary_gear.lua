-- A planetary gear: a motor turns the sun, three planets on a carrier roll in a ring that is held, and the carrier drives
-- a load. With teeth zs of the sun and zr of the ring the carrier turns zs / (zs + zr) as fast as the sun (Willis).
--
-- Shows gear pairs on a moving carrier. The ring meshes with one planet only: with all three the forces would not be
-- determined, because rigid planets leave open how they share the load. With stiffness in the meshes they share it, and
-- all may mesh: try stiffness. The force of a gear pair is the torque on its first gear.
-- Try: carom run planetary_gear.lua --record 'sun.rate' --record 'carrier.rate' --record 'ring.torque' --record 'mesh*.force'
--      carom run planetary_gear.lua --set stiffness=2e4 --set efficiency=0.98

local p = parameters{
  teethSun = 24,
  teethPlanet = 18,
  module = 0.002,   -- [m] diameter per tooth
  torque = 2,       -- [N m] of the motor
  load = 0.5,       -- [N m s/rad] of the load
  stiffness = 0,    -- [N m/rad] of a mesh, at its first gear; 0: rigid
  efficiency = 1,   -- of a mesh that has a stiffness
}
local teethRing = p.teethSun + 2 * p.teethPlanet
local rs, rp, rr = p.teethSun * p.module / 2, p.teethPlanet * p.module / 2, teethRing * p.module / 2

scene{ stopTime = 2, interval = 0.01, gravity = "none", tolerance = 1e-8 }

local ground = world("ground")

local function gear(name, radius, colour)
  local body = object(name .. "Gear", {
    solid{ shape = cylinder{ radius = radius, length = 0.01 }, material = "Steel", visual = colour },
  })
  object(name .. "Mark", { parent = body, position = { radius / 2, 0, 0 },
    visual{ shape = box{ size = { radius, 0.003, 0.012 } }, visual = "Black" } })
  return body
end

local sunGear = gear("sun", rs, "Gold")
local arm = object("arm")
object("disc", { parent = arm, position = { 0, 0, -0.01 },
  solid{ shape = cylinder{ radius = rs + rp, length = 0.003 }, material = "Steel", visual = "LightSteelBlue" } })
local ringGear = object("ringGear", {
  mass{ mass = 0.6, inertia = { 0.6 * rr * rr / 2, 0.6 * rr * rr / 2, 0.6 * rr * rr } },
})
for i = 1, 24 do
  local angle, r = 2 * pi * i / 24, rr + 0.004
  object("rim" .. i, { parent = ringGear, position = { r * math.cos(angle), r * math.sin(angle), 0 },
    rotation = { 0, 0, angle }, visual{ shape = box{ size = { 0.008, 2 * pi * r / 25, 0.01 } }, visual = "Silver" } })
end

local sun = revolute("sun", ground, sunGear, { torque = constant("motor", { value = p.torque }) })
local carrier = revolute("carrier", ground, arm, { damping = p.load })
local ring = revolute("ring", ground, ringGear, { motion = constant("held", { value = 0 }) })

local law = p.stiffness > 0 and { stiffness = p.stiffness, damping = p.stiffness / 1e4, efficiency = p.efficiency } or {}
local function mesh(name, a, b, fields)
  fields.carrier = carrier
  for key, value in pairs(law) do fields[key] = value end
  gearPair(name, a, b, fields)
end

for i = 1, 3 do
  local angle = 2 * pi * (i - 1) / 3
  local axle = object("axle" .. i, { parent = arm, position = { (rs + rp) * math.cos(angle), (rs + rp) * math.sin(angle), 0 } })
  local planet = revolute("planet" .. i, axle, gear("planet" .. i, rp, "IndianRed"))
  mesh("meshSun" .. i, sun, planet, { teethA = p.teethSun, teethB = p.teethPlanet })
  if i == 1 or p.stiffness > 0 then
    mesh("meshRing" .. i, ring, planet, { teethA = teethRing, teethB = p.teethPlanet, internal = true })
  end
end
