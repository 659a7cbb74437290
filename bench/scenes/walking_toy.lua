-- A toy that walks down a slope by itself: two legs on a hip, feet like the runners of a rocking chair. It sways from
-- foot to foot, and the leg that is in the air swings forwards.
--
-- The feet are parts of two ellipsoids whose middles lie above the centre of mass, so the toy does not fall sideways.

local p = parameters{
  slope = 0.12, -- [rad]
  sway = 0.2,   -- [rad] at the start
  kRed = 1e-2,
}

scene{ stopTime = 4, interval = 0.01, tolerance = 1e-6, kRed = p.kRed,
       gravity = { 9.81 * math.sin(p.slope), 0, -9.81 * math.cos(p.slope) } }
contactPair("DryWood", "DryWood", { cor = 0.2, muK = 0.6, muR = 1e-4 })

local hip, spread = 0.1, 0.012     -- [m] height of the hip's axis, distance of a leg from the middle
local curve = { 0.12, 0.225, 0.115 } -- [m] semi-axes of a foot
local floor = world("floor", { solid{ shape = halfSpace{}, contact = "DryWood" } })

-- The left leg starts on the ground, the right one is lifted by the sway and joined to it by the hip.
local function leg(name, side, fields)
  fields[#fields + 1] = mass{ mass = 0.15, com = { 0.001, side * 0.028, -0.05 }, inertia = { 2e-4, 2e-4, 5e-5 } }
  local body = object(name, fields)
  object(name .. "Foot", { parent = body, position = { 0, side * spread, curve[3] - hip },
    solid{ shape = ellipsoid{ radii = curve }, contact = "DryWood" } })
  return body
end
local left = leg("left", 1, { parent = floor, position = { 0, 0, hip + 0.004 }, free = true,
                              rotation = { axis = "x", angle = p.sway } })
local right = leg("right", -1, {})
revolute("hip", left, right, { axis = "y", damping = 1e-5 })
