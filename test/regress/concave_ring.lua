-- A ball that hits a revolved body with a concave corner went through its side, with 126 kJ of 0.02 J: carom run --stop 0.05
scene{stopTime=0.05,interval=0.01,gravity="none"}
contactPair("Steel","Steel",{cor=1,muK=0,muR=0})
local h=world("h")
object("s",{parent=h,solid{contact="Steel",shape=revolved{profile={{0.053,0.047},{0.053,0.01},{0.031,-0.018},{0.125,-0.038},{0.145,0}}}}})
object("b",{parent=h,free=true,position={-0.219334,0,-0.00632},velocity={2.665,0,-0.2308},solid{shape=sphere{radius=0.005481},material="Steel",contact="Steel"}})
