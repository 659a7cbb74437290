local s = 'x'
local t = {}
for i = 1, 20 do s = s .. s; t[i] = { t } end
while true do t[#t + 1] = ('y'):rep(100) end
