-- Andrews' squeezing mechanism: seven plane bodies on three pivots, four of which meet in one point; problem A03 of the
-- IFToMM benchmark library [GonzalezEtAl06], also in [MazziaMagherini08]. A motor spins the crank up to 1500 rad/s in
-- 0.03 s, against a spring.
--
-- Shows three coupled loops at engineering speed. The angle of the crank at the end is 15.8107711 rad.
-- Try: carom run andrews.lua --tol 1e-5,1e-7,1e-9

scene{ gravity = "none", stopTime = 0.03, interval = 0.0003, tolerance = 1e-9 }

-- A plane body: where its centre of mass is in its own frame, and its inertia.
local function body(name, m, J, x, y)
  return object(name, { mass{ mass = m, com = { x, y, 0 }, inertia = { J, J, J } } })
end
local function at(name, parent, x, y)
  return object(name, { parent = parent, position = { x, y, 0 } })
end

local ground = world("ground", { visual{ shape = coordinateSystem{ length = 0.01 } } })
local A = at("A", ground, -0.06934, -0.00227)
local B = at("B", ground, -0.03635, 0.03273)
local C = at("C", ground, 0.014, 0.072)

local body1 = body("body1", 0.04325, 2.194e-6, 0.00092, 0)
local body2 = body("body2", 0.00365, 4.41e-7, -0.0115, 0)
local body3 = body("body3", 0.02373, 5.255e-6, 0.01043, -0.01874)
local body4 = body("body4", 0.00706, 5.667e-7, 0, -(0.02 - 0.01421))
local body5 = body("body5", 0.0705, 1.169e-5, 0.02308, 0.00916)
local body6 = body("body6", 0.00706, 5.667e-7, 0.02 - 0.01421, 0)
local body7 = body("body7", 0.05498, 1.912e-5, -0.00449, -0.01228)

local P = at("P", body2, -0.028, 0) -- where bodies 2, 3, 4 and 6 meet
local D = at("D", body3, 0.02, -0.018)

local motor = constant("motor", { value = 0.033 })
revolute("beta", ground, body1, { start = -0.0617138900142764, torque = motor, fixed = true })
revolute("theta", at("crankTip", body1, 0.007, 0), body2, { start = 0 })
revolute("gamma", B, body3, { start = 0.455279819163070 })
revolute("delta", A, body5, { start = 0.487364979543843 })
revolute("phi", at("tip5", body5, 0.04, 0), body4, { start = 0.222668390165886 })
revolute("epsilon", A, body7, { start = 1.23054744454982 })
revolute("omega", at("tip7", body7, 0, -0.04), body6, { start = -0.222668390165886 })
revolute("meet3", P, at("P3", body3, 0, -0.035))
revolute("meet4", P, at("P4", body4, 0, -0.02))
revolute("meet6", P, at("P6", body6, 0.02, 0))
springDamper("spring", C, D, { stiffness = 4530, length = 0.07785 })
