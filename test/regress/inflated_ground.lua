-- A ball on an inflated height field, whose valleys it does not fit into then, was given 3.7 J of 26 J: carom run --stop 1
scene{stopTime=1,interval=0.02,tolerance=1e-8}
contactPair("Steel","Steel",{cor=1,muK=0,muR=0})
local w=world("w",{})
local h={} for j=1,9 do h[j]={} for i=1,9 do h[j][i]=0.05*math.sin(2*i)*math.sin(2*j) end end
object("g",{parent=w,solid{shape=heightField{heights=h,width=2,length=2,inflate=0.1},contact="Steel"}})
object("b",{parent=w,free=true,position={0.1,0,0.8},solid{shape=sphere{radius=0.05},material="Steel",contact="Steel"}})
