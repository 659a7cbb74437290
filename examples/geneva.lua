-- A Geneva wheel: a pin on a crank turns it by a quarter, once a turn, and leaves it standing.
--
-- Shows an extruded profile with slots, and a cylinder that rolls in them: the pin has a micrometre of play on each side.
-- It enters and leaves along the slot, so that the wheel starts and stops without a shock.
-- Try: carom run geneva.lua --record 'wheelShaft.*' --record 'crankShaft.angle'

local p = parameters{
  slots = 4,
  centres = 0.04, -- [m] from the crank's axis to the wheel's
  pin = 0.003,    -- [m] radius
  play = 1e-6,    -- [m] between the pin and each side of a slot
  speed = 10,     -- [rad/s] of the crank
}

scene{ stopTime = 1.3, interval = 1e-3, gravity = "none", tolerance = 1e-8 }
contactPair("Steel", "Steel", { cor = 0.3, muK = 0, muR = 0 })

local half = math.pi / p.slots -- angle of the wheel from which a slot is entered
local crankRadius, wheelRadius = p.centres * math.sin(half), p.centres * math.cos(half)
local side = p.pin + p.play
local mouth, bottom = math.sqrt(wheelRadius ^ 2 - side ^ 2), p.centres - crankRadius - 5e-4

local points = {}
for j = 0, p.slots - 1 do
  local t = (2 * j - 1) * half -- of a slot
  local function at(x, y) return math.cos(t) * x - math.sin(t) * y, math.sin(t) * x + math.cos(t) * y end
  local function add(x, y, field, value)
    local point = { at(x, y) }
    if field then point[field] = value end
    points[#points + 1] = point
  end
  add(mouth, -side, "arc", wheelRadius)
  add(bottom, -side)
  add(bottom, side, "through", { at(bottom - side, 0) })
  add(mouth, side)
end

local ground = world("ground")
local wheel = object("wheel", { solid{ shape = extruded{ profile = points, length = 0.005 }, material = "Steel",
  contact = "Steel", visual = "Silver" } })
revolute("wheelShaft", ground, wheel, { axis = "z", friction = 0.01 })
local crank = object("crank", { mass{ mass = 1, inertia = { 10, 10, 10 } } }) -- with a flywheel
object("pin", { parent = crank, position = { -crankRadius, 0, 0 },
  solid{ shape = cylinder{ radius = p.pin, length = 0.005 }, contact = "Steel", visual = "Red" } })
revolute("crankShaft", object("seat", { parent = ground, position = { p.centres, 0, 0 } }), crank,
  { axis = "z", start = math.pi, startRate = -p.speed })
