-- A box falls on a table, bounces from corner to corner, and comes to rest on a face.
--
-- Shows contacts of corners, edges and flat faces, which are one law: the energy of what is inside each other. tilt=0
-- lets the box fall flat: it bounces on its whole face, and does not turn.
-- Try: carom run bouncing_box.lua --set tilt=0

local p = parameters{
  tilt = 0.4,   -- [rad] at the start, about x and half of it about y
  height = 0.4, -- [m] of its middle above the table
  spin = 3,     -- [rad/s] about the vertical
  cor = 0.6,    -- coefficient of restitution
}

scene{ stopTime = 2, interval = 0.002, tolerance = 1e-7 }

contactPair("DryWood", "DryWood", { cor = p.cor, muK = 0.3, muR = 0.001 })

local oak = visualMaterial("oak", { color = "Peru", shininess = 0.3 })
local table_ = visualMaterial("table", { color = "DarkSlateGray", shininess = 0.2 })

local room = world("room", { light{ kind = "ambient", intensity = 0.4 } })
object("lamp", { parent = room, position = { 1, -1, 2.5 }, light{ kind = "point" } })
object("viewer", {
  parent = room, position = { 0, -1.2, 0.6 }, rotation = { axis = "x", angle = math.atan(1.2, 0.45) },
  camera{ fieldOfView = 0.7 },
})
object("table", {
  parent = room, position = { 0, 0, -0.05 },
  solid{ shape = box{ size = { 1.5, 1.5, 0.1 } }, contact = "DryWood", visual = table_ },
})
object("box", {
  parent = room, position = { 0, 0, p.height }, free = true,
  rotation = { p.tilt, p.tilt / 2, 0 }, angularVelocity = { 0, 0, p.tilt == 0 and 0 or p.spin },
  solid{ shape = box{ size = { 0.2, 0.14, 0.1 } }, material = "DryWood", contact = "DryWood",
         visual = oak },
})
