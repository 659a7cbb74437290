-- An arch of stones without mortar: pressed together by their own weight, held by friction, it stands for ever.
--
-- start = "rest" finds the forces that friction has before the first moment, so that nothing sags or slides into place;
-- the ground has to hold 0.37 of what it carries. A ball is dropped on it, and the stones shiver and stay. Half a circle
-- of stones stands if it is thicker than 0.11 of its mean radius, and here it is twice as thick.
-- Try: --set ball=200          hinges open, and the arch comes down
--      --set muK=0.3           too slippery: the run says who would have to hold how much more
--      carom plot arch.run/result.h5 'stone5.position.z' 'ball.position.z'

local p = parameters{
  count = 9,     -- stones
  radius = 1.0,  -- [m] inside
  thick = 0.25,  -- [m]
  muK = 0.7,
  ball = 2,      -- [kg]
}

scene{ stopTime = 2, interval = 0.01, friction = "stick", kRed = 1e-2, tolerance = 1e-6 }
solidMaterial("Granite", { density = 2600, E = 5e10, nu = 0.25 })
contactPair("Granite", "Granite", { cor = 0.3, muK = p.muK, muR = 0 })

local stones = {
  visualMaterial("light", { color = "#cfc7b6", shininess = 0.15 }),
  visualMaterial("dark", { color = "#a99f8c", shininess = 0.15 }),
}
local red = visualMaterial("red", { color = "#c8303a", shininess = 0.8 })

local room = world("room", { light{ kind = "ambient", intensity = 0.5 } })
object("sun", { parent = room, rotation = { 0.7, -0.4, 0 }, light{ kind = "directional", intensity = 0.9 } })
object("ground", {
  parent = room, solid{ shape = halfSpace{}, contact = "Granite" },
})

-- A stone lies between two planes through the axis of the arch.
local deep = 0.4
local outside = p.radius + p.thick
local step = math.pi / p.count
for i = 1, p.count do
  local middle = math.pi - (i - 0.5) * step
  local mid = (p.radius + p.thick / 2)
  local at = { mid * math.cos(middle), 0, mid * math.sin(middle) }
  local points = {}
  for _, side in ipairs{ -0.5, 0.5 } do
    local a = middle + side * step
    for _, r in ipairs{ p.radius, outside } do
      for _, y in ipairs{ -deep / 2, deep / 2 } do
        points[#points + 1] = { r * math.cos(a) - at[1], y, r * math.sin(a) - at[3] }
      end
    end
  end
  object("stone" .. i, {
    parent = room, position = at, free = true, start = "rest",
    solid{ shape = hull{ points = points }, material = "Granite", contact = "Granite", visual = stones[i % 2 + 1] },
  })
end

object("ball", {
  parent = room, position = { 0.25, 0, outside + 1.0 }, free = true,
  solid{ shape = sphere{ radius = 0.08 }, mass = p.ball, contact = "Granite", visual = red },
})
