"""Nothing grows: cycles of load, run, free, 10^3 of them, or as many as CAROM_CYCLES says (10^5 take some minutes)."""
import ctypes
import gc
import os
import sys

import pytest

import carom

CYCLES = int(os.environ.get("CAROM_CYCLES", "1000"))
PAGE = os.sysconf("SC_PAGESIZE")


class MallInfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks",
                                                     "uordblks", "fordblks", "keepcost")]


def measure():
    """(bytes of malloc in use, blocks of Python, resident bytes)"""
    gc.collect()
    libc = ctypes.CDLL(None)
    libc.mallinfo2.restype = MallInfo
    info = libc.mallinfo2()
    with open("/proc/self/statm", encoding="ascii") as file:
        resident = int(file.read().split()[1]) * PAGE
    return info.uordblks + info.hblkhd, sys.getallocatedblocks(), resident


def assert_steady(cycle, count, capsys, name):
    for _ in range(max(20, count // 20)):
        cycle()
    before = measure()
    for _ in range(count):
        cycle()
    after = measure()
    grown = [b - a for a, b in zip(before, after)]
    with capsys.disabled():
        print(f"\n  {name}, {count} cycles: {grown[0]} bytes of malloc, {grown[1]} blocks of Python, {grown[2]} bytes resident")
    assert grown[0] < 65536 and grown[1] < 1000 and grown[2] < 4e6


def test_load_run_free_does_not_grow(tmp_path, capsys):
    path = tmp_path / "ball.lua"
    path.write_text('world("w", { solid{ shape = halfSpace{}, contact = "Steel" } })\n'
                    'object("ball", { parent = "w", position = { 0, 0, 0.06 }, free = true,\n'
                    '  solid{ shape = sphere{ radius = 0.05 }, material = "Steel", contact = "Steel" } })\n')

    def cycle():
        result = carom.load(path).run(stop=0.1, interval=0.05)
        assert len(result.contacts) >= 1 and result["ball.position"].shape[1] == 3

    assert_steady(cycle, CYCLES, capsys, "load, run, free")


def test_everything_else_does_not_grow(examples, capsys):
    path = os.path.join(examples, "double_pendulum.lua")

    def law(t, x):
        if t > 0.05:
            raise ValueError("enough")
        return -x

    def cycle():
        model = carom.load(path)
        simulation = model.simulation().advance(0.01)
        saved = simulation.save()
        simulation.copy().advance(0.02)
        simulation.restore(saved).set_state(simulation.state)
        model.rates(0.0, model.start_state), model.linearize(), model.inverse_kinematics({"lowerTip": [0.3, 0, 0]},
                                                                                        nearest=True, attempts=1)
        with pytest.raises(carom.ModelError):
            carom.load(path, nonsense=1)
        s = carom.Scene()
        s.world("w")
        s.object("a", s.mass(mass=1, inertia=[1, 1, 1]))
        s.jointSensor("x", joint="slide", quantity="position")
        s.userFunction("law", code=law, inputs={"x": "x"})
        s.prismatic("slide", "w", "a", force="law")
        with pytest.raises(ValueError):
            s.compile().run(stop=0.1)
        carom.rollout(model, [{}, {}], threads=2, stop=0.01, interval=0.01)

    assert_steady(cycle, max(50, CYCLES // 20), capsys, "all else")
