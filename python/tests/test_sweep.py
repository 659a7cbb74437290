"""Sweeps from Python: arrays with the bits of single runs."""
import os

import numpy as np
import pytest

import carom

OUTPUT = ["last(elastic.position.z)", "count(contacts)", "series(elastic.position.z, 7)"]


def test_a_sweep_gives_arrays_with_the_bits_of_single_runs(examples):
    path = os.path.join(examples, "bouncing_ball.lua")
    table = carom.sweep(path, {"cor": "uniform(0.4, 0.9)", "height": [0.5, 1.0]}, OUTPUT, runs=8, seed=3, stop=1,
                        threads=2)
    assert len(table) == 8 and table.ok.all() and table.folder is None
    assert np.array_equal(table.runs, np.arange(8))
    assert table["series(elastic.position.z)"].shape == (8, 7)
    assert set(table["height"]) == {0.5, 1.0}
    assert np.array_equal(table["cor"][0::2], table["cor"][1::2])  # each sample at all points of the list
    for i in (0, 5):
        single = carom.load(path, cor=float(table["cor"][i]), height=float(table["height"][i])).run(stop=1)
        assert single["elastic.position.z"][-1] == table["last(elastic.position.z)"][i]
        assert len(single.contacts) == table["count(contacts)"][i]
    assert np.array_equal(table["series(elastic.position.z)"][:, -1], table["last(elastic.position.z)"])


def test_a_folder_keeps_a_sweep(examples, tmp_path):
    path, folder = os.path.join(examples, "bouncing_ball.lua"), tmp_path / "kept.sweep"
    model = carom.load(path, kRed=0.1)
    first = carom.sweep(model, {"cor": [0.5, 0.7]}, OUTPUT, stop=0.5, folder=folder)
    again = carom.sweep(model, {"cor": [0.5, 0.7]}, OUTPUT, stop=0.5, folder=folder)
    read = carom.open_sweep(folder)
    for other in (again, read):
        assert other["last(elastic.position.z)"].tobytes() == first["last(elastic.position.z)"].tobytes()
        assert np.array_equal(other.cpu_seconds, first.cpu_seconds)  # nothing was run again
    assert list(first.frame().columns)[:2] == ["ok", "cor"] and len(first.frame()) == 2


def test_texts_are_inputs_and_failed_runs_are_rows(examples):
    path = os.path.join(examples, "bouncing_ball.lua")
    table = carom.sweep(path, {"formula": ["flores", "exact", "none"]}, ["count(contacts)"], stop=0.5)
    assert list(table["formula"]) == ["flores", "exact", "none"]
    assert list(table.ok) == [True, True, False]
    assert "formula" in table.messages[2] and np.isnan(table["count(contacts)"][2])


def test_what_is_wrong_is_raised(examples):
    path = os.path.join(examples, "bouncing_ball.lua")
    with pytest.raises(carom.ModelError, match="did you mean 'cor'"):
        carom.sweep(path, {"core": [1, 2]}, ["count(contacts)"])
    with pytest.raises(carom.ModelError, match="no such variable"):
        carom.sweep(path, {"cor": [0.5]}, ["last(ball.position.z)"])
    with pytest.raises(carom.FileError):
        carom.sweep("none.lua", {"cor": [0.5]}, ["count(contacts)"])
    with pytest.raises(carom.FileError):
        carom.open_sweep("none.sweep")
    with pytest.raises(TypeError):
        carom.sweep(path, {"cor": 0.5}, ["count(contacts)"])
    with pytest.raises(carom.UsageError):
        carom.sweep(path, {"cor": [0.5]}, ["count(contacts)"], threads=0)
    with pytest.raises(KeyError):
        carom.sweep(path, {"cor": [0.5]}, ["count(contacts)"], stop=0.1)["cr"]


# Least squares of scipy on runs of the model: another optimizer, other differences.
def test_a_fit_agrees_with_scipy_on_a_ball(examples, tmp_path):
    optimize = pytest.importorskip("scipy.optimize")
    path = tmp_path / "ball.lua"
    path.write_text("""local p = parameters{ cor = 0.7, mu = 0.3 }
scene{ stopTime = 1.2, interval = 0.02, eventRows = 'off' }
contactPair('Steel', 'DryWood', { cor = p.cor, muK = p.mu, muR = 0.001 })
local room = world('room')
object('table', { parent = room, position = { 5, 0, -0.05 },
  solid{ shape = box{ size = { 20, 1, 0.1 } }, contact = 'DryWood' } })
object('ball', { parent = room, position = { 0, 0, 0.4 }, velocity = { 8, 0, 0 }, free = true,
  solid{ shape = sphere{ diameter = 0.04 }, material = 'Steel', contact = 'Steel' } })
""")

    def run(cor, mu):
        result = carom.load(path, cor=float(cor), mu=float(mu)).run(tol=1e-9, record=["ball.position.*"])
        return result.time[1:], result["ball.position.x"][1:], result["ball.position.z"][1:]

    noise = np.random.default_rng(4)
    time, x, z = run(0.72, 0.17)
    x, z = x + 0.002 * noise.standard_normal(x.size), z + 0.002 * noise.standard_normal(z.size)
    with open(tmp_path / "ball.csv", "w") as file:
        file.write("time [s],ball.position.x [m],ball.position.z [m]\n")
        file.writelines(f"{float(a)!r},{float(b)!r},{float(c)!r}\n" for a, b, c in zip(time, x, z))
    (tmp_path / "fit.lua").write_text("fit{ model = 'ball.lua', parameters = { cor = { 0.4, 0.95, start = 0.65 }, "
                                      "mu = { 0.05, 0.5, start = 0.25 } }, "
                                      "experiments = { { data = 'ball.csv', deviation = 0.002 } } }")

    def residuals(p):
        _, a, b = run(*p)
        return np.concatenate([a - x, b - z]) / 0.002

    other = optimize.least_squares(residuals, [0.65, 0.25], jac="3-point", diff_step=1e-4, xtol=1e-14, ftol=1e-14,
                                   gtol=1e-14)
    degrees = residuals(other.x).size - 2
    errors = np.sqrt(np.diag(2 * other.cost / degrees * np.linalg.inv(other.jac.T @ other.jac)))
    own = carom.fit(tmp_path / "fit.lua")
    for name, value, error in zip(("cor", "mu"), other.x, errors):
        print(name, own[name].value, value, error)
        assert abs(own[name].value - value) < 1e-3 * error
        assert abs(own[name].error / error - 1) < 0.01


@pytest.mark.parametrize("handle", [None, 3, "table", object()])
def test_tables_are_made_by_sweeps_alone(handle):
    with pytest.raises(TypeError, match="made by carom.sweep"):
        carom.Sweep(None, handle)
