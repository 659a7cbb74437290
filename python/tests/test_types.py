"""What a type checker, and so an editor, knows of the package."""
import os
import shutil
import subprocess

import pytest

GOOD = '''import carom
m = carom.load("x.lua", height=1.2)
a: carom.Result = m.run(stop=3, tol=1e-8)
b: carom.Pose = m.simulation().advance(1).pose("hand")
s = carom.Scene(stopTime=1)
c: str = s.revolute("joint", "a", "b", axis="y", start=0.5)
s.object("ball", s.solid(shape=carom.sphere(radius=0.1), material="Steel"), free=True)
d: carom.Result = s.compile().run()
e: float = carom.distance(carom.sphere(radius=1), [0, 0, 0], carom.box(size=[1, 1, 1]), [3, 0, 0]).__float__()
'''
BAD = '''import carom
s = carom.Scene(stoptime=1)
s.revolute("joint", "a", "b", axs="y")
s.contactPair("a", "b", cor=1, muK=0, muR=0, response="hard")
carom.sphere(radius="much")
carom.load("x.lua").ran()
'''


def check(program, tmp_path, root):
    path = tmp_path / "program.py"
    path.write_text(program)
    answer = subprocess.run(["mypy", "--ignore-missing-imports", "--cache-dir", str(tmp_path / "cache"), str(path)],
                            capture_output=True, text=True, env={**os.environ, "MYPYPATH": os.path.join(root, "python")})
    return [line for line in answer.stdout.splitlines() if ": error:" in line]


@pytest.mark.skipif(shutil.which("mypy") is None, reason="mypy is not installed")
def test_a_type_checker_accepts_what_is_right_and_finds_what_is_wrong(tmp_path, root):
    assert check(GOOD, tmp_path, root) == []
    errors = check(BAD, tmp_path, root)
    assert [int(line.split(":")[1]) for line in errors] == [2, 3, 4, 5, 6]
    assert 'did you mean "axis"' in errors[1]
