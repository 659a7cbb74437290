"""Whatever the caller does gets an exception, never a crash: random calls with nonsense, in a process of their own."""
import os
import subprocess
import sys

import pytest

PROGRAM = r'''
import copy, inspect, os, pickle, random, sys, warnings
import numpy as np
import carom

warnings.simplefilter("ignore")
examples, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
random.seed(seed)
np.random.seed(seed)
path = os.path.join(examples, "bouncing_ball.lua")

def junk():
    return random.choice([None, True, -1, 0, 3, 0.25, -0.5, float("nan"), float("inf"), -float("inf"), 2**70, -2**70, "", "x",
                          "elastic", "elastic.position", "*", "\0", "\ud800", "a" * 5000, b"bytes", [], [1, 2, 3], (0, 0, 1), {},
                          {"elastic": [0, 0, 1]}, {"time": 0, "states": {}}, {"x": object()}, object(), object, len, 1j,
                          np.zeros(0), np.zeros(3), np.zeros((2, 3)), np.eye(3), np.eye(4), np.zeros(26), np.zeros((4, 26)),
                          np.zeros(26, "f4"), np.zeros(26, complex), np.array(["a"]), np.array([None]), np.zeros(26)[::-1],
                          np.full(26, np.nan), np.array(0.5), np.float32(0.25), np.int8(1), np.zeros((3, 2), order="F"),
                          carom.sphere(radius=1), carom.Pose(), carom.box(size=[1, 1, 1]), [[1, 2], [3]], range(3), memoryview(b"ab"),
                          carom.load(path)])

def make():
    model = carom.load(path)
    simulation = model.simulation(stop=2).advance(0.5)
    scene = carom.Scene()
    scene.world("w")
    result = model.run(stop=0.6, interval=0.1)
    return [model, simulation, scene, result, carom, carom.Pose(), carom.rollout(model, [{}], stop=0.1, interval=0.1)]

SLOW = {"show", "rollout", "save", "open"}  # they open browsers, make threads, or write files of any name
things = make()
done = refused = 0
for i in range(count):
    if i % 200 == 0:
        things = make()
    thing = random.choice(things)
    names = [n for n in dir(thing) if (not n.startswith("_") or n in ("__getitem__", "__contains__", "__len__", "__iter__",
             "__repr__", "__copy__", "__init__", "_repr_html_")) and n not in SLOW]
    name = random.choice(names)
    arguments = [junk() for _ in range(random.choice([0, 1, 1, 2, 2, 3, 4]))]
    try:
        value = getattr(thing, name)
        if callable(value):
            parameters = list(inspect.signature(value).parameters.values()) if not isinstance(value, type) else []
            keywords = {p.name: junk() for p in parameters if p.kind is p.KEYWORD_ONLY and random.random() < 0.15}
            value = value(*arguments, **keywords)
        repr(value)
        done += 1
    except Exception:
        refused += 1
for way in (copy.copy, copy.deepcopy, pickle.dumps):
    for thing in things[:4]:
        try:
            repr(way(thing))
        except Exception:
            pass
print("done", done, "refused", refused)
'''


@pytest.mark.parametrize("seed", range(4))
def test_nonsense_gets_exceptions(examples, seed):
    count = int(os.environ.get("CAROM_NONSENSE", "1500"))
    answer = subprocess.run([sys.executable, "-X", "dev", "-c", PROGRAM, examples, str(seed), str(count)],
                            capture_output=True, text=True, timeout=500,
                            env={**os.environ, "PYTHONPATH": os.path.join(os.path.dirname(__file__), "..")})
    assert answer.returncode == 0, (answer.returncode, answer.stderr[-3000:])
    assert answer.stdout.startswith("done") and "ignored" not in answer.stderr, answer.stderr[-3000:]


def test_objects_that_live_until_the_end_leave_quietly(examples):
    program = ("import carom, os\nm = carom.load(os.path.join(%r, 'billiards.lua'))\nr = m.run(stop=0.1)\n"
               "s = m.simulation().advance(0.1)\nc = s.copy()\nm.rates(0.0, m.start_state)\nx = r.contacts\n"
               "scene = carom.Scene()\nscene.world('w')\nscene.object('a', scene.mass(mass=1, inertia=[1, 1, 1]))\n"
               "scene.userFunction('f', code=lambda t: 1.0)\nscene.prismatic('p', 'w', 'a', force='f')\n"
               "k = scene.compile(); q = k.simulation().advance(0.1)\nring = [k, q]; ring.append(ring)\n" % examples)
    answer = subprocess.run([sys.executable, "-X", "dev", "-W", "error", "-c", program], capture_output=True, text=True,
                            env={**os.environ, "PYTHONPATH": os.path.join(os.path.dirname(__file__), "..")})
    assert (answer.returncode, answer.stderr) == (0, "")


def make_law(law):
    import carom
    s = carom.Scene()
    s.world("w")
    s.object("a", s.mass(mass=1, inertia=[1, 1, 1]))
    s.userFunction("law", code=law)
    s.prismatic("slide", "w", "a", force="law")
    return s.compile()


# Each level needs a stack of C, which sys.setrecursionlimit does not know of: it ended in a segmentation fault.
def test_functions_that_call_themselves_through_the_library_end():
    program = ("import sys, test_misuse\nsys.setrecursionlimit(10**6)\n"
               "m = test_misuse.make_law(lambda t: m.rates(t, [0.0, 0.0])[1])\n"
               "try:\n    m.rates(0.0, [0.0, 0.0])\nexcept RecursionError as error:\n    print(error)\n")
    here = os.path.dirname(__file__)
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                            env={**os.environ, "PYTHONPATH": os.pathsep.join((os.path.join(here, ".."), here))})
    assert answer.returncode == 0 and "calls itself" in answer.stdout, answer


def test_what_a_function_raises_comes_out_of_a_run_whatever_it_is():
    for kind in (KeyboardInterrupt, SystemExit, ZeroDivisionError):
        def law(t, kind=kind):
            if t > 0.05:
                raise kind
            return 1.0
        model = make_law(law)
        with pytest.raises(kind):
            model.run(stop=1)
        with pytest.raises(kind):
            model.simulation().advance(1)


# 72 bytes were copied from whatever the rotation was set to.
def test_poses_that_were_changed_are_read_within_their_bounds():
    import numpy as np
    import carom
    pose = carom.Pose(quaternion=[1, 2, 3, 4])
    right = pose.quaternion
    for kind in ("f4", object, list):
        turned = carom.Pose(quaternion=[1, 2, 3, 4])
        turned.rotation = turned.rotation.tolist() if kind is list else turned.rotation.astype(kind)
        assert np.allclose(turned.quaternion, right, atol=1e-6)
    pose.rotation = np.eye(2)
    with pytest.raises(carom.UsageError):
        pose.quaternion


def test_a_simulation_cannot_be_entered_from_its_own_functions():
    import carom
    inside = {}

    def law(t, x):
        if "simulation" in inside:
            inside["simulation"].advance(9)
        return -x

    s = carom.Scene()
    s.world("w")
    s.object("a", s.mass(mass=1, inertia=[1, 1, 1]))
    s.jointSensor("x", joint="slide", quantity="position")
    s.userFunction("law", code=law, inputs={"x": "x"})
    s.prismatic("slide", "w", "a", force="law", start=1)
    simulation = s.compile().simulation()
    inside["simulation"] = simulation
    with pytest.raises(carom.UsageError, match="in use"):
        simulation.advance(1)
