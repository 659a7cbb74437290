"""Plots, reports, and what notebooks show."""
import html
import os
import subprocess
import sys

import pytest

import carom


@pytest.fixture
def result(examples):
    return carom.load(os.path.join(examples, "bouncing_ball.lua")).run(stop=1)


def test_plots_have_one_panel_a_unit(result, tmp_path):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    axes = result.plot("elastic.position", "elastic.velocity.z", "energy.kinetic")
    assert [a.get_ylabel() for a in axes] == ["[m]", "[m/s]", "[J]"]
    assert [line.get_label() for line in axes[0].lines] == [f"elastic.position.{c}" for c in "xyz"]
    assert len(axes[1].lines[0].get_xdata()) == len(result)
    axes[0].figure.savefig(tmp_path / "plot.png")
    assert (tmp_path / "plot.png").stat().st_size > 10000
    _, own = pyplot.subplots()
    assert result.plot("*.position.z", ax=own) is own and len(own.lines) == len(result.names("*.position.z"))
    pyplot.close("all")
    with pytest.raises(KeyError):
        result.plot("nobody")
    with pytest.raises(carom.UsageError):
        result.plot()


def test_without_matplotlib_and_pandas_the_error_says_what_to_install(result, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="python3-matplotlib"):
        result.plot("elastic.position")
    with pytest.raises(ImportError, match="python3-pandas"):
        result.to_pandas()


def test_a_report_is_a_whole_page_and_notebooks_show_it(result):
    page = result.report()
    assert page.lstrip().lower().startswith("<!doctype html>") and "bouncing_ball" in page
    shown = result._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and html.escape(page) in shown


def test_show_opens_the_browser(result, monkeypatch):
    import webbrowser
    opened = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    path = result.show()
    assert opened == ["file://" + path] and os.path.getsize(path) > 100000
    os.remove(path)


def test_a_model_shows_the_table_of_carom_info(examples, tool):
    path = os.path.join(examples, "four_bar.lua")
    model = carom.load(path)
    table = model._repr_html_()
    info = subprocess.run([tool, "info", path], check=True, capture_output=True, text=True).stdout
    size = model.size
    assert f"{size['stateCount']} states" in info and f"<td>states</td><td>{size['stateCount']}</td>" in table
    for joint in ("rev2", "rev3", "rev4"):
        assert joint in info and f"<td>{joint}</td><td>revolute" in table
    assert "four_bar" in table and "kg" in table and "cut" in table
    balls = carom.load(os.path.join(examples, "billiards.lua"))._repr_html_()
    assert "<td>BilliardCushion</td><td>BilliardBall</td><td>elastic</td><td>0.8</td>" in balls
    ports = carom.load(os.path.join(examples, "inverted_pendulum.lua"))._repr_html_()
    assert "<td>push</td><td>input</td>" in ports and "<td>tilt</td><td>output</td>" in ports


def test_names_cannot_end_the_page():
    s = carom.Scene()
    s.world("<script>alert(1)</script>")
    s.object("a", s.mass(mass=1, inertia=[1, 1, 1]))
    s.prismatic("<b>", "<script>alert(1)</script>", "a")
    table = s.compile()._repr_html_()
    assert "<script>" not in table and "&lt;b&gt;" in table
