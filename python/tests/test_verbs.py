"""The verbs of mathematics: what the tool prints is what the library computes, and errors have their exit codes."""
import json
import os
import subprocess

import numpy as np
import pytest

import carom


def call(tool, *arguments, code=0):
    answer = subprocess.run([tool, *map(str, arguments)], capture_output=True, text=True)
    assert answer.returncode == code, answer.stderr
    return json.loads(answer.stdout) if answer.stdout else answer.stderr


def test_linearize_prints_the_matrices(tool, examples, tmp_path):
    path = os.path.join(examples, "inverted_pendulum.lua")
    said, model = call(tool, "linearize", path), carom.load(path)
    own = model.linearize()
    for name in "ABCD":
        assert np.array_equal(np.array(said[name]).reshape(getattr(own, name).shape), getattr(own, name)), name
    assert said["states"] == own.states and said["inputs"] == own.inputs and said["outputs"] == own.outputs
    assert list(said["state"].values()) == own.state.tolist()
    pushed = call(tool, "linearize", path, "--input", f"{own.inputs[0]}=3", "--time", 0.5)
    assert np.array_equal(pushed["A"], model.linearize(t=0.5, inputs={own.inputs[0]: 3}).A)


def test_equilibrium_is_a_state_to_go_on_from(tool, examples, tmp_path):
    path, saved = os.path.join(examples, "pendulum.lua"), tmp_path / "rest.json"
    said = call(tool, "equilibrium", path, "--save-state", saved)
    assert all(abs(value) < 1e-9 for value in said["state"].values())
    subprocess.run([tool, "run", path, "--start", str(saved), "--stop", "1", "--out", str(tmp_path / "r"), "--quiet",
                    "--no-report"], check=True)
    result = carom.open(tmp_path / "r")
    assert np.max(np.abs(result["*.angle"])) < 1e-9
    linear = call(tool, "linearize", path, "--equilibrium")
    again = call(tool, "linearize", path, "--start", saved)
    assert np.allclose(linear["A"], again["A"], atol=1e-9)
    falls = tmp_path / "falls.lua"
    falls.write_text('world("w")\nobject("a", { parent = "w", free = true, mass{ mass = 1, inertia = { 1, 1, 1 } } })\n')
    assert "no static equilibrium" in call(tool, "equilibrium", falls, code=3)


def test_inverse_dynamics_prints_what_holds_the_model(tool, examples):
    path = os.path.join(examples, "double_pendulum.lua")
    model = carom.load(path)
    said = call(tool, "inverse-dynamics", path, "--acceleration", "shoulder.rate=1.5")
    forces = model.inverse_dynamics(a=[1.5, 0])
    assert [f["force"] for f in said["forces"]] == forces.tolist()
    assert [f["rate"] for f in said["forces"]] == ["shoulder.rate", "elbow.rate"]
    assert said["forces"][0]["acceleration"] == 1.5


def test_ik_prints_coordinates(tool, examples, tmp_path):
    path = os.path.join(examples, "double_pendulum.lua")
    model = carom.load(path)
    goal = model.pose("lowerTip", [0.4, 0.9])
    saved = tmp_path / "reached.json"
    said = call(tool, "ik", path, "--object", "lowerTip", "--position", ",".join(map(repr, goal.position.tolist())),
                "--save-state", saved)
    assert said["reached"] and said["distance"] < 1e-9
    q = [said["state"][name] for name in ("shoulder.angle", "elbow.angle")]
    assert np.allclose(model.pose("lowerTip", q).position, goal.position, atol=1e-9)
    assert json.loads(saved.read_text())["states"]["elbow.angle"] == q[1]
    both = call(tool, "ik", path, "--object", "lowerTip", "--position", ",".join(map(repr, goal.position.tolist())),
                "--quaternion", ",".join(map(repr, goal.quaternion.tolist())))
    assert both["reached"] and both["angle"] < 1e-9
    far = subprocess.run([tool, "ik", path, "--object", "lowerTip", "--position", "9,0,0"], capture_output=True, text=True)
    assert far.returncode == 3 and "not reached" in far.stderr and json.loads(far.stdout)["reached"] is False


@pytest.mark.parametrize("verb", ["linearize", "equilibrium", "inverse-dynamics", "ik"])
def test_usage_errors_and_wrong_models_are_told(tool, examples, tmp_path, verb):
    path = os.path.join(examples, "pendulum.lua")
    assert "the model is missing" in call(tool, verb, code=2)
    assert "one argument too many" in call(tool, verb, path, path, code=2)
    assert "unknown option" in call(tool, verb, path, "--nonsense", code=2)
    assert "needs a value" in call(tool, verb, path, "--time", code=2)
    assert "needs a number" in call(tool, verb, path, "--time", "soon", code=2)
    assert "needs name=value" in call(tool, verb, path, "--set", "x", code=2)
    assert "needs name=value" in call(tool, verb, path, "--input", "x", code=2)
    assert "no input 'x'" in call(tool, verb, path, "--input", "x=1", code=1)
    assert "cannot open" in call(tool, verb, tmp_path / "none.lua", code=1)
    assert "error" in call(tool, verb, path, "--start", tmp_path / "none.json", code=1)
    state = tmp_path / "state.json"
    state.write_text('{"caromState": 1, "time": 0, "states": {"nobody": 1}}')
    assert "no state 'nobody'" in call(tool, verb, path, "--start", state, code=1)
    help_ = subprocess.run([tool, verb, "--help"], check=True, capture_output=True, text=True).stdout
    assert help_.startswith(f"usage: carom {verb}") and "example:" in help_


def test_options_of_single_verbs_are_checked(tool, examples):
    path = os.path.join(examples, "pendulum.lua")
    assert "are needed" in call(tool, "ik", path, code=2)
    assert "no object 'x'" in call(tool, "ik", path, "--object", "x", "--position", "0,0,0", code=2)
    for option, value in (("--position", "1,2"), ("--quaternion", "0,0,0,0"), ("--point", "a,b,c"), ("--tolerance", "-1")):
        assert "cannot be" in call(tool, "ik", path, option, value, code=2)
    assert "no rate 'x'" in call(tool, "inverse-dynamics", path, "--acceleration", "x=1", code=2)
    assert "is no number" in call(tool, "inverse-dynamics", path, "--acceleration", "pivot.rate=fast", code=2)
    assert "cannot be" in call(tool, "inverse-dynamics", path, "--acceleration", "x", code=2)
