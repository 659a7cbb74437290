-- Two spur gears with 17 and 29 teeth. Each tooth is a hull with sharp edges, its flanks involutes of a few chords; a
-- tooth enters with its edge, slides along a flank and leaves. The pinion is driven, the wheel brakes.
--
-- On average the wheel turns at 17/29 of the speed of the pinion.

local p = parameters{
  speed = 20,    -- [rad/s] of the pinion
  brake = 0.05,  -- [N m s/rad] at the wheel
  play = 1e-4,   -- [m] between flanks
  chords = 5,    -- of a flank
}

scene{ stopTime = 1, interval = 0.005, tolerance = 1e-6 }
solidMaterial("Nylon", { density = 1150, E = 3e9, nu = 0.4 })
contactPair("Nylon", "Nylon", { cor = 0.3, muK = 0.1, muR = 0 })

local module, pressure, width = 0.004, 20 * pi / 180, 0.01 -- [m], [rad], [m]

-- Corners of a tooth along +x, from the flank's foot to its tip and back.
local function tooth(count)
  local pitch = module * count / 2
  local base, tip = pitch * math.cos(pressure), pitch + module
  local root = math.max(base, pitch - 1.1 * module)
  local function involute(r) -- [rad] from where it leaves its base circle
    local t = math.sqrt(math.max((r / base) ^ 2 - 1, 0))
    return t - math.atan(t)
  end
  local half = pi / (2 * count) - p.play / (4 * pitch) -- [rad] of the tooth at its pitch circle
  local points = {}
  for i = 0, p.chords do
    local r = root + (tip - root) * i / p.chords
    local angle = half + involute(pitch) - involute(r)
    for _, side in ipairs{ -1, 1 } do
      for _, z in ipairs{ -width / 2, width / 2 } do
        points[#points + 1] = { r * math.cos(angle), side * r * math.sin(angle), z }
      end
    end
  end
  return points
end

-- A wheel with a tooth along +x.
local function gear(name, count)
  local points, pitch = tooth(count), module * count / 2
  local body = object(name, {
    solid{ shape = cylinder{ radius = pitch - 1.3 * module, length = width }, material = "Nylon" },
  })
  for i = 0, count - 1 do
    object(name .. "_tooth" .. i, {
      parent = body, rotation = { axis = "z", angle = 2 * pi * i / count },
      solid{ shape = hull{ points = points }, material = "Nylon", contact = "Nylon" },
    })
  end
  return body
end

local frame = world("frame")
local pinion, wheel = gear("pinion", 17, false), gear("wheel", 29, false)
revolute("drive", frame, pinion, {
  motion = path("turn", { values = { 0, 1000 }, maxVelocity = p.speed, maxAcceleration = 5 * p.speed }),
})
-- seen from the wheel the pinion is at -x, where 29 teeth leave a gap
revolute("load", object("axle", { parent = frame, position = { module * (17 + 29) / 2, 0, 0 } }), wheel, {
  damping = p.brake,
})
