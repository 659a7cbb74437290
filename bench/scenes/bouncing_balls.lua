-- n balls above a floor, each let go at a height of its own, far enough apart never to meet.
--
-- With one step size for all, every impact of any ball shortens the steps of everybody. A program that lets each ball
-- have its own clock takes n times the steps of one.

local p = parameters{
  n = 16,
  first = 1, -- of the balls that are made: first = last = k is ball k alone
  last = 0,  -- 0: all
}

local r, mass = 0.03, 0.2
solidMaterial("Ball", { density = 1768, E = 5.4e9, nu = 0.34 })
solidMaterial("Floor", { density = 700, E = 1.1e10, nu = 0.4 })
contactPair("Ball", "Ball", { cor = 1, muK = 0, muR = 0 })
contactPair("Ball", "Floor", { cor = 0.8, muK = 0.6, muR = 0.02 })

scene{ stopTime = 1, interval = 0.01 }
local hall = world("hall", { solid{ shape = halfSpace{}, contact = "Floor" } })

-- [Marsaglia03], 53 bits.
local state = 88172645463325252
local function random()
  state = state ~ (state << 13)
  state = state ~ (state >> 7)
  state = state ~ (state << 17)
  return (state >> 11) / 9007199254740992
end

local half, side = 0.5 * math.sqrt(p.n * 0.04), math.ceil(math.sqrt(p.n)) -- [m], balls
local cell = 2 * half / side
for i = 0, p.n - 1 do
  local height = 0.05 + 0.1 * random()
  if i + 1 >= p.first and (p.last == 0 or i + 1 <= p.last) then
    object("ball" .. i, {
      parent = hall, free = true,
      position = { -half + (i % side + 0.5) * cell, -half + (i // side + 0.5) * cell, r + height },
      solid{ shape = sphere{ radius = r }, mass = mass, contact = "Ball" },
    })
  end
end
