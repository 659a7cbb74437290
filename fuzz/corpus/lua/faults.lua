object('a.b')
object(5, { 1, nil, 3 })
object('a', { position = { 1, 2 }, foo = print, free = 3, [1.5] = 2 })
revolute('j', {}, world('w'), 3, 4)
local s = sphere(3)
object('c', { solid{ shape = s }, sphere{ radius = 1 }, solid{ shape = mass{} } })
parameters{ n = 1, ['x.y'] = 2, f = print }
parameters{}
assembly('d', { 1 }, 5)
assembly(nil, nil, function() object('x') end)
scene{ gravity = { mu = 1 } }
scene(3)
exclude('a')
contactPair('a', 'b', { cor = 2 })
solidMaterial('m', { density = -1, nu = 0 / 0 })
object('\xff')
local t = {}
t.t = t
object('t', t)
error({})
