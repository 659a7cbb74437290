-- A differential: the engine turns the case, in which a spider gear lets the two axles turn at different speeds. Whatever
-- the road does, left + right = 2 case, and both axles get the same torque.
--
-- Shows bevel gears as gear pairs on a carrier: both side gears mesh with the spider, which turns one of them backwards.
-- Try: carom run differential.lua --record 'left.rate' --record 'right.rate' --record 'case.rate' --record '*Mesh.force'
--      carom run differential.lua --set leftDrag=0.05

local p = parameters{
  torque = 40,      -- [N m] of the engine on the case
  leftDrag = 0.6,   -- [N m s/rad] of the road on the left wheel
  rightDrag = 1.8,  -- [N m s/rad]
  teethSide = 16,
  teethSpider = 10,
}

scene{ stopTime = 4, interval = 0.02, gravity = "none", tolerance = 1e-8 }

solidMaterial("Rubber", { density = 1100 })
local ground = world("ground")

-- A wheel on its axle: both along y.
local function wheel(name, y)
  local axle = object(name .. "Axle")
  object(name .. "Rod", { parent = axle, position = { 0, y / 2, 0 },
    visual{ shape = cylinder{ radius = 0.02, length = math.abs(y), axis = "y" }, visual = "Silver" } })
  object(name .. "Wheel", { parent = axle, position = { 0, y, 0 },
    solid{ shape = cylinder{ radius = 0.3, length = 0.2, axis = "y" }, material = "Rubber", visual = "DimGray" },
    visual{ shape = box{ size = { 0.5, 0.21, 0.03 } }, visual = "White" } })
  return axle
end

visualMaterial("Glass", { color = "Gold", transparency = 0.6 })
local housing = object("housing", {
  solid{ shape = box{ size = { 0.16, 0.12, 0.16 } }, material = "Steel", visual = "Glass" },
})
local spiderGear = object("spiderGear", {
  solid{ shape = cone{ radius = 0.04, length = 0.02 }, material = "Steel", visual = "IndianRed" },
})

local case = revolute("case", ground, housing, { axis = "y", torque = constant("engine", { value = p.torque }) })
local left = revolute("left", ground, wheel("left", 0.7), { axis = "y", damping = p.leftDrag })
local right = revolute("right", ground, wheel("right", -0.7), { axis = "y", damping = p.rightDrag })
local pin = object("pin", { parent = housing, position = { 0, 0, 0.06 }, rotation = { pi, 0, 0 } })
local spider = revolute("spider", pin, spiderGear)

-- seen along the axles the spider turns one side gear forwards and the other one backwards
gearPair("leftMesh", left, spider, { carrier = case, teethA = p.teethSide, teethB = p.teethSpider })
gearPair("rightMesh", right, spider, { carrier = case, teethA = p.teethSide, teethB = p.teethSpider, internal = true })
