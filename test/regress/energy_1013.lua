-- energy: 247 J; seed 1013: carom run --stop 0.5 --tol 1e-07 --solver dopri5 --threads 4 --interval 0.025
solidMaterial('Wood', { density = 700, E = 1e10, nu = 0.3 })
solidMaterial('Rubber', { density = 1100, E = 5e7, nu = 0.45 })
contactPair('*', '*', { cor = 0.553, muK = 0.6, muR = 0, friction = 'stick' })
local ground = world('ground')
object('floor', { parent = ground, position = { 0, 0, -0.5 }, solid{ shape = box{ size = { 60, 60, 1 } }, contact = 'Steel' } })
object('free0', { parent = ground, free = true, position = { 0.000272277, -0.000302234, 0.0434372 },
  rotation = { -2.31833, 0.262847, 2.07391 }, velocity = { -0.689491, 1.15236, 0.532292 }, angularVelocity = { 8.66715, -5.61255, -1.31772 },
  solid{ shape = ellipsoid{ radii = { 0.00239051, 0.00215785, 0.00379085 } }, material = 'Steel', contact = 'Steel' } })
torque('force1', 'free0', { torque = { 0.0196018, 0.0134492, -0.00312186 } })
