-- The simple pendulum, problem A01 of the IFToMM benchmark library [GonzalezEtAl06]: a point mass of 1 kg on a bar of
-- 1 m without mass, let go from the horizontal.
-- Try: carom run simple_pendulum.lua --tol 1e-4,1e-6,1e-8,1e-10

scene{ gravity = { 0, -9.81, 0 }, stopTime = 10, tolerance = 1e-8 }

local ground = world("ground", { visual{ shape = coordinateSystem{ length = 0.2 } } })
local bar = object("bar", { visual{ shape = sphere{ diameter = 0.02 }, visual = "DimGray" } })
object("mass", { parent = bar, position = { -1, 0, 0 }, mass{ mass = 1 },
                 visual{ shape = sphere{ diameter = 0.1 }, visual = "SteelBlue" } })
revolute("hinge", ground, bar)
