"""Mathematics of models against closed forms, against each other, and against scipy."""
import json
import os
import subprocess
import threading

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import carom


def load(examples, name, **settings):
    return carom.load(os.path.join(examples, name + ".lua"), **settings)


def make_arm(stops=None):
    """Two links of 0.5 m and 0.3 m that turn about y."""
    s = carom.Scene()
    s.world("w")
    s.object("upper", s.mass(mass=2, com=[0.25, 0, 0], inertia=[0.01, 0.05, 0.05]))
    s.object("elbowAt", parent="upper", position=[0.5, 0, 0])
    s.object("lower", s.mass(mass=1, com=[0.15, 0, 0], inertia=[0.01, 0.02, 0.02]))
    s.object("hand", parent="lower", position=[0.3, 0, 0])
    s.input("torque")
    s.jointSensor("angle", joint="shoulder", quantity="position")
    s.output("shoulderAngle", signal="angle")
    limits = dict(stopMin=stops[0], stopMax=stops[1], stopStiffness=100) if stops else {}
    s.revolute("shoulder", "w", "upper", axis="y", start=0.3, torque="torque")
    s.revolute("elbow", "elbowAt", "lower", axis="y", start=0.4, **limits)
    return s.compile()


@pytest.mark.parametrize("name", ["pendulum", "simple_pendulum", "spherical_pendulum", "two_mass_oscillator", "bushing",
                                  "planet", "tumbling_body"])
def test_scipys_solver_on_rates_agrees_with_a_run(examples, name):
    model = load(examples, name)
    result = model.run(stop=1, interval=0.25, tol=1e-13, atol=1e-14, event_rows=False, contact=False)
    y = model.start_state
    scipy = solve_ivp(model.rates, (0, 1), y, method="DOP853", rtol=1e-13, atol=1e-14, t_eval=result.time)
    ours = np.array([result[n] if n in result else np.full(len(result), np.nan) for n in model.state_names])
    known = ~np.isnan(ours).any(axis=1)
    assert known.sum() >= 2
    scale = np.maximum(1.0, np.abs(ours[known]).max())
    assert np.max(np.abs(scipy.y[known] - ours[known])) < 1e-9 * scale


def test_many_points_have_the_bits_of_single_ones(examples):
    model = load(examples, "double_pendulum")
    random = np.random.default_rng(1)
    y, t = random.normal(size=(5, 3, 4)), random.uniform(size=(5, 3))
    many = model.rates(t, y)
    assert many.shape == (5, 3, 4)
    for place in np.ndindex(5, 3):
        assert np.array_equal(many[place], model.rates(t[place], y[place]))
    assert np.array_equal(model.rates(0.0, y[0]), model.rates(np.zeros(3), y[0]))
    q = y[..., :2]
    assert model.mass_matrix(q).shape == (5, 3, 2, 2)
    assert np.array_equal(model.mass_matrix(q)[1, 2], model.mass_matrix(q[1, 2]))
    assert np.array_equal(model.jacobian("lower", q)[1, 2], model.jacobian("lower", q[1, 2]))
    assert np.array_equal(model.pose("lower", q).position[1, 2], model.pose("lower", q[1, 2]).position)
    forces = model.inverse_dynamics(q, y[..., 2:], np.ones(2))
    assert np.array_equal(forces[1, 2], model.inverse_dynamics(q[1, 2], y[1, 2, 2:], np.ones(2)))


def test_mass_matrix_inverse_dynamics_and_rates_agree():
    model = make_arm()
    random = np.random.default_rng(2)
    for _ in range(20):
        q, v, a = random.normal(size=(3, 2))
        M = model.mass_matrix(q)
        assert np.allclose(M, M.T, atol=1e-15) and np.all(np.linalg.eigvalsh(M) > 0)
        difference = model.inverse_dynamics(q, v, a) - model.inverse_dynamics(q, v, np.zeros(2))
        assert np.allclose(difference, M @ a, atol=1e-13)
        free = model.rates(0.0, np.concatenate([q, v]))[2:]
        assert np.allclose(model.inverse_dynamics(q, v, free), 0, atol=1e-12)
    simulation = model.simulation(state={"time": 0, "states": dict(zip(model.state_names, [0.3, 0.4, 1.0, -2.0]))})
    v = np.array([1.0, -2.0])
    assert simulation["energy.kinetic"] == pytest.approx(v @ model.mass_matrix([0.3, 0.4]) @ v / 2, rel=1e-13)


def test_jacobians_are_derivatives_of_poses():
    model = make_arm()
    q, h = np.array([0.7, -1.1]), 1e-6
    J = model.jacobian("hand", q)
    for k in range(2):
        d = np.eye(2)[k] * h
        ahead, behind = model.pose("hand", q + d), model.pose("hand", q - d)
        assert np.allclose((ahead.position - behind.position) / (2 * h), J[3:, k], atol=1e-9)
        spin = (ahead.rotation - behind.rotation) / (2 * h) @ model.pose("hand", q).rotation.T
        assert np.allclose([spin[2, 1], spin[0, 2], spin[1, 0]], J[:3, k], atol=1e-9)
    exact = [0.5 * np.cos(0.7) + 0.3 * np.cos(-0.4), 0, -0.5 * np.sin(0.7) - 0.3 * np.sin(-0.4)]
    assert np.allclose(model.pose("hand", q).position, exact, atol=1e-15)


def test_a_linear_model_has_the_matrices_of_its_closed_form():
    s = carom.Scene()
    s.world("w")
    s.object("mass", s.mass(mass=2, inertia=[1, 1, 1]))
    s.input("push")
    s.jointSensor("x", joint="slide", quantity="position")
    s.output("place", signal="x")
    s.prismatic("slide", "w", "mass", force="push", stiffness=8, damping=1, start=0.3)
    model = s.compile()
    linear = model.linearize()
    A, B, C, D = linear
    assert np.allclose(A, [[0, 1], [-4, -0.5]], atol=1e-10) and np.allclose(B, [[0], [0.5]], atol=1e-10)
    assert np.allclose(C, [[1, 0]], atol=1e-10) and np.allclose(D, [[0]], atol=1e-10)
    assert linear.states == ["slide.position", "slide.velocity"]
    assert linear.inputs == ["push"] and linear.outputs == ["place"] and linear.state[0] == 0.3 and linear.A is A
    rest = model.equilibrium(inputs={"push": 4})
    assert np.allclose(rest, [0.5, 0], atol=1e-10)
    assert np.allclose(model.equilibrium(), 0, atol=1e-10)  # inputs are those of the model again


def test_loops_are_closed_at_the_start(examples):
    model = load(examples, "four_bar", driven=0)
    y = model.start_state
    assert np.array_equal(y, model.simulation().state)
    assert np.all(np.isfinite(model.rates(0.0, y))) and model.linearize().A.shape == (len(y), len(y))


# --------------------------------------------------------------------------------------- inverse kinematics

def test_inverse_kinematics_finds_what_the_law_of_cosines_says():
    model = make_arm()
    angles = np.linspace(0, 2 * np.pi, 40)
    path = np.stack([0.45 + 0.15 * np.cos(angles), 0 * angles, 0.15 * np.sin(angles)], axis=1)
    q = model.inverse_kinematics({"hand": path}, [0.2, 0.6])
    assert q.shape == (40, 2)
    assert np.max(np.abs(model.pose("hand", q).position - path)) < 1e-9
    r = np.linalg.norm(path, axis=1)
    assert np.allclose(np.abs(q[:, 1]), np.arccos((r**2 - 0.34) / 0.3), atol=1e-7)
    assert np.max(np.abs(np.diff(q, axis=0))) < 0.5  # from each the nearest
    pose = model.pose("hand", [0.5, -0.9])
    assert np.allclose(model.inverse_kinematics({"hand": pose}, [0.3, -0.7]), [0.5, -0.9], atol=1e-8)
    assert np.allclose(model.inverse_kinematics({"hand": pose.matrix}, [0.3, -0.7]), [0.5, -0.9], atol=1e-8)
    turned = model.inverse_kinematics({"hand": pose.rotation}, [0.3, -0.7])
    assert turned.sum() == pytest.approx(-0.4, abs=1e-8)


def test_what_is_out_of_reach_or_beyond_stops_is_told():
    model = make_arm(stops=(0.2, 1.0))
    with pytest.raises(carom.ReachError, match="not reached") as caught:
        model.inverse_kinematics({"hand": [1.3, 0, 0]})
    far = np.sqrt(0.34 + 0.3 * np.cos(0.2))
    assert caught.value.distance == pytest.approx(1.3 - far, abs=1e-5) and caught.value.q[1] == pytest.approx(0.2)
    assert caught.value.messages[0].path == "hand"
    q = model.inverse_kinematics({"hand": [1.3, 0, 0]}, nearest=True, stops=False)
    assert np.linalg.norm(model.pose("hand", q).position) == pytest.approx(0.8, abs=1e-6)
    q = model.inverse_kinematics({"hand": [0.65, 0, 0]}, stops=False, limits=([-9, -1.5], [9, -0.5]))
    assert -1.5 <= q[1] <= -0.5
    for target, error in (({"nobody": [0, 0, 0]}, KeyError), ({"hand": [0, 0]}, carom.UsageError), ([0, 0, 0], TypeError),
                          ({"hand": ["a", "b", "c"]}, TypeError), ({"hand": np.ones((3, 3))}, carom.UsageError),
                          ({}, TypeError), ({"hand": [np.nan, 0, 0]}, carom.UsageError)):
        with pytest.raises(error):
            model.inverse_kinematics(target)
    for limits in (5, [0.1], ([-9, 1], [9, -1]), ([0, 0], [1, 1], [2, 2])):
        with pytest.raises(carom.UsageError, match="limit"):
            model.inverse_kinematics({"hand": [0.65, 0, 0]}, limits=limits)


# ------------------------------------------------------------------------------------------------ distance

def test_distances_are_those_of_closed_forms_and_of_the_tool(tool):
    sphere, box = carom.sphere(radius=1), carom.box(size=[1, 1, 1])
    one = carom.distance(sphere, [0, 0, 0], box, [3, 0, 0])
    assert float(one) == one.distance == pytest.approx(1.5, abs=1e-14)
    assert np.allclose(one.normal, [1, 0, 0]) and np.allclose(one.pointB, [2.5, 0, 0])
    heights = np.linspace(-2, 2, 9)
    poses = np.stack([0 * heights, 0 * heights, heights], axis=1)
    many = carom.distance(carom.sphere(radius=0.25), poses, carom.sphere(radius=0.5), [0, 0, 0])
    assert many.distance.shape == (9,) and many.normal.shape == (9, 3)
    assert np.allclose(many.distance, np.abs(heights) - 0.75)
    turned = carom.Pose([2, 0.3, 0.1], quaternion=[0.9, 0.1, 0.2, 0.3])
    answer = subprocess.run([tool, "distance", json.dumps(box), '{"position":[0,0,0]}', json.dumps(sphere),
                             json.dumps({"position": [2, 0.3, 0.1], "quaternion": [0.9, 0.1, 0.2, 0.3]})],
                            check=True, capture_output=True, text=True)
    expected = json.loads(answer.stdout)
    own = carom.distance(box, {"position": [0, 0, 0]}, sphere, turned)
    assert own.distance == pytest.approx(expected["distance"], abs=1e-14)
    for wrong, error in ((carom.sphere(radius=-1), carom.ModelError), ("sphere", TypeError), ({"type": "x"}, carom.ModelError)):
        with pytest.raises(error):
            carom.distance(wrong, [0, 0, 0], box, [0, 0, 0])
    for wrong, error in (([0, 0], carom.UsageError), (["a"] * 3, TypeError), ([np.nan, 0, 0], carom.UsageError),
                         ({"place": 0}, carom.UsageError)):
        with pytest.raises(error):
            carom.distance(sphere, wrong, box, [0, 0, 0])


# -------------------------------------------------------------------------------------------------- misuse

def test_wrong_shapes_and_dtypes_get_exceptions(examples):
    model = load(examples, "double_pendulum")
    n = len(model.start_state)
    for y in (np.zeros(n - 1), np.zeros((2, n + 1)), 3.0, np.zeros(0)):
        with pytest.raises(carom.UsageError):
            model.rates(0.0, y)
    for y in (["a"] * n, np.zeros(n, complex), [None] * n, "text", np.zeros(n, "M8[s]"), np.zeros(n, bool), object()):
        with pytest.raises(TypeError):
            model.rates(0.0, y)
    for t in ("0", None, 1j, [0, 0, 0]):
        with pytest.raises((TypeError, ValueError)):
            model.rates(t, np.zeros(n))
    assert np.array_equal(model.rates(0, [0] * n), model.rates(0.0, np.zeros(n)))
    assert np.array_equal(model.rates(0, np.zeros(n, np.float32)), model.rates(0.0, np.zeros(n)))
    spread = np.zeros((4, 2 * n))[:, ::2]
    assert model.rates(0.0, spread).shape == (4, n) and model.rates(0.0, spread[0]).shape == (n,)
    assert model.rates(np.zeros(0), np.zeros((0, n))).shape == (0, n)
    for call in (lambda: model.rates(0.0, np.full(n, np.nan)), lambda: model.rates(0.0, np.full((3, n), np.inf))):
        with pytest.raises(carom.Error):
            call()
    for call in (lambda: model.mass_matrix(np.zeros(7)), lambda: model.jacobian("lower", np.zeros((2, 7))),
                 lambda: model.inverse_dynamics(np.zeros(2), np.zeros(3)),
                 lambda: model.inverse_dynamics(np.zeros(2), np.zeros(2), np.zeros(5)),
                 lambda: model.linearize(np.zeros((2, n))), lambda: model.equilibrium(np.zeros(3)),
                 lambda: model.inverse_dynamics(np.zeros((2, 2)), np.zeros((3, 2)))):
        with pytest.raises(ValueError):
            call()
    with pytest.raises(KeyError):
        model.jacobian("nobody")
    with pytest.raises(KeyError):
        model.rates(0.0, np.zeros(n), inputs={"nobody": 1})
    model.close()
    for call in (lambda: model.rates(0.0, np.zeros(n)), model.mass_matrix, model.linearize, lambda: model.start_state):
        with pytest.raises(carom.UsageError, match="closed"):
            call()


def test_threads_share_a_model(examples):
    model = load(examples, "double_pendulum")
    y = np.random.default_rng(3).normal(size=(200, 4))
    expected = model.rates(0.0, y)
    wrong = []

    def work():
        for _ in range(30):
            if not np.array_equal(model.rates(0.0, y), expected) or not np.array_equal(model.rates(0.0, y[7]), expected[7]):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
