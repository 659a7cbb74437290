-- Two boxes fall side by side: one touches with all of its surface, the other with small balls at its corners only.
--
-- Balls at corners are an old way to give a box a contact: each of them touches at one point, and the box itself does
-- not collide. It is cheap and exact where corners meet a floor, but corners are all that there is: faces and edges pass
-- through each other, as the small box shows that falls onto the middle of each.
-- Try: --set size=0.2          balls of a fifth of the box
--      carom plot corner_spheres.run/result.h5 'small*.position.z'

local p = parameters{
  edge = 0.2,    -- [m] of the boxes
  size = 0.1,    -- of the balls' radius, over the edge
  height = 0.25, -- [m] of the middle at the start
}

scene{ stopTime = 1.5, interval = 0.005, tolerance = 1e-7 }
solidMaterial("Beech", { density = 700, E = 1e10, nu = 0.35 })
contactPair("Beech", "Beech", { cor = 0.4, muK = 0.5, muR = 0 })

local beech = visualMaterial("beech", { color = "#c9a27a", shininess = 0.1 })
local glassy = visualMaterial("glassy", { color = "#8fb8d8", transparency = 0.5 })
local room = world("room", {
  solid{ shape = halfSpace{}, contact = "Beech" },
  light{ kind = "ambient", intensity = 0.45 },
})
object("floor", {
  parent = room, position = { 0, 0, -0.005 },
  visual{ shape = box{ size = { 1.6, 1, 0.01 } }, visual = visualMaterial("slate", { color = "#cfd6da", shininess = 0.2 }) },
})
object("sun", { parent = room, rotation = { -0.5, 0.6, 0 }, light{ kind = "directional" } })
object("viewer", {
  parent = room, position = { 0, -1.6, 0.8 }, rotation = { axis = "x", angle = math.atan(1.6, 0.65) },
  camera{ fieldOfView = 0.6 },
})

local tilt = { 0.3, 0.4, 0.2 } -- [rad] so that a corner comes first
local whole = object("whole", {
  parent = room, position = { -0.35, 0, p.height }, rotation = tilt, free = true,
  solid{ shape = box{ size = { p.edge, p.edge, p.edge } }, material = "Beech", contact = "Beech", visual = beech },
})

-- The same box without a contact of its own. Balls lie in its corners, so that their outsides are its faces.
local corners = object("corners", {
  parent = room, position = { 0.35, 0, p.height }, rotation = tilt, free = true,
  solid{ shape = box{ size = { p.edge, p.edge, p.edge } }, material = "Beech", visual = glassy },
})
local radius = p.size * p.edge
local out = p.edge / 2 - radius
for number = 0, 7 do
  local sign = { number % 2 * 2 - 1, number // 2 % 2 * 2 - 1, number // 4 * 2 - 1 }
  object("corner" .. number, {
    parent = corners, position = { sign[1] * out, sign[2] * out, sign[3] * out },
    solid{ shape = sphere{ radius = radius }, contact = "Beech", visual = beech },
  })
end

-- One small box for each: it lands on the whole box, and falls through the faces of the other.
for name, x in pairs{ small_whole = -0.35, small_corners = 0.35 } do
  object(name, {
    parent = room, position = { x, 0, p.height + 0.3 }, free = true,
    solid{ shape = box{ size = { 0.08, 0.08, 0.08 } }, material = "Beech", contact = "Beech", visual = beech },
  })
end
