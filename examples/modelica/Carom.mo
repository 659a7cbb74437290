within;
// Written by the language specification (3.5); no Modelica tool has compiled it yet. An FMU of a whole model needs none
// of this: `carom fmu`, docs/fmu.md.
package Carom "Collision forces by Carom: declarations of carom/external.h and carom/io.h, and four free-flying cubes"

  class Collider "Shapes of all bodies; made once"
    extends ExternalObject;

    function constructor
      input Real stiffness(unit="N/m") "K: force per depth";
      input Real cor = 0.7 "coefficient of restitution, for collideElastic";
      input Real muK = 0.5 "sliding friction, likewise";
      input Real muR = 0.001 "rolling resistance, likewise";
      input Integer stlIndices[:] = fill(0, 0) "numbers of meshes";
      input String stlFiles[size(stlIndices, 1)] = fill("", size(stlIndices, 1)) "STL or OBJ files, in metres";
      output Collider collider;
    external "C" collider = crOpenCollider(stiffness, cor, muK, muR, stlIndices, stlFiles, size(stlIndices, 1))
      annotation (Include="#include <carom/io.h>", Library={"carom_io", "carom"});
    end constructor;

    function destructor
      input Collider collider;
    external "C" crDestroyCollider(collider)
      annotation (Include="#include <carom/external.h>", Library="carom");
    end destructor;
  end Collider;

  class Memory "Contacts of one simulation, and how fast each began"
    extends ExternalObject;

    function constructor
      input Collider collider;
      output Memory memory;
    external "C" memory = crOpenColliderMemory(collider)
      annotation (Include="#include <carom/external.h>", Library="carom");
    end constructor;

    function destructor
      input Memory memory;
    external "C" crDestroyColliderMemory(memory)
      annotation (Include="#include <carom/external.h>", Library="carom");
    end destructor;
  end Memory;

  package Internal "External functions with a status: 0 is done"
    function computeForces
      input Collider collider;
      input Integer bodies;
      input Real collisionInput[bodies, 27];
      output Real collisionOutput[bodies, 6];
      output Integer status;
    external "C" status = crCollider_ComputeForces(collider, bodies, collisionInput, collisionOutput)
      annotation (Include="#include <carom/external.h>", Library="carom");
    end computeForces;

    function computeElasticForces
      input Collider collider;
      input Memory memory;
      input Integer bodies;
      input Real collisionInput[bodies, 27];
      input Real motion[bodies, 7];
      input Integer eventCount "so that the function is called anew after an event";
      output Real collisionOutput[bodies, 6];
      output Integer status;
    external "C" status =
      crCollider_ComputeElasticForces(collider, memory, bodies, collisionInput, motion, collisionOutput)
      annotation (Include="#include <carom/external.h>", Library="carom");
    end computeElasticForces;

    function computeIndicators
      input Collider collider;
      input Memory memory;
      input Integer bodies;
      input Real collisionInput[bodies, 27];
      input Real motion[bodies, 7];
      input Integer eventCount;
      output Real indicators[2];
      output Integer status;
    external "C" status =
      crCollider_ComputeIndicators(collider, memory, bodies, collisionInput, motion, indicators)
      annotation (Include="#include <carom/external.h>", Library="carom");
    end computeIndicators;

    impure function resolveEvent
      input Collider collider;
      input Memory memory;
      input Integer bodies;
      input Real collisionInput[bodies, 27];
      input Real motion[bodies, 7];
      output Integer status;
    external "C" status = crCollider_ResolveEvent(collider, memory, bodies, collisionInput, motion)
      annotation (Include="#include <carom/external.h>", Library="carom");
    end resolveEvent;

    function message
      input Collider collider;
      output String text;
    external "C" text = crCollider_GetMessage(collider)
      annotation (Include="#include <carom/external.h>", Library="carom");
    end message;
  end Internal;

  function doCollide "Forces and torques on all bodies, from where they are"
    input Collider collider;
    input Integer bodies "number of bodies";
    input Real collisionInput[bodies, 27] "id, shape, form, extra, stl index, noCollision, size, rx, ry, r, S";
    output Real collisionOutput[bodies, 6] "force and torque about r, in body axes";
  protected
    Integer status;
  algorithm
    (collisionOutput, status) := Internal.computeForces(collider, bodies, collisionInput);
    assert(status == 0, "Carom: " + Internal.message(collider));
  end doCollide;

  function collideElastic "The same by the elastic law with damping and friction, from poses, velocities and masses"
    input Collider collider;
    input Memory memory;
    input Integer bodies;
    input Real collisionInput[bodies, 27];
    input Real motion[bodies, 7] "velocity of r and angular velocity, in body axes, and mass";
    input Integer eventCount;
    output Real collisionOutput[bodies, 6];
  protected
    Integer status;
  algorithm
    (collisionOutput, status) :=
      Internal.computeElasticForces(collider, memory, bodies, collisionInput, motion, eventCount);
    assert(status == 0, "Carom: " + Internal.message(collider));
  end collideElastic;

  function findIndicators "Two numbers that cross 0 where a contact ends, or begins"
    input Collider collider;
    input Memory memory;
    input Integer bodies;
    input Real collisionInput[bodies, 27];
    input Real motion[bodies, 7];
    input Integer eventCount;
    output Real indicators[2];
  protected
    Integer status;
  algorithm
    (indicators, status) := Internal.computeIndicators(collider, memory, bodies, collisionInput, motion, eventCount);
    assert(status == 0, "Carom: " + Internal.message(collider));
  end findIndicators;

  model Cube "A cube of 1 m that flies freely"
    parameter Integer id;
    parameter Real m(unit="kg") = 1;
    parameter Real I(unit="kg.m2") = m / 6;
    Real r[3](each unit="m") "position in the world";
    Real v[3](each unit="m/s");
    Real q[4](start={1, 0, 0, 0}) "quaternion w, x, y, z of any length";
    Real w[3](each unit="rad/s") "angular velocity in body axes";
    Real S[3, 3] "a vector is S h in the world and h in the body";
    Real collisionInput[27];
    Real collisionOutput[6];
    Real energy(unit="J") = m / 2 * (v * v) + I / 2 * (w * w);
  protected
    Real n = q * q;
  equation
    S = {{q[1]^2 + q[2]^2 - q[3]^2 - q[4]^2, 2 * (q[2] * q[3] - q[1] * q[4]), 2 * (q[2] * q[4] + q[1] * q[3])},
         {2 * (q[2] * q[3] + q[1] * q[4]), q[1]^2 - q[2]^2 + q[3]^2 - q[4]^2, 2 * (q[3] * q[4] - q[1] * q[2])},
         {2 * (q[2] * q[4] - q[1] * q[3]), 2 * (q[3] * q[4] + q[1] * q[2]), q[1]^2 - q[2]^2 - q[3]^2 + q[4]^2}} / n;
    collisionInput = cat(1, {id, 101, 0, 0, 0, 0}, {1, 1, 1}, S[:, 1], S[:, 2], r, S[1, :], S[2, :], S[3, :]);
    der(r) = v;
    der(q) = {-q[2] * w[1] - q[3] * w[2] - q[4] * w[3],
              q[1] * w[1] + q[3] * w[3] - q[4] * w[2],
              q[1] * w[2] + q[4] * w[1] - q[2] * w[3],
              q[1] * w[3] + q[2] * w[2] - q[3] * w[1]} / 2;
    m * der(v) = S * collisionOutput[1:3];
    I * der(w) = collisionOutput[4:6];
  end Cube;

  partial model Cubes "Two cubes fly towards two that rest"
    Cube cubes[4](
      id=1:4,
      r(start=[-2.0, 0.1, 0.2; 2.2, -0.1, 0.0; 0.0, 0.72, 0.0; 0.1, -0.6, 0.1], each fixed=true),
      q(start=[0.9, 0.1, 0.2, 0.3; 1, 0, 0, 0; 0.9, 0.4, -0.1, 0.1; 1, 0, 0, 0], each fixed=true),
      v(start=[1.5, 0, 0; -1.5, 0.1, 0; 0, 0, 0; 0, 0, 0], each fixed=true),
      w(start=[0, 0, 0; 0.5, -0.3, 0.8; 0, 0, 0; 0, 0, 0], each fixed=true));
    Real wholeInput[4, 27];
    Real wholeOutput[4, 6];
    Real energy(unit="J") = sum(cubes.energy);
  equation
    for i in 1:4 loop
      wholeInput[i, :] = cubes[i].collisionInput;
      cubes[i].collisionOutput = wholeOutput[i, :];
    end for;
  end Cubes;

  model FourCubes "Elastic: all four are apart after the collision, with the energy of the start"
    extends Cubes;
  protected
    Collider collider = Collider(1e5);
  equation
    wholeOutput = doCollide(collider, 4, wholeInput);
    annotation (experiment(StopTime=3, Interval=0.01, Tolerance=1e-8));
  end FourCubes;

  model FourCubesElastic "With damping and friction: contacts begin and end at events"
    extends Cubes;
    Real motion[4, 7];
    Real indicators[2];
    discrete Integer status(start=0, fixed=true);
    discrete Integer eventCount(start=0, fixed=true);
  protected
    Collider collider = Collider(1e5);
    Memory memory = Memory(collider);
  equation
    for i in 1:4 loop
      motion[i, :] = cat(1, transpose(cubes[i].S) * cubes[i].v, cubes[i].w, {cubes[i].m});
    end for;
    wholeOutput = collideElastic(collider, memory, 4, wholeInput, motion, eventCount);
    indicators = findIndicators(collider, memory, 4, wholeInput, motion, pre(eventCount));
    when {initial(), indicators[1] > 0, indicators[2] < 0} then
      status = Internal.resolveEvent(collider, memory, 4, wholeInput, motion);
      eventCount = pre(eventCount) + 1 + status "after the event is resolved";
    end when;
    assert(status == 0, "Carom: " + Internal.message(collider));
    annotation (experiment(StopTime=3, Interval=0.01, Tolerance=1e-8));
  end FourCubesElastic;
end Carom;
