-- A book thrown up while it turns about its middle axis: it tumbles.
--
-- Shows a free body and the intermediate axis theorem. Turning about the longest or the shortest edge is stable,
-- about the middle one it is not: however small the wobble, the book flips over, again and again. Seen from the book,
-- the angular velocity follows Jacobi's elliptic functions. Gravity is off: it would move the book, but not turn it.
-- Try: carom run tumbling_body.lua --set wobble=1e-6

local p = parameters{
  rate = 6.0,    -- [rad/s] about the middle axis (y)
  wobble = 0.05, -- [rad/s] about the longest edge (x), the axis of the smallest moment
  mass = 1.0,    -- [kg]
  length = 0.3, width = 0.2, thickness = 0.04, -- [m]
}

scene{ gravity = "none", stopTime = 20, tolerance = 1e-9 }

local room = world("room", { visual{ shape = coordinateSystem{ length = 0.3 } } })
local book = object("book", {
  parent = room, free = true, angularVelocity = { p.wobble, p.rate, 0 },
  solid{ shape = box{ size = { p.length, p.width, p.thickness } }, mass = p.mass, visual = "Ivory" },
})
for name, side in pairs{ front = 1, back = -1 } do
  object(name, {
    parent = book, position = { 0, 0, side * p.thickness / 2 },
    visual{ shape = box{ size = { 1.03 * p.length, 1.03 * p.width, 0.004 } }, visual = side > 0 and "Navy" or "Maroon" },
  })
end
object("spine", {
  parent = book, position = { 0, -p.width / 2, 0 },
  visual{ shape = box{ size = { 1.03 * p.length, 0.004, p.thickness } }, visual = "Navy" },
})
