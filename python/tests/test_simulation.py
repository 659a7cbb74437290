"""Stepping from outside: the bits of a run, saving, branching, starting anew."""
import copy
import gc
import json
import os
import signal
import subprocess
import threading
import time

import numpy as np
import pytest

import carom


@pytest.fixture
def billiards(examples):
    return carom.load(os.path.join(examples, "billiards.lua"))


def test_stepping_gives_the_bits_of_a_run(billiards):
    result = billiards.run(stop=1, interval=0.1, event_rows=False)
    simulation = billiards.simulation(stop=1)
    for i, t in enumerate(result.time):
        simulation.advance(t)
        assert simulation["cue.position.x"] == result["cue.position.x"][i]
        assert np.array_equal(simulation["ball3.position"], result["ball3.position"][i])
    assert simulation.time == 1.0
    pose = simulation.pose("cue")
    assert np.array_equal(pose.position, result["cue.position"][-1])
    assert np.allclose(pose.rotation @ pose.rotation.T, np.eye(3), atol=1e-14)
    quaternion = result["cue.orientation"][-1]
    assert np.allclose(pose.quaternion, quaternion * np.sign(quaternion[0]), atol=1e-12)
    assert np.array_equal(pose.matrix[:3, 3], pose.position)
    assert np.allclose(simulation.velocity("cue")[3:], result["cue.velocity"][-1])
    assert simulation.acceleration("cue").shape == (6,)


def test_ctrl_c_is_heard_during_a_long_advance(examples):
    model = carom.load(os.path.join(examples, "double_pendulum.lua"))
    simulation = model.simulation(tol=1e-10)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        simulation.advance(1e6)
    timer.join()
    reached = simulation.time
    assert 0 < reached < 1e6
    state = simulation.state  # it goes on, with the bits of one that was not disturbed
    assert np.array_equal(model.simulation(tol=1e-10).advance(reached).state, state)


def test_contacts_now_are_told(billiards):
    simulation = billiards.simulation().advance(0.1)
    contacts = simulation.contacts
    assert len(contacts) == 16 and set(contacts["objectA"]) == {"table"}
    weight = 0.2 * 9.81
    assert np.allclose(contacts["normalForce"], contacts["force"][:, 2])
    assert np.all(abs(contacts["normalForce"] - weight) < 0.01) and np.all(contacts["time"] == 0.1)


def test_saving_restoring_and_copying_go_on_bit_by_bit(billiards):
    simulation = billiards.simulation(stop=2).advance(0.45)
    saved = simulation.save()
    assert isinstance(saved, bytes) and len(saved) > 1000
    branch = simulation.copy()
    other, deep = copy.copy(simulation), copy.deepcopy(simulation)
    simulation.advance(1)
    expected = simulation.state
    assert np.array_equal(deep.advance(1).state, expected)
    assert np.array_equal(branch.advance(1).state, expected)
    assert np.array_equal(other.advance(1).state, expected)
    simulation.restore(saved)
    assert simulation.time == 0.45
    assert np.array_equal(simulation.advance(1).state, expected)
    fresh = billiards.simulation(stop=2).restore(saved)
    assert np.array_equal(fresh.advance(1).state, expected)
    for bad in (saved[:-1], b"", b"nonsense" * 100, saved[:100] + b"\0" + saved[101:]):
        with pytest.raises((carom.FileError, carom.UsageError, carom.ModelError)):
            fresh.restore(bad)
    assert np.array_equal(fresh.state, expected)  # what is refused changes nothing
    with pytest.raises(TypeError):
        fresh.restore("text")


def test_a_simulation_starts_anew_from_states(examples):
    model = carom.load(os.path.join(examples, "double_pendulum.lua"))
    simulation = model.simulation(tol=1e-11).advance(0.7)
    state = simulation.state
    assert len(model.state_names) == len(state) == model.size["stateCount"]
    portable = simulation.portable_state
    assert portable["time"] == 0.7
    assert list(portable["states"].values()) == state.tolist() and list(portable["states"]) == model.state_names
    ahead = simulation.advance(1.2).state
    simulation.set_state(state, time=0.7)
    assert simulation.time == 0.7 and np.array_equal(simulation.state, state)
    assert np.allclose(simulation.advance(1.2).state, ahead, atol=1e-8)
    again = model.simulation(tol=1e-11, state=json.loads(json.dumps(portable))).advance(1.2)
    assert np.allclose(again.state, ahead, atol=1e-8)
    simulation.reset()
    assert simulation.time == 0 and np.array_equal(simulation.state, model.start_state)
    result = model.run(stop=1.2, state=portable, tol=1e-11)
    assert result.time[0] == 0.7
    for wrong in (state[:-1], np.zeros((2, len(state))), "text", [1 + 2j] * len(state), {"time": 0}):
        with pytest.raises((carom.UsageError, TypeError)):
            simulation.set_state(wrong)
    with pytest.raises(carom.ModelError):
        simulation.set_state({"time": 0, "states": {"nobody": 1.0}})


def test_states_that_cannot_be_meant_are_refused(examples):
    model = carom.load(os.path.join(examples, "bouncing_ball.lua"))
    simulation = model.simulation().advance(1.0)
    while not len(simulation.contacts):
        simulation.advance(simulation.time + 2e-4)
    state = simulation.portable_state
    assert model.simulation(state=state).time == state["time"]
    contact = state["contacts"][0]
    for wrong, error in (({"states": "x"}, TypeError), ({"contacts": ["x"]}, TypeError), ({"contacts": [{}]}, carom.UsageError),
                         ({"contacts": [{**contact, "featureA": 2**40}]}, carom.UsageError), ({"nonsense": 1}, carom.UsageError),
                         ({"contacts": [{**contact, "isSettled": "x"}]}, carom.UsageError)):
        with pytest.raises(error):
            model.simulation(state={**state, **wrong})


def test_contacts_go_on_from_a_portable_state(billiards):
    simulation = billiards.simulation().advance(0.3)
    portable = simulation.portable_state
    assert len(portable["contacts"]) == 16
    other = billiards.simulation(state=portable)
    assert len(other.contacts) == 16
    assert np.allclose(other.advance(0.35).state, simulation.advance(0.35).state, atol=1e-6)


def test_states_are_exchanged_with_the_tool(examples, tool, tmp_path):
    path, saved, own = os.path.join(examples, "billiards.lua"), tmp_path / "tool.json", tmp_path / "own.json"
    run = [tool, "run", path, "--quiet", "--no-report"]
    subprocess.run([*run, "--stop", "0.3", "--out", str(tmp_path / "a.run"), "--save-state", str(saved)], check=True)
    model = carom.load(path)
    theirs = json.loads(saved.read_text())
    simulation = model.simulation(state=theirs)
    assert simulation.time == 0.3 and len(simulation.contacts) == 16
    with open(own, "w", encoding="utf-8") as file:
        json.dump(simulation.advance(0.4).portable_state, file, allow_nan=False)
    subprocess.run([*run, "--stop", "0.5", "--out", str(tmp_path / "b.run"), "--start", str(own)], check=True)
    result = carom.open(tmp_path / "b.run")
    assert result.time[0] == 0.4
    assert np.allclose(result["cue.position"][-1], simulation.advance(0.5)["cue.position"], atol=1e-6)
    with pytest.raises(carom.UsageError, match="format 2"):
        model.simulation(state={**theirs, "caromState": 2})


def test_inputs_and_outputs(examples):
    model = carom.load(os.path.join(examples, "inverted_pendulum.lua"))
    assert model.inputs and model.outputs
    simulation = model.simulation()
    name = model.inputs[0]
    simulation.set_input(name, 0.25)
    assert simulation.input(name) == 0.25
    simulation.advance(0.1)
    assert np.isfinite(simulation.output(model.outputs[0]))
    for call in (lambda: simulation.set_input("nobody", 1), lambda: simulation.output("nobody"),
                 lambda: simulation.pose("nobody"), lambda: simulation["nobody.x"]):
        with pytest.raises(KeyError):
            call()
    for value in (np.nan, np.inf):
        with pytest.raises(carom.UsageError):
            simulation.set_input(name, value)
    for value in ("1", None, True, [1, 2]):
        with pytest.raises(TypeError):
            simulation.set_input(name, value)
    started = model.simulation(inputs={name: 0.5})
    assert started.input(name) == 0.5
    with pytest.raises(KeyError):
        model.run(stop=0.1, inputs={"nobody": 1})


def test_times_that_cannot_be_meant_are_refused(billiards):
    simulation = billiards.simulation(stop=1).advance(0.2)
    for t in (0.1, 2.0, float("nan"), float("inf"), -1):
        with pytest.raises(carom.UsageError):
            simulation.advance(t)
    for t in ("1", None, [1], 1j):
        with pytest.raises(TypeError):
            simulation.advance(t)
    assert simulation.time == 0.2
    for options in ({"tol": -1}, {"tol": 2}, {"stop": -1}, {"interval": -1}, {"max_step": -1}, {"threads": 0},
                    {"threads": 1000}, {"solver": "nobody"}, {"islands": "yes"}, {"stop": float("nan")}):
        with pytest.raises((carom.UsageError, carom.ModelError)):
            billiards.simulation(**options)
        with pytest.raises((carom.UsageError, carom.ModelError)):
            billiards.run(**options)


def test_closing_twice_is_harmless_and_closed_objects_say_so(billiards):
    simulation = billiards.simulation()
    with simulation as same:
        assert same is simulation
    simulation.close()
    for call in (lambda: simulation.advance(1), lambda: simulation.time, lambda: simulation.state, simulation.save,
                 simulation.copy, simulation.reset, lambda: simulation.contacts, lambda: simulation.pose("cue"),
                 lambda: simulation.set_state(np.zeros(208)), lambda: simulation.restore(b""),
                 lambda: simulation["cue.position.x"]):
        with pytest.raises(carom.UsageError, match="closed"):
            call()
    assert "closed" in repr(simulation)
    simulation = billiards.simulation()
    billiards.close()
    billiards.close()
    simulation.advance(0.1)  # lives on the model that it holds
    with pytest.raises(carom.UsageError, match="closed"):
        billiards.run()
    with pytest.raises(carom.UsageError, match="closed"):
        simulation.copy()
    del billiards
    gc.collect()
    simulation.advance(0.2)


def test_threads_that_share_a_simulation_get_exceptions(examples):
    model = carom.load(os.path.join(examples, "double_pendulum.lua"))
    simulation = model.simulation(tol=1e-12)
    refused, done = [], threading.Event()

    def disturb():
        while not done.is_set():
            for call in (lambda: simulation.state, lambda: simulation.time, simulation.save, simulation.close,
                         lambda: simulation.set_input, lambda: simulation["energy.kinetic"]):
                if done.is_set():
                    return
                try:
                    call()
                except carom.UsageError as error:
                    refused.append(str(error))
            time.sleep(0)

    thread = threading.Thread(target=disturb)
    thread.start()
    try:
        for t in np.arange(5, 400, 5.0):
            simulation.advance(t)
    except carom.UsageError as error:
        refused.append(str(error))
    done.set()
    thread.join()
    assert refused and all("in use" in text or "closed" in text for text in refused)


def test_results_closed_in_the_middle_do_no_harm(billiards):
    for _ in range(20):
        result = billiards.run(stop=0.05)
        thread = threading.Thread(target=lambda r=result: [r.close() for _ in range(3)])
        thread.start()
        try:
            for _ in range(50):
                result.contacts, result["*.position.x"], result.columns, result.summary, result.time
        except carom.UsageError as error:
            assert "closed" in str(error)
        thread.join()


def test_rings_of_objects_are_taken_apart_in_any_order(examples):
    for _ in range(20):
        s = carom.Scene()
        s.world("w")
        s.object("a", s.mass(mass=1, inertia=[1, 1, 1]))
        ring = {}
        s.userFunction("law", code=lambda t, ring=ring: 0.0 if ring else 1.0)
        s.prismatic("slide", "w", "a", force="law")
        model = s.compile()
        simulation = model.simulation().advance(0.1)
        ring.update(s=s, model=model, simulation=simulation, result=model.run(stop=0.1))
        del s, model, simulation, ring
    gc.collect()
