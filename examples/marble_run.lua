-- A marble run with a loop: down a ramp, round the loop, out on the other side and into a tray.
--
-- Shows a track of convex pieces. The loop is a polygon of plates that overlap; a marble always lies on a few of them
-- and rolls as on a curve. Panes left and right lead it: the loop winds sideways by the width of the track, like a screw.
-- A marble that rolls needs 7/10 of its fall for moving on, and at the top of a circle on which its middle moves with
-- the radius c its speed v must satisfy v^2 >= g c: it must start 2.7 c above the bottom.
-- Try: --set start=2.5        too low: it falls out of the loop
--      --set marbles=1

local p = parameters{
  start = 3.2,    -- of the lowest marble above the bottom, in radii c
  marbles = 3,
  plates = 180,   -- of the loop
}

scene{ stopTime = 4, interval = 0.01, tolerance = 5e-7, kRed = 3e-5 }
solidMaterial("Glass", { density = 2500, E = 6e10, nu = 0.22 })
solidMaterial("Track", { density = 1200, E = 6e10, nu = 0.22 })
solidMaterial("Pane", { density = 2500, E = 6e10, nu = 0.22 })
contactPair("Glass", "Track", { cor = 0.9, muK = 0.6, muR = 0, vMin = 2e-3 })
contactPair("Glass", "Pane", { cor = 0.3, muK = 0, muR = 0 })
contactPair("Glass", "Glass", { cor = 0.9, muK = 0.1, muR = 0, kRed = 3e-2 })
contactPair("Glass", "DryWood", { cor = 0.3, muK = 0.3, muR = 0.05, kRed = 8e-3 })

local r = 0.012          -- [m] radius of a marble
local R = 0.15           -- [m] of the loop
local c = R - r          -- [m] of the circle on which the middle of a marble moves
local valley = 0.35      -- [m] radius of the bend at the foot of the ramp
local slope = 0.7        -- [rad] of the ramp
local entry = 0.12       -- [m] flat way from the bend to the loop
local exit = 0.45        -- [m] flat way from the loop to the end of the track
local half = r + 5e-4    -- [m] half the width of the track
local pane = 0.003       -- [m] thickness of the panes
local side = 2.9 * r     -- [m] by which the loop winds sideways
local thickness = 0.004  -- [m] of a plate
local tuck = 0.03        -- [m] by which straight plates go on below the bends, so that no marble meets their ends
local above = 0.25       -- [m] of the track above the floor

-- ------------------------------------------------------------------------------------------- looks

-- Colours of the rainbow, h from 0 to 1.
local function hue(h)
  local function channel(shift)
    local x = (h * 5 / 6 + shift) % 1 * 6
    return 0.2 + 0.75 * math.max(0, math.min(1, math.abs(x - 3) - 1))
  end
  return { channel(0), channel(2 / 3), channel(1 / 3) }
end

local glass = visualMaterial("glass", { color = "#bfe3ff", transparency = 0.82, shininess = 1, shadows = false })
local navy = visualMaterial("navy", { color = "#24466e", shininess = 0.5 })
local birch = visualMaterial("birch", { color = "#e3cfa8", shininess = 0.2 })

local room = world("room", {
  solid{ shape = halfSpace{}, contact = "DryWood" },
  light{ kind = "ambient", intensity = 0.45 },
})
object("lamp", { parent = room, position = { 0, -0.9, 1.3 }, light{ kind = "point", intensity = 0.8 } })
object("sun", { parent = room, rotation = { 0.6, -0.5, 0 }, light{ kind = "directional", intensity = 0.9 } })
object("tripod", { parent = room, position = { 0.28, 0, above + 0.08 }, rotation = { axis = "z", angle = 0.15 } })
object("viewer", {
  parent = "tripod", position = { 0, -2.1, 0.6 }, rotation = { axis = "x", angle = math.atan(2.1, 0.6) },
  camera{ fieldOfView = 0.55 },
})

-- ------------------------------------------------------------------------------------------- track

local bottom = object("bottom", { parent = room, position = { 0, 0, above } }) -- where the loop begins

-- A box whose upper face has its middle at (x, y, z) and rises by the angle along x.
local function plate(name, x, y, z, angle, length, look)
  object(name, {
    parent = bottom, rotation = { axis = "y", angle = -angle },
    position = { x + thickness / 2 * math.sin(angle), y, z - thickness / 2 * math.cos(angle) },
    solid{ shape = box{ size = { length, 2 * (half + pane), thickness } }, contact = "Track", visual = look },
  })
end

-- Two panes beside the piece of the track around (x, y, z). lead: [rad] by which they turn sideways.
local height = 2.6 * r
local function panes(name, x, y, z, angle, length, lead)
  for k, sign in ipairs{ -1, 1 } do
    object(name .. "Pane" .. k, {
      parent = bottom, rotation = { 0, -angle, lead },
      position = { x - height / 2 * math.sin(angle), y + sign * (half + pane / 2), z + height / 2 * math.cos(angle) },
      solid{ shape = box{ size = { length, pane, height } }, contact = "Pane", contactRadius = r, visual = glass },
    })
  end
end

-- Plates around a bend from one angle to another; the surface is at the middle plus radius (sin, -cos).
local function bend(name, x, z, radius, from, to, count, paint, offset)
  local spacing = (to - from) / count
  for i = 1, count do
    local angle = from + (i - 0.5) * spacing
    plate(name .. i, x + radius * math.sin(angle), offset(angle), z - radius * math.cos(angle), angle, 5 * radius * spacing,
          paint(i / count))
  end
end

local function straight() return 0 end
local function winding(angle) return side * angle / (2 * math.pi) end

local foot = { x = -entry - valley * math.sin(slope), z = valley * (1 - math.cos(slope)) } -- of the ramp
local rise = (p.start + 1.5) * c                                                           -- [m] height of the ramp
local length = (rise - foot.z) / math.sin(slope)                                           -- [m] of the ramp
local mid = { x = foot.x - length / 2 * math.cos(slope), z = foot.z + length / 2 * math.sin(slope) }

plate("ramp", mid.x, 0, mid.z, -slope, length + 2 * tuck, navy)
panes("ramp", mid.x, 0, mid.z, -slope, length, 0)
bend("valley", -entry, valley, valley, -slope, 0, 40, function() return navy end, straight)
for i = 1, 4 do
  local angle = -slope * (i - 0.5) / 4
  panes("valley" .. i, -entry + valley * math.sin(angle), 0, valley * (1 - math.cos(angle)), angle, slope / 4 * valley * 1.1, 0)
end
plate("entry", -entry / 2, 0, 0, 0, entry + 2 * tuck, navy)
panes("entry", -entry / 2, 0, 0, 0, entry, 0)

bend("loop", 0, R, R, 0, 2 * math.pi, p.plates, function(h)
  local name = string.format("loop%.6f", h)
  return visualMaterial(name, { color = hue(h), shininess = 0.6 })
end, winding)
local sectors = 24
for i = 1, sectors do
  local angle = 2 * math.pi * (i - 0.5) / sectors
  panes("loop" .. i, R * math.sin(angle), winding(angle), R * (1 - math.cos(angle)), angle,
        2.2 * R * math.tan(math.pi / sectors), math.atan(side, 2 * math.pi * c))
end

plate("exit", (exit - tuck) / 2, side, 0, 0, exit + tuck, navy)
panes("exit", exit / 2, side, 0, 0, exit, 0)

-- ------------------------------------------------------------------------------- posts and tray

local function post(name, x, y, z)
  object(name, {
    parent = room, position = { x, y, z / 2 },
    visual{ shape = cylinder{ radius = 0.008, length = z }, visual = birch },
  })
end
post("postRamp", mid.x, 0, above + mid.z - 0.01)
post("postEntry", -entry, 0, above - thickness)
post("postExit", exit * 0.85, side, above - thickness)

local tray = { x = exit + 0.58, y = side, length = 0.36, width = 0.16, wall = 0.01, height = 0.09 }
local function wall(name, x, y, sizeX, sizeY)
  object(name, {
    parent = room, position = { x, y, tray.height / 2 },
    solid{ shape = box{ size = { sizeX, sizeY, tray.height } }, contact = "DryWood", visual = birch },
  })
end
wall("trayLeft", tray.x - tray.length / 2, tray.y, tray.wall, tray.width)
wall("trayRight", tray.x + tray.length / 2, tray.y, tray.wall, tray.width)
wall("trayFront", tray.x, tray.y - tray.width / 2, tray.length + tray.wall, tray.wall)
wall("trayBack", tray.x, tray.y + tray.width / 2, tray.length + tray.wall, tray.wall)

-- ----------------------------------------------------------------------------------------- marbles

local colors = { "Crimson", "Gold", "DodgerBlue", "SeaGreen", "DarkOrchid" }
for i = 1, p.marbles do
  -- its middle is `fall` above its middle at the bottom of the loop; it touches the ramp
  local fall = p.start * c + (i - 1) * 0.4 * c
  local surface = fall + r - r * math.cos(slope) -- [m] height of the point of the ramp below it
  visualMaterial("marble" .. i, { color = colors[(i - 1) % #colors + 1], shininess = 1 })
  object("marble" .. i, {
    parent = bottom, free = true,
    position = { foot.x - (surface - foot.z) / math.tan(slope) + r * math.sin(slope), 0, fall + r },
    solid{ shape = sphere{ radius = r }, material = "Glass", contact = "Glass", visual = "marble" .. i },
  })
end
