"""Models that are built in Python: the constructors of Lua, with the same meaning, and errors with the caller's line."""
import glob
import inspect
import json
import os
import shutil
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import carom


def test_constructors_are_what_the_records_say(root, tool, tmp_path):
    schema = tmp_path / "schema.json"
    schema.write_bytes(subprocess.run([tool, "schema"], check=True, capture_output=True).stdout)
    subprocess.run([sys.executable, os.path.join(root, "python", "generate_elements.py"), "--check", str(schema)],
                   check=True)


def rebuild(model):
    """A scene by the constructors, from a model as JSON."""
    scene = carom.Scene(**model.get("scene", {}))
    parts = {**{name: getattr(carom, name) for name in carom._elements.PARTS}}

    def make(part):
        fields = {k: make(v) if k == "shape" else v for k, v in part.items() if k != "type"}
        return parts[part["type"]](**fields)

    order = {"assemblies": None, "solidMaterials": "solidMaterial", "contactPairs": "contactPair",
             "visualMaterials": "visualMaterial", "exclusions": "exclude", "actions": "action"}
    for section, elements in model.items():
        for element in elements if isinstance(elements, list) else ():
            fields = dict(element)
            if section == "assemblies":
                name = fields.pop("name")
                if name == "":
                    scene._sections.setdefault("assemblies", []).append(json.dumps(element))
                    continue
                with scene.assembly(name, **fields.get("parameters", {})):
                    pass
            elif section == "objects":
                mobility = fields.pop("mobility", "rigid")
                features = [make(f) for f in fields.pop("features", ())]
                name = fields.pop("name")
                if mobility == "world":
                    scene.world(name, *features, **fields)
                else:
                    scene.object(name, *features, free=mobility == "free" or None, **fields)
            else:
                method = order.get(section) or fields.pop("type")
                getattr(scene, method)(**fields)
    return scene


def test_every_example_can_be_built_in_python(examples, tool, tmp_path):
    count = 0
    folder = tmp_path / "examples"  # meshes of a model lie in its folder
    shutil.copytree(examples, folder, ignore=shutil.ignore_patterns("*.run"))
    for path in sorted(glob.glob(os.path.join(folder, "*.lua"))):
        converted = folder / "model.json"
        subprocess.run([tool, "convert", path, str(converted)], check=True, capture_output=True)
        model = json.loads(converted.read_text(), parse_int=lambda digits: -0.0 if digits == "-0" else int(digits))
        expected, own = carom.load(converted), rebuild(model).compile(folder=str(folder))
        assert own.hash == expected.hash, path
        count += 1
    assert count > 30


def make_ball(**options):
    s = carom.Scene(stopTime=1, **options)
    ground = s.world("ground", s.solid(shape=s.halfSpace(), contact="DryWood"))
    s.object("ball", s.solid(shape=s.sphere(radius=0.05), material="Steel", contact="Steel"), parent=ground,
             position=np.array([0, 0, 1.0]), free=True)
    return s


def test_numbers_of_numpy_are_numbers(tmp_path):
    s = carom.Scene(stopTime=np.float64(0.5), kRed=np.float32(1.0), contactDetection=np.bool_(True))
    s.world("w")
    s.object("a", carom.solid(shape=carom.hull(points=np.eye(4, 3)), mass=np.int32(2), group=np.uint32(3)), parent="w",
             free=True, position=(0, np.float64(1), 2))
    r = s.run()
    assert r.time[-1] == 0.5
    s.save(tmp_path / "m.json")
    assert carom.load(tmp_path / "m.json").hash == s.compile().hash


def test_errors_have_the_line_that_made_the_element():
    s = make_ball()
    line = inspect.currentframe().f_lineno + 1
    s.object("bad", s.solid(shape=s.sphere(radius=-1), material="Steel"), parent="ground")
    s.revolute("hinge", "nobody", "ball")
    s.contactPair("Steel", "Rubbr", cor=0.5, muK=0.1, muR=0)
    with pytest.raises(carom.ModelError) as caught:
        s.compile()
    messages = {m.path.split(".")[0]: m for m in caught.value.messages if m.path}
    assert messages["bad"].file == __file__ and messages["bad"].line == line
    assert messages["bad"].found == "-1" and messages["bad"].allowed == "> 0"
    assert messages["hinge"].line == line + 1 and messages["hinge"].found == "nobody"
    assert __file__ in str(caught.value)


def test_constructors_have_docstrings_hints_and_refuse_unknown_words():
    assert "coordinates at the start" in carom.Scene.revolute.__doc__
    assert "[m] radius" in carom.sphere.__doc__
    parameters = inspect.signature(carom.Scene.revolute).parameters
    assert list(parameters)[:4] == ["self", "name", "objectA", "objectB"] and "axis" in parameters
    assert all(p.annotation is not inspect.Parameter.empty for n, p in parameters.items() if n != "self")
    s = carom.Scene()
    with pytest.raises(TypeError, match="angel"):
        s.revolute("j", "a", "b", angel=3)
    with pytest.raises(TypeError):
        carom.sphere(radios=1)
    with pytest.raises(TypeError):
        s.object("a", 3)
    with pytest.raises(TypeError):
        s.object(3)
    with pytest.raises(carom.UsageError, match="not finite"):
        s.object("a", position=[0, 0, np.nan])
    with pytest.raises(TypeError, match="cannot hold"):
        s.object("a", position=object())


def test_assemblies_are_prefixes():
    s = carom.Scene()
    w = s.world("w")
    with s.assembly("robot", length=0.3) as robot:
        with s.assembly("arm"):
            bar = s.object("bar", s.solid(shape=s.box(size=[0.1, 0.1, 0.3]), material="Steel"))
            s.revolute("joint", w, bar)
    assert robot == "robot" and bar == "robot.arm.bar"
    model = s.compile()
    assert "robot.arm.bar" in model.objects and model.joints == ["robot.arm.joint"]
    assert "robot.arm.joint.angle" in model.variables


# ------------------------------------------------------------------------------------------------ functions

def make_oscillator(law, **sampled):
    s = carom.Scene()
    s.world("w")
    s.object("mass", s.mass(mass=1, inertia=[1, 1, 1]))
    s.jointSensor("x", joint="slide", quantity="position")
    if sampled:
        s.sampled("law", code=law, inputs={"x": "x"}, **sampled)
    else:
        s.userFunction("law", code=law, inputs={"x": "x"})
    s.prismatic("slide", "w", "mass", force="law", start=1)
    return s


def test_a_force_law_in_python_is_the_one_in_lua():
    python = make_oscillator(lambda t, x: -4 * x - x**3).run(stop=2, tol=1e-9)
    lua = make_oscillator("return -4 * x - x^3").run(stop=2, tol=1e-9)
    assert np.max(np.abs(python["slide.position"] - lua["slide.position"])) < 1e-13
    exact = make_oscillator(lambda t, x: -4 * x).run(stop=np.pi / 2, tol=1e-11)
    assert abs(exact["slide.position"][-1] + 1) < 1e-9  # cos 2 t


def test_a_sampled_controller_in_python_has_states():
    calls = []

    def control(t, x, states):
        calls.append(t)
        count, = states
        return -4 * x, (count + 1,)

    s = make_oscillator(control, period=0.1, state={"count": 0.0})
    s.output("counted", signal=s.pick("counter", signal="law", state="count"))
    result = s.run(stop=1, tol=1e-9)
    assert result["counted.value"][-1] == 11  # at 0, 0.1, ... 1
    assert max(calls) == pytest.approx(1.0)
    lua = make_oscillator("count = count + 1 return -4 * x", period=0.1, state={"count": 0}).run(stop=1, tol=1e-9)
    assert np.max(np.abs(result["slide.position"] - lua["slide.position"])) < 1e-13


def test_an_exception_in_a_function_ends_the_run_and_is_raised_with_its_traceback():
    class Broken(Exception):
        pass

    def law(t, x):
        if t > 0.5:
            raise Broken("no more")
        return 0.0

    model = make_oscillator(law).compile()
    late = model.simulation(start=0.4)
    for call in (lambda: model.run(stop=1), lambda: model.simulation().advance(1),
                 lambda: model.run(stop=1, threads=2), lambda: model.rates(1.0, [1, 0]), lambda: model.linearize(t=1.0),
                 lambda: model.rates(1.0, np.zeros((3, 2))), lambda: model.inverse_dynamics(t=1.0),
                 lambda: model.simulation(start=0.7), lambda: late.set_state([1, 0], time=0.8)):
        with pytest.raises(Broken, match="no more") as caught:
            call()
        assert "law" in [entry.name for entry in caught.traceback]
    with pytest.raises(TypeError):
        make_oscillator(lambda t: 1.0).run(stop=1)
    with pytest.raises((TypeError, ValueError)):
        make_oscillator(lambda t, x: "much").run(stop=1)
    with pytest.raises(ValueError, match="1 states, and returned 2"):
        make_oscillator(lambda t, x, s: (0.0, (1, 2)), period=0.1, state={"a": 0}).run(stop=1)
    with pytest.raises(carom.SimulationError):
        make_oscillator(lambda t, x: float("nan")).run(stop=1)


def test_ctrl_c_inside_functions_is_not_lost():
    model = make_oscillator(lambda t, x: -x).compile()
    points = np.zeros((100000, 2))
    for call in (lambda: model.rates(0.0, points), lambda: model.simulation(max_step=1e-4).advance(1e6)):
        timer = threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            for _ in range(1000):
                call()
        timer.join()


def test_functions_of_several_runs_in_several_threads_keep_their_exceptions_apart():
    def law(t, x):
        if threading.current_thread().name == "bad" and t > 0.2:
            raise ValueError("bad")
        return -x

    model = make_oscillator(law).compile()
    outcomes = {}

    def run(name):
        try:
            outcomes[name] = model.run(stop=1).exit
        except ValueError as error:
            outcomes[name] = str(error)

    threads = [threading.Thread(target=run, args=(f"{k}",), name=k) for k in ("good", "bad")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == {"good": "ok", "bad": "bad"}


def test_models_with_functions_have_pictures_and_outlive_their_scene(tmp_path):
    model = make_oscillator(lambda t, x: -x).compile()
    result = model.run(stop=0.5)
    result.save(tmp_path / "r.html")
    assert "slide" in (tmp_path / "r.html").read_text()
    with pytest.raises(carom.UsageError, match="no parameters"):
        s = carom.Scene()
        s.userFunction("f", code=lambda t: 0, parameters={"a": 1})
        s.compile()


def test_a_driveline_runs_up_with_its_motor():
    s = carom.Scene(gravity="none")
    w = s.world("w")
    rotor, load = s.shaft("rotor", w, inertia=1e-4), s.shaft("load", w, inertia=3e-4)
    s.motor("motor", rotor, voltage=s.constant("u", value=24), resistance=1, inductance=1e-3, torqueConstant=0.05)
    s.clutch("clutch", rotor, load, friction=2)
    s.brake("brake", load, friction=2, engagement=s.step("stop", height=1, start=3))
    simulation = s.compile().simulation(stop=4, tol=1e-8).advance(3)
    assert simulation["load.rate"] == pytest.approx(24 / 0.05, rel=1e-6)
    assert simulation["motor.current"] == pytest.approx(0, abs=1e-6)
    simulation.advance(4)
    assert simulation["load.rate"] == pytest.approx(0, abs=1e-6)
    assert simulation["motor.current"] == pytest.approx(24, rel=1e-6)  # stalled
