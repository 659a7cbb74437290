-- A log lies across the edge of a table, its middle a little beyond it: it tips, slides and falls.
--
-- Shows a cylinder that rests on a face with a line of contact, then hangs on an edge, and hits the floor with its rim:
-- one contact, in which nothing is handed over.
-- Try: --set beyond=-0.005    it stays
--      --set muK=0            it slips off sooner
--      carom plot tipping_log.run/result.h5 log.position.z

local p = parameters{
  beyond = 0.01, -- [m] of its middle beyond the edge
  muK = 0.4,
  turn = 0.2,    -- [rad] of its axis to the normal of the edge
}

scene{ stopTime = 1.5, interval = 0.005, tolerance = 2e-8 }
solidMaterial("Pine", { density = 600, E = 1e8, nu = 0.35 })
contactPair("Pine", "Pine", { cor = 0.4, muK = p.muK, muR = 0 })

local radius, length, height = 0.03, 0.3, 0.2 -- [m]
local pine = visualMaterial("pine", { color = "#d9a866", shininess = 0.2 })
local room = world("room", {
  solid{ shape = halfSpace{}, contact = "Pine" },
  light{ kind = "ambient", intensity = 0.45 },
})
object("floor", {
  parent = room, position = { 0.2, 0, -0.005 },
  visual{ shape = box{ size = { 1.4, 1, 0.01 } }, visual = visualMaterial("tiles", { color = "#dfe3e6", shininess = 0.3 }) },
})
object("sun", { parent = room, rotation = { -0.5, 0.6, 0 }, light{ kind = "directional" } })
object("viewer", {
  parent = room, position = { 0.2, -1.3, 0.5 }, rotation = { axis = "x", angle = math.atan(1.3, 0.38) },
  camera{ fieldOfView = 0.6 },
})
object("table", {
  parent = room, position = { -0.2, 0, height / 2 },
  solid{ shape = box{ size = { 0.4, 0.4, height } }, contact = "Pine",
         visual = visualMaterial("walnut", { color = "#7a5537", shininess = 0.3 }) },
})
object("log", {
  parent = object("heading", { parent = room, position = { p.beyond, 0, height + radius },
                               rotation = { axis = "z", angle = p.turn } }),
  rotation = { axis = "y", angle = pi / 2 }, free = true, start = "rest",
  solid{ shape = cylinder{ radius = radius, length = length }, material = "Pine", contact = "Pine", visual = pine },
})
