-- Two steel balls bounce on a wooden table: the red one pressed back by an elastic force, the blue one thrown back by
-- impulses.
--
-- Shows two responses in one model: the response belongs to a pair of materials, so the blue ball is made of a steel of
-- its own. With the formula of the papers the elastic ball gets a little less than the coefficient of restitution that
-- was asked for, and falls behind; formula=exact makes the two hop together.
-- Try: carom run bouncing_ball.lua --set formula=exact
--      carom plot bouncing_ball.run/result.h5 elastic.position.z impulsive.position.z

local p = parameters{
  cor = 0.7,          -- coefficient of restitution
  formula = "flores", -- of the damping of the elastic ball: flores or exact
  kRed = 1,           -- factor of its stiffness
  height = 1.01,      -- [m] of the balls' centres above the middle of the table
}

scene{ stopTime = 3, interval = 0.005, tolerance = 1e-8, formula = p.formula, kRed = p.kRed }

solidMaterial("HardSteel", { density = 8000, E = 2e11, nu = 0.3 }) -- as Steel
contactPair("Steel", "DryWood", { cor = p.cor, muK = 0.4, muR = 0.001 })
contactPair("HardSteel", "DryWood", { cor = p.cor, muK = 0.4, muR = 0.001, response = "impulsive" })
contactPair("Steel", "HardSteel", { cor = p.cor, muK = 0.4, muR = 0.001 })

local wood = visualMaterial("wood", { color = "BurlyWood", shininess = 0.3 })
local red = visualMaterial("red", { color = "Crimson", shininess = 0.9 })
local blue = visualMaterial("blue", { color = "RoyalBlue", shininess = 0.9 })

local room = world("room", { light{ kind = "ambient", intensity = 0.4 } })
object("lamp", { parent = room, position = { 1, -1, 3 }, light{ kind = "point" } })
object("viewer", {
  parent = room, position = { 0, -2.2, 0.7 }, rotation = { axis = "x", angle = pi / 2 - 0.1 },
  camera{ fieldOfView = 0.7 },
})
object("table", {
  parent = room, -- its top is at z = 0.05
  solid{ shape = box{ size = { 1, 1, 0.1 } }, contact = "DryWood", visual = wood },
})

local function ball(name, x, material, look)
  object(name, {
    parent = room, position = { x, 0, p.height }, free = true,
    solid{ shape = sphere{ diameter = 0.02 }, material = material, contact = material, visual = look },
  })
end
ball("elastic", -0.05, "Steel", red)
ball("impulsive", 0.05, "HardSteel", blue)
