"""Actions: what is attached, released and deleted while Python holds the clock."""
import numpy as np
import pytest

import carom

G = 9.81


def make_model():
    s = carom.Scene()
    s.world("w")
    s.object("carrier", s.mass(mass=1, inertia=[1, 1, 1]), free=True)
    s.object("part", s.mass(mass=1, inertia=[1, 1, 1]), parent="carrier", position=[0, 0, 0.5])
    s.input("push")
    s.force("pull", "carrier", force=[1, 0, 0], factor="push")
    s.action("go", release="part")
    s.action("take", attach="part", to="carrier", maxSpeed=10)
    s.action("cut", delete="part")
    return s.compile()


def test_parts_are_released_attached_and_deleted():
    m = make_model()
    s = m.simulation(stop=2)
    s.advance(0.5)
    s.act("go")
    s.set_input("push", 2.0)
    s.advance(1.0)
    assert s["part.position"] == pytest.approx([0, 0, 0.5 - 0.5 * G], abs=1e-6)
    assert s["carrier.position"] == pytest.approx([0.25, 0, -0.5 * G], abs=1e-6)
    assert s.pose("part").position == pytest.approx(s["part.position"])
    assert len(s.state) == 26
    s.act("take")
    middle = 0.5 * (s.velocity("carrier") + s.velocity("part"))  # both have the same mass
    assert middle[3] == pytest.approx(0.5, abs=1e-9)
    assert len(s.state) == 13
    copy, saved = s.copy(), s.save()
    s.act("cut")
    assert np.isnan(s["part.position"]).all() and np.isnan(s["part.velocity.x"])
    assert np.isnan(s.pose("part").position).all() and np.isnan(s.velocity("part")).all()
    s.advance(1.5)
    copy.advance(1.5)
    assert copy["part.position"][0] > 0
    assert s.summary["actionCount"] == 3 and copy.summary["actionCount"] == 2
    s.restore(saved).advance(1.5)
    assert (s["part.position"] == copy["part.position"]).all()


def test_unknown_actions_are_refused():
    s = make_model().simulation(stop=1)
    with pytest.raises(carom.Error, match="no action 'grab'"):
        s.act("grab")
    with pytest.raises(TypeError):
        s.act(3)


def test_results_tell_of_actions():
    s = carom.Scene()
    s.world("w")
    s.object("a", s.mass(mass=1, inertia=[1, 1, 1]), free=True)
    s.object("b", s.mass(mass=1, inertia=[1, 1, 1]), parent="a", position=[1, 0, 0])
    s.action("go", release="b", time=0.25)
    s.action("cut", delete="b", time=0.5)
    r = s.run(stop=1)
    z = r["b.position.z"]
    assert np.isnan(z[r.time > 0.5]).all() and not np.isnan(z[r.time < 0.5]).any()
