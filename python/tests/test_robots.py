"""Robots of other formats: loaded by their names, with options as keyword arguments."""
import os
import pathlib

import numpy as np
import pytest

import carom


def test_robots_load_with_their_options(examples):
    arm = os.path.join(examples, "robots", "six_axis.urdf")
    fixed, loose = carom.load(arm), carom.load(arm, fixed=False, drives=False)
    assert len(fixed.inputs) == 7 and len(loose.inputs) == 0
    assert loose.mass_matrix().shape[0] == fixed.mass_matrix().shape[0] + 6
    with pytest.raises(carom.ModelError, match="a robot has no option 'fixt'"):
        carom.load(arm, fixt=True)


def test_inverse_dynamics_of_a_bare_robot_has_its_mass_matrix(examples):
    model = carom.load(os.path.join(examples, "robots", "hand.xml"), bare=True)
    zero = model.inverse_dynamics()
    matrix = model.mass_matrix()
    for i, column in enumerate(matrix.T):
        unit = np.eye(len(zero))[i]
        assert np.allclose(model.inverse_dynamics(a=unit) - zero, column, rtol=0, atol=1e-14)


def test_missing_meshes_are_an_error_or_left_out(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text("<robot><link name='a'><visual><geometry><mesh filename='none.stl'/></geometry></visual></link></robot>")
    with pytest.raises(carom.ModelError, match="is missing"):
        carom.load(path)
    with pytest.warns(carom.ModelWarning, match="left out"):
        carom.load(path, ignoreMissing=True)


def test_fmus_are_asked_for_and_checked(tmp_path):
    path = tmp_path / "m.lua"
    path.write_text("fmu('f', { file = 'no.fmu', period = 1 })\nworld('w')\n")
    with pytest.raises(carom.Error, match="cannot open"):
        carom.load(path)
    (tmp_path / "no.fmu").write_bytes(b"PK")
    with pytest.raises(carom.ModelError, match="is no FMU"):
        carom.load(path)
    carom.allow_fmus(True)
    carom.allow_fmus(False)


def test_models_read_meshes_outside_their_folder_with_leave_only(root, tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes/t.stl").write_bytes(pathlib.Path(root, "test/data/tetrahedron.stl").read_bytes())
    path = tmp_path / "model/m.lua"
    path.write_text("local w = world('w')\n"
                    "object('a', { parent = w, solid{ shape = mesh{ file = '../meshes/t.stl' }, mass = 1 } })")
    with pytest.raises(carom.ModelError, match="lies outside the model's folder"):
        carom.load(path)
    carom.load(path, allow_path=tmp_path / "meshes")
    carom.load(path, allow_path=["/nowhere", str(tmp_path / "meshes")])
