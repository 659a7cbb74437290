"""Loading, running, results: the same numbers as the tool's, in arrays that belong to numpy."""
import gc
import os
import signal
import subprocess
import threading
import time

import numpy as np
import pytest

import carom


def test_a_run_has_the_bits_of_the_tool(examples, tool, tmp_path):
    for name, settings in (("billiards", {"speed": 2.0}), ("four_bar", {}), ("inverted_pendulum", {})):
        model = os.path.join(examples, name + ".lua")
        folder = tmp_path / name
        arguments = [f"--set={key}={value}" for key, value in settings.items()]
        subprocess.run([tool, "run", model, "--out", str(folder), "--no-report", "--quiet", *arguments], check=True)
        ours, tools = carom.load(model, **settings).run(), carom.open(folder)
        assert ours.columns == tools.columns
        assert np.array_equal(ours.time, tools.time)
        for column in ours.columns:
            assert np.array_equal(ours[column], tools[column], equal_nan=True), column
        mine, theirs = ours.contacts, tools.contacts
        assert mine.dtype == theirs.dtype and mine.tobytes() == theirs.tobytes()
        assert ours.summary["solver"] == tools.summary["solver"]


def test_a_pendulum_swings_as_the_closed_form_says(examples):
    model = carom.load(os.path.join(examples, "simple_pendulum.lua"))
    result = model.run(stop=2, tol=1e-11, interval=0.01)
    energy = result.energy
    total = energy["kinetic"] + energy["potential"]
    assert np.ptp(total) < 1e-9 * np.max(energy["kinetic"])
    assert result.time[-1] == 2.0 and len(result) == 201


def test_columns_are_found_by_name_vector_and_pattern(examples):
    result = carom.load(os.path.join(examples, "billiards.lua")).run(stop=0.1)
    n = len(result)
    assert result["cue.position"].shape == (n, 3)
    assert result["cue.orientation"].shape == (n, 4)
    assert np.allclose(np.linalg.norm(result["cue.orientation"], axis=1), 1.0)
    assert result["cue.position.x"].shape == (n,)
    assert np.array_equal(result["cue.position"][:, 0], result["cue.position.x"])
    balls = result["ball?.position.x"]
    assert balls.shape == (n, 9) and len(result.names("ball?.position.x")) == 9
    assert "cue.position" in result and "cue.colour" not in result
    assert result.unit("cue.velocity") == "m/s"
    with pytest.raises(KeyError, match="'cue.positio'.*did you mean"):
        result["cue.positio"]
    with pytest.raises(TypeError):
        result[3]


def test_arrays_outlive_result_and_model(examples):
    model = carom.load(os.path.join(examples, "two_balls.lua"))
    result = model.run(stop=0.2)
    time_, contacts, column = result.time, result.contacts, result[result.columns[0]]
    kept = [time_.copy(), contacts.copy(), column.copy()]
    assert all(array.flags.owndata and array.flags.writeable for array in (time_, column))
    result.close()
    model.close()
    result.close()
    model.close()
    del result, model
    gc.collect()
    for array, copy in zip((time_, contacts, column), kept):
        assert array.tobytes() == copy.tobytes()


def test_contacts_events_and_poses_tell_what_happened(examples):
    result = carom.load(os.path.join(examples, "bouncing_ball.lua")).run()
    contacts = result.contacts
    assert len(contacts) > 3 and set(contacts["objectA"]) == {"table"}
    first = contacts[contacts["objectB"] == "elastic"][0]
    assert abs(first["begin"] - np.sqrt(2 * 0.95 / 9.81)) < 1e-6  # falls by 0.95 m
    assert 0.6 < first["restitution"] < 0.9
    events = result.events
    assert np.all(np.diff(events["time"]) >= 0)
    assert np.count_nonzero(events["kind"] == "contact begins") == len(contacts)
    samples = result.contact_samples
    assert np.all(samples["normalForce"] >= 0) and np.all(samples["row"] < len(result))
    assert np.array_equal(result.time[samples["row"]], samples["time"])
    poses = result.poses["elastic"]
    assert np.allclose(poses[:, :3], result["elastic.position"], atol=1e-6)
    kinds = result.row_kinds
    assert np.count_nonzero(kinds == "before") == np.count_nonzero(kinds == "after") > 0


def test_what_is_recorded_can_be_chosen(examples):
    model = carom.load(os.path.join(examples, "billiards.lua"))
    result = model.run(stop=0.1, record=["cue.position.*", "energy.*"], event_rows=False, interval=0.05)
    assert result.columns == ["cue.position.x", "cue.position.y", "cue.position.z"] + [
        f"energy.{name}" for name in ("kinetic", "potential", "elastic", "dissipated", "work", "unexplained")]
    assert np.array_equal(result.time, [0.0, 0.05, 0.1])
    with pytest.raises(carom.ModelError, match="no variable"):
        model.run(stop=0.1, record="cue.colour")


def test_results_are_saved_and_opened(examples, tmp_path):
    result = carom.load(os.path.join(examples, "bouncing_box.lua")).run(stop=0.5)
    path = tmp_path / "x.h5"
    result.save(path)
    other = carom.open(path)
    assert other.columns == result.columns and other.complete and other.exit == "ok"
    for column in result.columns:
        assert np.array_equal(other[column], result[column], equal_nan=True)
    assert other.contacts.tobytes() == result.contacts.tobytes()
    assert other.contact_samples.tobytes() == result.contact_samples.tobytes()
    assert other.summary["energy"] == result.summary["energy"]
    for ending in ("csv", "mat", "html", "glb"):
        result.save(tmp_path / f"x.{ending}")
        assert (tmp_path / f"x.{ending}").stat().st_size > 1000
    header = (tmp_path / "x.csv").read_text().splitlines()[0]
    assert header.startswith("time [s],")
    with pytest.raises(carom.UsageError, match="does not end in"):
        result.save(tmp_path / "x.doc")
    with pytest.raises(carom.FileError):
        result.save(tmp_path / "no" / "x.h5")
    with pytest.raises(carom.FileError):
        carom.open(tmp_path / "no.h5")
    (tmp_path / "bad.h5").write_bytes(b"nonsense")
    with pytest.raises(carom.FileError):
        carom.open(tmp_path / "bad.h5")


def test_pandas_has_all_columns(examples):
    pandas = pytest.importorskip("pandas")
    result = carom.load(os.path.join(examples, "two_balls.lua")).run(stop=0.1)
    frame = result.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == result.columns
    assert np.array_equal(frame.index, result.time)


def test_json_models_are_read_as_well(examples, tool, tmp_path):
    path = tmp_path / "p.json"
    subprocess.run([tool, "convert", os.path.join(examples, "pendulum.lua"), str(path)], check=True)
    a = carom.load(path).run(stop=1)
    b = carom.load(os.path.join(examples, "pendulum.lua")).run(stop=1)
    assert all(np.array_equal(a[c], b[c]) for c in b.columns)


def test_model_errors_have_addresses(tmp_path):
    path = tmp_path / "wrong.lua"
    path.write_text('world("w")\nobject("a", { parent = "w", free = true,\n'
                    '  solid{ shape = sphere{ radius = -1 }, material = "Steel" } })\nobject("b", { parent = "nobody" })\n'
                    'object("c", { parent = "w", free = true, solid{ shape = sphere{ radius = 1 }, material = "Stel" } })\n')
    with pytest.raises(carom.ModelError) as caught:
        carom.load(path)
    messages = caught.value.messages
    assert len(messages) >= 3
    radius = next(m for m in messages if m.found == "-1")
    assert radius.severity == "error" and radius.file == str(path) and radius.line in (2, 3)
    assert radius.path.startswith("a") and radius.allowed == "> 0" and radius.unit == "m"
    assert any(m.hint and "Steel" in m.hint for m in messages)
    assert any(m.path == "b" and m.line == 4 for m in messages)
    assert str(path) in str(caught.value)
    with pytest.raises(carom.ModelError) as caught:
        (tmp_path / "syntax.lua").write_text("world(\n")
        carom.load(tmp_path / "syntax.lua")
    assert caught.value.messages[0].line in (1, 2)
    with pytest.raises(carom.FileError):
        carom.load(tmp_path / "none.lua")
    with pytest.raises(carom.ModelError, match="no such parameter"):
        carom.load(os.path.join(os.path.dirname(__file__), "..", "..", "examples", "billiards.lua"), speeed=1)


def test_warnings_are_pythons(tmp_path):
    path = tmp_path / "open.lua"
    path.write_text('world("w")\ncontactPair("Steel", "Steel", { cor = 0.5, muK = 0, muR = 0, kRed = 2 })\n')
    with pytest.warns(carom.ModelWarning):
        model = carom.load(path)
    assert any(m.severity == "warning" for m in model.messages)


def test_a_failing_run_keeps_what_there_is(tmp_path):
    path = tmp_path / "fails.lua"
    path.write_text('world("w")\nobject("a", { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n'
                    'userFunction("law", { code = "if time > 0.5 then error(\\"enough\\") end return 1" })\n'
                    'prismatic("slide", "w", "a", { force = "law" })\n')
    model = carom.load(path)
    with pytest.raises(carom.SimulationError) as caught:
        model.run(stop=1)
    assert 0.3 < caught.value.result.time[-1] <= 0.5
    assert caught.value.result.exit == "failed"


def test_ctrl_c_stops_between_steps_and_keeps_what_there_is(examples):
    model = carom.load(os.path.join(examples, "double_pendulum.lua"))
    before = signal.getsignal(signal.SIGINT)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    began = time.monotonic()
    result = model.run(stop=1e6, interval=0.01, tol=1e-10, progress=False)
    assert time.monotonic() - began < 5.0
    timer.join()
    assert result.exit == "interrupted" and not result.complete
    assert len(result) > 10 and result.time[-1] < 1e6
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize("kind", [signal.SIGALRM, signal.SIGUSR1, signal.SIGHUP])
def test_what_handlers_of_signals_raise_comes_through(examples, kind):
    class Enough(Exception):
        pass

    def stop(_number, _frame):
        raise Enough("enough")

    before = signal.signal(kind, stop)
    timer = threading.Timer(0.2, lambda: os.kill(os.getpid(), kind))
    try:
        timer.start()
        with pytest.raises(Enough, match="enough"):
            carom.load(os.path.join(examples, "double_pendulum.lua")).run(stop=1e6, interval=0.01, tol=1e-10)
        assert signal.getsignal(kind) is stop
    finally:
        timer.join()
        signal.signal(kind, before)


def test_the_progress_bar_is_shown_where_someone_looks(examples, capsys, monkeypatch):
    from carom import _progress
    monkeypatch.setattr(_progress, "PATIENCE", 0.0)
    monkeypatch.setattr(_progress, "REFRESH", 0.0)
    model = carom.load(os.path.join(examples, "double_pendulum.lua"))
    model.run(stop=300, interval=1, tol=1e-10, progress=True)
    drawn = capsys.readouterr().err
    assert "█" in drawn and "of 300 s" in drawn and drawn.endswith("\r")
    model.run(stop=300, interval=1, tol=1e-10)
    assert capsys.readouterr().err == ""


def test_terminals_and_notebooks_have_a_bar_by_themselves(examples, monkeypatch):
    import io
    import sys
    import types
    from carom import _progress

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    class ZMQInteractiveShell:
        pass

    monkeypatch.setattr(_progress, "PATIENCE", 0.0)
    monkeypatch.setattr(_progress, "REFRESH", 0.0)
    model = carom.load(os.path.join(examples, "double_pendulum.lua"))
    streams = [Terminal(), io.StringIO(), io.StringIO()]
    for i, stream in enumerate(streams):
        if i == 2:  # Jupyter's kernel
            monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=ZMQInteractiveShell))
        monkeypatch.setattr(sys, "stderr", stream)
        model.run(stop=100, interval=1, tol=1e-10)
    assert ["█" in stream.getvalue() for stream in streams] == [True, False, True]


def test_other_threads_go_on_during_a_run(examples):
    model = carom.load(os.path.join(examples, "double_pendulum.lua"))
    count = 0
    done = threading.Event()
    thread = threading.Thread(target=lambda: (model.run(stop=1000, interval=1, tol=1e-10), done.set()))
    thread.start()
    while not done.is_set():
        count += 1
        time.sleep(0.001)
    thread.join()
    assert count > 20  # the GIL was free most of the time
