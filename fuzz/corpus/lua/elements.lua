local p = parameters{ n = 2, on = false, x = 'y', v = { 1, 2, 3 } }
scene{ gravity = 'none', contactDetection = true }
local w = world('w', { visual{ shape = grid{ width = 1, length = 1, spacing = 0.1 } } })
assembly('robot', { height = 1 }, function(q)
  assembly('arm', { length = 0.3 }, function(r)
    local a = object('a', { solid{ shape = hull{ points = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } }, mass = r.length } })
    prismatic('p', w, a, { axis = { 1, 1, 0 }, start = 0.1, nominal = 1 })
    freeMotion('m', w, a, { start = { 0, 0, 0, 1, 0, 0, 0 }, fixed = true })
    springDamper('s', w, a, { stiffness = 1, damping = 2, length = 3 })
  end)
end)
local m = solidMaterial('M', { density = 1, E = 1, nu = 0.3 })
contactPair(m, 'Steel', { cor = 0, muK = 0, muR = 0 })
visualMaterial('V', { color = '#10203040', wireframe = true, transparency = 0.5, shininess = 1, shadows = false })
exclude(w, 'robot.arm.a')
for i = 1, p.n do
  object('o' .. i, { parent = w, free = true, position = { i, 0, 0 }, velocity = { 1, 0, 0 }, angularVelocity = { 0, 0, 1 },
    rotation = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, canCollide = false,
    solid{ shape = cone{ diameter = 1, length = 1, topRadius = 0.1, rounding = 0.001, inflate = 0.1, axis = '-y' },
           material = m, contact = 'M', visual = 'V', group = 3, mask = 7 },
    mass{ mass = 1, com = { 0, 0, 1 }, inertia = { 1, 1, 1, 0, 0, 0 } }, light{ kind = 'spot' }, camera{ fieldOfView = 1 },
    visual{ shape = text{ string = 'Ü', height = 1 } }, visual{ shape = mesh{ file = 'none.stl', scale = { 1, 2, 3 } } } })
end
