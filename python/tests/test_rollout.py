"""Ensembles: many runs, the bits of single ones."""
import os
import signal
import threading
import time

import numpy as np
import pytest

import carom


def test_runs_have_the_bits_of_single_ones_whatever_the_threads(examples):
    path = os.path.join(examples, "billiards.lua")
    model = carom.load(path, gap=2e-4)
    speeds = [1.0, 1.5, 2.0, 2.5, 3.0]
    options = dict(stop=1, interval=0.1, record=["cue.position.*", "ball1.position.*"])
    rollouts = [carom.rollout(model, {"speed": speeds}, threads=threads, **options) for threads in (1, 3, 8)]
    first = rollouts[0]
    assert first.values.shape == (5, 11, 6) and len(first) == 5 and first.errors == [None] * 5
    for other in rollouts[1:]:
        assert other.values.tobytes() == first.values.tobytes()
    for i, speed in enumerate(speeds):
        single = carom.load(path, gap=2e-4, speed=speed).run(event_rows=False, **options)
        assert np.array_equal(first.time, single.time)
        for column in single.columns:
            assert np.array_equal(first[column][i], single[column])
        assert np.array_equal(first["cue.position"][i], single["cue.position"])
    assert first.settings[2] == {"speed": 2.0}
    with pytest.raises(KeyError):
        first["nobody"]


def test_models_and_inputs_will_do_as_well(examples):
    models = []
    for height in (1.0, 2.0):
        s = carom.Scene(stopTime=0.5, interval=0.1)
        s.world("w")
        s.object("a", s.mass(mass=1, inertia=[1, 1, 1]), parent="w", position=[0, 0, height], free=True)
        models.append(s.compile())
    fallen = carom.rollout(models, [{}, {}], threads=2)
    assert np.allclose(fallen["a.position.z"][:, -1], [1 - 9.81 / 8, 2 - 9.81 / 8])
    pendulum = carom.load(os.path.join(examples, "inverted_pendulum.lua"))
    pushed = carom.rollout(pendulum, [{}] * 3, inputs=[{pendulum.inputs[0]: u} for u in (-1, 0, 1)], stop=0.3,
                           interval=0.1, record="slide.position")
    assert np.all(np.diff(pushed["slide.position"][:, -1]) > 0)


def test_runs_that_fail_are_told_and_the_others_are_there(examples, tmp_path):
    path = tmp_path / "fails.lua"
    path.write_text('local p = parameters{ till = 9 }\nworld("w")\nobject("a", { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n'
                    'userFunction("law", { parameters = { till = p.till }, code = "if time > till then error() end return 1" })\n'
                    'prismatic("slide", "w", "a", { force = "law" })\n')
    out = carom.rollout(carom.load(path), {"till": [9, 0.45, 9]}, stop=1, interval=0.1)
    assert [error is None for error in out.errors] == [True, False, True]
    assert isinstance(out.errors[1], carom.SimulationError)
    values = out["slide.position"]
    assert np.all(np.isfinite(values[[0, 2]])) and np.isfinite(values[1, 3]) and np.isnan(values[1, -1])
    with pytest.raises(carom.SimulationError):
        carom.rollout(carom.load(path), {"till": [-1]}, stop=1)
    pendulum = carom.load(os.path.join(examples, "double_pendulum.lua"))
    out = carom.rollout(pendulum, {"length1": [1.0, -1.0]}, stop=0.1, interval=0.1)  # not even a model
    assert out.errors[0] is None and isinstance(out.errors[1], carom.ModelError)
    assert np.isfinite(out.values[0]).all() and np.isnan(out.values[1]).all()


def test_what_cannot_be_meant_is_refused(examples):
    model = carom.load(os.path.join(examples, "billiards.lua"))
    for settings, error in (([1, 2], TypeError), ({"speed": [1], "gap": [1, 2]}, carom.UsageError), ({"speed": 1}, TypeError)):
        with pytest.raises(error):
            carom.rollout(model, settings)
    with pytest.raises(carom.UsageError, match="2 settings and 1 models"):
        carom.rollout([model], [{}, {}])
    with pytest.raises(TypeError, match="a Model"):
        carom.rollout([model, None], [{}, {}])
    faster = carom.rollout([model, model], [{}, {"speed": 1.0}], stop=0.1, interval=0.1, record="cue.velocity.x")
    assert abs(faster["cue.velocity.x"][1, 0]) < abs(faster["cue.velocity.x"][0, 0])
    with pytest.raises(carom.UsageError):
        carom.rollout(model, {"speed": [1]}, threads=0)
    with pytest.raises(carom.ModelError):
        carom.rollout(model, {"speeed": [1]})
    s = carom.Scene()
    s.world("w")
    with pytest.raises(carom.UsageError, match="parameters of a file"):
        carom.rollout(s.compile(), {"speed": [1]})


def test_ctrl_c_ends_all_runs(examples):
    model = carom.load(os.path.join(examples, "double_pendulum.lua"))
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        carom.rollout(model, [{}] * 6, threads=2, stop=1e6, interval=1e3, tol=1e-10)
    assert time.monotonic() - began < 10
    timer.join()
