-- A flyball governor with stiff springs, problem A05 of the IFToMM benchmark library [GonzalezEtAl06]: a shaft spins
-- freely, two rods with balls hang from its top, and a slider follows them on springs of 8e5 N/m.
--
-- Shows a stiff model: Carom notices, and goes on with an implicit method. The angular momentum about the shaft stays.
-- Try: carom run governor.lua --record 'slide.*'

scene{ stopTime = 10, tolerance = 1e-8 }

local density = 3000
local function mass1(size) return density * size[1] * size[2] * size[3] end

local ground = world("ground", { visual{ shape = coordinateSystem{ length = 0.2 } } })
local shaft = object("shaft")
object("shaftBody", { parent = shaft, position = { 0, 0, 0.5 },
  solid{ shape = box{ size = { 0.01, 0.01, 1 } }, mass = mass1{ 0.01, 0.01, 1 }, visual = "DimGray" } })
local slider = object("slider", {
  solid{ shape = box{ size = { 0.1, 0.1, 0.1 } }, mass = mass1{ 0.1, 0.1, 0.1 }, visual = "Gold" } })
revolute("spin", ground, shaft, { startRate = 2 * pi })
prismatic("slide", shaft, slider, { axis = "z", start = 0.5 })

for _, side in ipairs{ { "left", -1 }, { "right", 1 } } do
  local name, sign = side[1], side[2]
  local rod = object(name)
  object(name .. "Body", { parent = rod, position = { sign * 0.5, 0, 0 },
    solid{ shape = box{ size = { 1, 0.01, 0.01 } }, mass = mass1{ 1, 0.01, 0.01 }, visual = "SteelBlue" } })
  object(name .. "Ball", { parent = rod, position = { sign, 0, 0 }, mass{ mass = 5 },
    visual{ shape = sphere{ diameter = 0.1 }, visual = "SteelBlue" } })
  revolute(name .. "Hinge", object(name .. "Top", { parent = shaft, position = { sign * 0.05, 0, 1 } }), rod,
           { axis = "y", start = sign * pi / 6 })
  springDamper(name .. "Spring", object(name .. "Foot", { parent = slider, position = { sign * 0.05, 0, 0 } }),
               object(name .. "Middle", { parent = rod, position = { sign * 0.5, 0, 0 } }),
               { stiffness = 8e5, damping = 4e4, length = 0.5 })
end
