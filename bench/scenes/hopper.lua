-- n balls fall out of a hopper of four plates onto a tray with a rim that is shaken to and fro.

local p = parameters{
  n = 300,
  E = 2.1e11,       -- [N/m^2] steel
  cor = 0.6,
  muK = 0.3,
  amplitude = 2e-3, -- [m] of the tray
  frequency = 20,   -- [Hz]
}

local r = 0.005 -- [m]
solidMaterial("Bearing", { density = 7800, E = p.E, nu = 0.3 })
contactPair("Bearing", "Bearing", { cor = p.cor, muK = p.muK, muR = 0 })
scene{ stopTime = 3, interval = 0.02 }

local room = world("room")
local function plate(name, parent, position, rotation, size)
  return object(name, { parent = parent, position = position, rotation = rotation,
    solid{ shape = box{ size = size }, contact = "Bearing" } })
end

-- The hopper: its mouth is 5 balls wide, its plates are steep enough to be slid down.
local lean, mouth, length, height = math.rad(35), 5 * r, 0.14, 0.12
local reach = mouth + length / 2 * math.sin(lean) + 0.002
local middle = height + length / 2 * math.cos(lean)
plate("right", room, { reach, 0, middle }, { 0, lean, 0 }, { 0.004, 0.3, length })
plate("left", room, { -reach, 0, middle }, { 0, -lean, 0 }, { 0.004, 0.3, length })
plate("back", room, { 0, reach, middle }, { -lean, 0, 0 }, { 0.3, 0.004, length })
plate("front", room, { 0, -reach, middle }, { lean, 0, 0 }, { 0.3, 0.004, length })

-- The tray.
local side, rim = 0.16, 0.03
local tray = object("tray", { solid{ shape = box{ size = { side, side, 0.01 } }, mass = 1, contact = "Bearing" } })
plate("rimRight", tray, { side / 2, 0, rim / 2 }, { 0, 0, 0 }, { 0.006, side, rim })
plate("rimLeft", tray, { -side / 2, 0, rim / 2 }, { 0, 0, 0 }, { 0.006, side, rim })
plate("rimBack", tray, { 0, side / 2, rim / 2 }, { 0, 0, 0 }, { side, 0.006, rim })
plate("rimFront", tray, { 0, -side / 2, rim / 2 }, { 0, 0, 0 }, { side, 0.006, rim })
prismatic("shaker", object("rail", { parent = room, position = { 0, 0, 0.05 } }), tray, {
  motion = sine("shaking", { amplitude = p.amplitude, frequency = p.frequency }),
})

-- Layers of five by five, each a little wider than the one below, as the plates allow.
local pitch = 2.1 * r
local count, layer = 0, 0
while count < p.n do
  local z = height + r + 0.01 + layer * pitch
  local half = mouth + (z - height) * math.tan(lean) - 1.5 * r
  local row = math.max(1, math.floor(2 * half / pitch))
  for i = 0, row * row - 1 do
    if count < p.n then
      count = count + 1
      local x, y = (i % row - (row - 1) / 2) * pitch, (i // row - (row - 1) / 2) * pitch
      object("ball" .. count, { parent = room, free = true,
        position = { x + 1e-4 * math.sin(3 * count), y + 1e-4 * math.sin(5 * count), z },
        solid{ shape = sphere{ radius = r }, material = "Bearing", contact = "Bearing" } })
    end
  end
  layer = layer + 1
end
