-- A car on hilly ground: a body on four wheels, two of them driven, over a height field of 31 x 31 heights.
--
-- Heights are those of a sum of waves. Wheels are cylinders: they roll on the smooth surface through the heights, and feel hills
-- and not the grid. Whatever is neither a ball nor a cylinder touches facets of it, `refine` along each edge of a cell.

local hills = parameters{ height = 0.25, refine = 3, torque = 25 }

solidMaterial("Rubber", { density = 900, E = 5e7, nu = 0.45 })
solidMaterial("Soil", { density = 1800, E = 2e7, nu = 0.3 })
solidMaterial("Body", { density = 300, E = 7e10, nu = 0.3 })
contactPair("Rubber", "Rubber", { cor = 0.3, muK = 0.9, muR = 0.01 })
contactPair("Rubber", "Soil", { cor = 0.3, muK = 0.9, muR = 0.01 })
visualMaterial("grass", { color = "#7d9a54" })
visualMaterial("tyre", { color = "#303030" })
visualMaterial("paint", { color = "#c8303a", shininess = 0.8 })
scene{ stopTime = 4, tolerance = 1e-6 }

local heights = {}
for j = 0, 30 do
  local row = {}
  for i = 0, 30 do
    local x, y = i - 15, j - 15
    row[#row + 1] = hills.height * (math.sin(0.55 * x) * math.cos(0.4 * y) + 0.4 * math.sin(0.9 * x + 0.7 * y))
  end
  heights[#heights + 1] = row
end

world("world")
object("ground", {
  parent = "world",
  solid{ shape = heightField{ heights = heights, width = 30, length = 30, refine = hills.refine }, contact = "Soil",
         visual = "grass" },
})

object("car", {
  parent = "world", free = true, position = { -10, 0.3, 1.1 },
  solid{ shape = box{ size = { 2.2, 1.0, 0.3 } }, material = "Body", visual = "paint" },
})
constant("drive", { value = -hills.torque })
for _, axle in ipairs{ { name = "front", x = 0.9 }, { name = "rear", x = -0.9 } } do
  for _, side in ipairs{ { name = "Left", y = 0.75 }, { name = "Right", y = -0.75 } } do
    local name = axle.name .. side.name
    object(name .. "Hub", { parent = "car", position = { axle.x, side.y, -0.2 }, rotation = { math.pi / 2, 0, 0 } })
    object(name, { solid{ shape = cylinder{ radius = 0.35, length = 0.2 }, material = "Rubber", mass = 20, contact = "Rubber", visual = "tyre" } })
    revolute(name .. "Axle", name .. "Hub", name, { damping = 0.5, torque = axle.name == "rear" and "drive" or nil })
  end
end
