-- Two carts on a rail: the first is tied to a wall by a spring, the second to the first.
--
-- Shows springs between bodies and linear vibration. The motion is the sum of two normal modes, in one of which the
-- carts go together, in the other against each other. With damping they come to rest where the springs are relaxed.
-- Try: carom run two_mass_oscillator.lua --set x2=0 --set damping=0.5

local p = parameters{
  m1 = 1.0, m2 = 0.5,   -- [kg]
  k1 = 40, k2 = 15,     -- [N/m] wall to first cart, first to second cart
  x1 = 0.05, x2 = -0.1, -- [m] displacements at the start
  damping = 0,          -- [N s/m] in both springs
}

scene{ stopTime = 10, tolerance = 1e-8 }

local length = 0.5 -- [m] of the relaxed springs

local ground = world("ground")
local wall = object("wall", {
  parent = ground, position = { 0, 0, 0.05 },
  visual{ shape = box{ size = { 0.02, 0.3, 0.2 } }, visual = "DimGray" },
})
object("rail", {
  parent = ground, position = { 0.75, 0, -0.01 },
  visual{ shape = box{ size = { 1.5, 0.1, 0.02 } }, visual = "Silver" },
})

-- A cart whose coordinate is its displacement from where it is at rest.
local function cart(name, number, mass, x, look)
  local place = object(name .. "Place", { parent = wall, position = { number * length, 0, 0 } })
  local body = object(name, { solid{ shape = box{ size = { 0.12, 0.08, 0.08 } }, mass = mass, visual = look } })
  prismatic(name .. "Slide", place, body, { axis = "x", start = x })
  return body
end
local cart1 = cart("cart1", 1, p.m1, p.x1, "SteelBlue")
local cart2 = cart("cart2", 2, p.m2, p.x2, "Gold")

springDamper("spring1", wall, cart1, { stiffness = p.k1, damping = p.damping, length = length })
springDamper("spring2", cart1, cart2, { stiffness = p.k2, damping = p.damping, length = length })
