-- A Stewart platform: six legs, each with a universal joint in the base, a slide whose length is prescribed, and a ball
-- joint in the platform. Six lengths decide where the platform is: it has no degree of freedom left.
--
-- Shows five loops in space and an analysis of motion alone. The lengths change together, so the platform goes up and
-- down as sqrt(length^2 - offset^2); tilt shifts three of the legs and makes it nod.
-- Try: carom run stewart.lua --record 'platform.**' --record 'slide*.force'

local p = parameters{
  base = 1.0, top = 0.6,  -- [m] radii of the circles of joints
  height = 1.2,           -- [m] of the platform at the start
  amplitude = 0.15,       -- [m] of the lengths of the legs
  frequency = 0.5,        -- [Hz]
  tilt = 0,               -- [m] amplitude added to the first two legs and taken from the fourth and fifth
}

scene{ stopTime = 4, tolerance = 1e-8 }

local ground = world("ground", { visual{ shape = coordinateSystem{ length = 0.3 } } })
local platform = object("platform", {
  solid{ shape = cylinder{ radius = p.top, length = 0.05 }, mass = 80, visual = "SteelBlue" },
})

for i = 1, 6 do
  local pair, sign = math.floor((i - 1) / 2), i % 2 == 1 and -1 or 1
  local a = 2 * pi / 3 * pair + sign * 0.2           -- joints of the base lie in pairs
  local b = 2 * pi / 3 * pair + sign * (pi / 3 - 0.2) -- those of the platform in pairs between them
  local foot = { p.base * math.cos(a), p.base * math.sin(a), 0 }
  local head = { p.top * math.cos(b), p.top * math.sin(b), p.height }
  local d = { head[1] - foot[1], head[2] - foot[2], head[3] - foot[3] }
  local length = math.sqrt(d[1] ^ 2 + d[2] ^ 2 + d[3] ^ 2)
  -- a frame in the base whose z points along the leg
  local frame = object("frame" .. i, { parent = ground, position = foot,
    rotation = { math.atan(-d[2], d[3]), math.asin(d[1] / length), 0 } })
  local tube = object("tube" .. i)
  object("tubeBody" .. i, { parent = tube, position = { 0, 0, 0.3 },
    solid{ shape = cylinder{ diameter = 0.08, length = 0.6 }, mass = 5, visual = "DimGray" } })
  local rod = object("rod" .. i)
  object("rodBody" .. i, { parent = rod, position = { 0, 0, -0.3 },
    solid{ shape = cylinder{ diameter = 0.05, length = 0.6 }, mass = 3, visual = "Silver" } })
  local share = (i <= 2 and 1 or 0) - ((i == 4 or i == 5) and 1 or 0)
  local stroke = sine("stroke" .. i, { amplitude = p.amplitude + share * p.tilt, frequency = p.frequency,
                                       offset = length })
  universal("foot" .. i, frame, tube, { axis = "x", axis2 = "y" })
  prismatic("slide" .. i, tube, rod, { axis = "z", motion = stroke })
  spherical("ball" .. i, rod, object("socket" .. i, { parent = platform, position = { head[1], head[2], 0 } }))
end
