-- A cone of rubber shot into the ground up to its axis left 0.0175 J unexplained: carom run --stop 0.02 --tol 1e-8
solidMaterial('Wood', { density = 700, E = 1e10, nu = 0.3 })
solidMaterial('Rubber', { density = 1100, E = 5e7, nu = 0.45 })
contactPair('*', '*', { cor = 0.4734, muK = 0.6, muR = 0, friction = 'stick' })
local ground = world('ground')
object('floor', { parent = ground, position = { 0, 0, -0.5 }, solid{ shape = box{ size = { 60, 60, 1 } }, contact = 'Steel' } })
object('free1', { parent = ground, free = true, position = { 0.0359193, 0.06977, 0.114629 },
  rotation = { -2.00293, -0.120949, -2.5724 }, velocity = { 0.975963, -0.431174, 0.0664499 }, angularVelocity = { -8.64046, -3.13668, -7.50941 },
  solid{ shape = cone{ radius = 0.00413602, length = 0.0121069 }, material = 'Rubber', contact = 'Rubber' } })
object('free2', { parent = ground, free = true, position = { -0.0683725, 0.0687038, 0.114629 },
  rotation = { -1.17463, -0.0344802, 0.412548 }, velocity = { 0.726595, -0.200294, 0.0413735 }, angularVelocity = { 6.2236, 2.03566, 0.0663448 },
  solid{ shape = capsule{ radius = 0.0118588, length = 0.020595 }, material = 'Wood', contact = 'Wood' } })
springDamper('force0', 'free1', 'ground', { stiffness = 6.882, damping = 0.9594, length = 0.9698 })
springDamper('force1', 'free1', 'free2', { stiffness = 437.4, damping = 0.3874, length = 0.7188 })
