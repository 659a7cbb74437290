"""The Python of README.md and docs/python.md runs, and comes to what it says."""
import os
import sys

import numpy as np
import pytest

from conftest import ROOT

sys.path.insert(0, os.path.join(ROOT, "python"))
from run_document import list_sections, run_blocks  # noqa: E402

DOCUMENT = os.path.join(ROOT, "docs", "python.md")
SECTIONS = list_sections(DOCUMENT)


def check_calibration(names):  # v = sqrt(2 g h), t = 2 cor v / g
    assert names["cor"] == pytest.approx(0.6 * 9.81 / (2 * np.sqrt(2 * 9.81)), rel=2e-3)


def check_fit(names):
    assert names["length"] == pytest.approx(0.8, abs=2e-3) and names["damping"] == pytest.approx(0.12, abs=2e-3)


def check_monte_carlo(names):
    assert names["e"].values.shape[0] == 40 and 1e-3 < names["spread"]["ball1"] < 1


def check_table(names):
    assert list(names["table"].columns) == ["steps", "fastest", "lost"] and names["table"]["steps"].min() > 10


def check_loop(names):
    assert abs(names["tilt"]) < 1e-2 and abs(names["place"]) < 0.1


def check_poles(names):
    assert np.allclose(np.sort(names["poles"].real), [-3.5, -3, -2.5, -2], atol=1e-4)
    assert abs(names["r"]["hinge.angle"][-1]) < 1e-2


def check_scipy(names):
    assert names["difference"] < 1e-9


def check_branches(names):
    assert names["best"] in names["pushes"] and names["s"].time == 0.5


def check_robot(names):
    assert np.abs(names["m"].pose("lowerTip", names["q"]).position - names["path"]).max() < 1e-9
    assert names["torques"].shape == (101, 2)


def check_animation(names):
    assert "<script" in names["page"]


def check_process(names):
    assert names["r"].time[0] == 0.4


RECIPES = {"Calibrate a coefficient of restitution": check_calibration,
           "Fit parameters to a measured motion": check_fit, "Monte Carlo": check_monte_carlo,
           "A table of variants": check_table, "A controller in the loop": check_loop,
           "Linearize and place poles": check_poles, "Solvers of scipy on the equations of motion": check_scipy,
           "Branches: try before you act": check_branches, "A robot follows a line": check_robot,
           "Animate in a notebook": check_animation, "Stop and go on in another process": check_process}


@pytest.fixture
def workplace(tmp_path, monkeypatch):
    (tmp_path / "docs" / "figures").mkdir(parents=True)
    os.symlink(os.path.join(ROOT, "examples"), tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    import matplotlib.pyplot
    matplotlib.pyplot.close("all")


@pytest.mark.parametrize("title", RECIPES)
def test_recipes_come_to_what_they_say(title, workplace):
    RECIPES[title](run_blocks(DOCUMENT, SECTIONS[title]))


def test_all_other_blocks_run(workplace):
    assert len(RECIPES) >= 10
    namespace = None
    for title, blocks in SECTIONS.items():
        if title not in RECIPES:
            namespace = run_blocks(DOCUMENT, blocks, namespace)


def test_the_readme_draws_its_picture(workplace):
    path = os.path.join(ROOT, "README.md")
    blocks = list_sections(path)["In Python"]
    assert sum(len(code.splitlines()) for _, code in blocks) <= 10
    run_blocks(path, blocks)
    assert (workplace / "docs" / "figures" / "python.png").stat().st_size > 10000
    assert os.path.exists(os.path.join(ROOT, "docs", "figures", "python.png"))
