local t = { 3, 1, 2, a = 1, [true] = 2, [2.5] = 3 }
for k, v in pairs(t) do print(k, v) end
local k, v = next(t)
table.sort(t, function(a, b) return a > b end)
table.insert(t, 1, 5)
table.remove(t, 2)
table.move(t, 1, 2, 3)
print(table.concat(t, ','), table.unpack(t))
print(string.format('%5.2f %s %q %d', 1.5, {}, 'a', 3), ('x'):rep(3, '-'), ('abc'):sub(2):upper():reverse())
print(utf8.char(228, 8364), utf8.len('ä'), math.random(10), math.floor(2.5), select('#', 1, 2))
local m = setmetatable({}, { __index = function(t, k) return k end, __tostring = function() return 'm' end })
print(m, m.x, rawget(m, 'x'), #'abc', 7 // 2, 2 ^ 0.5, 5 & 3, 'a' .. 1)
do local c <close> = setmetatable({}, { __close = function() print('closed') end }) end
local function f(n) if n == 0 then error('deep') end return f(n - 1) + 1 end
goto done
::done::
assert(f(3) == nil, 'never')
