-- A rocket of two stages, straight up.
--
-- The first stage burns for 10 s and drops off: an action releases it, and it goes on with the velocity that it has, up
-- and down again, until it reaches the ground, where another action deletes it. The second stage lights 2 s after the
-- separation. Masses stay as they are, so that heights and speeds have closed forms.

scene{ stopTime = 60, interval = 0.1, tolerance = 1e-9 }

local burnout, ignition, cutoff = 10, 12, 30 -- [s]

local ground = world("ground", { visual{ shape = grid{ width = 200, length = 200, spacing = 20 } } })

object("upper", {
  free = true, position = { 0, 0, 12 },
  solid{ shape = cylinder{ radius = 0.8, length = 6 }, mass = 300, visual = "White" },
})
object("nose", {
  parent = "upper", position = { 0, 0, 3 },
  solid{ shape = cone{ radius = 0.8, length = 2 }, mass = 20, visual = "OrangeRed" },
})
object("booster", {
  parent = "upper", position = { 0, 0, -7.5 },
  solid{ shape = cylinder{ radius = 0.8, length = 9 }, mass = 900, visual = "LightGray" },
})

-- on from the start until the end of burning
step("firstBurn", { offset = 1, height = -1, start = burnout })
trapezoid("secondBurn", { start = ignition, rise = 0.5, hold = cutoff - ignition - 1, fall = 0.5, height = 1 })
force("firstThrust", "booster", { force = { 0, 0, 24000 }, frame = "booster", factor = "firstBurn" })
force("secondThrust", "upper", { force = { 0, 0, 9000 }, frame = "upper", factor = "secondBurn" })

action("separate", { when = { time = burnout }, release = "booster" })

frameSensor("boosterHeight", { objectA = ground, objectB = "booster", quantity = "position", component = "z" })
action("splash", { when = { signal = "boosterHeight", level = 0, direction = "down" }, delete = "booster" })
