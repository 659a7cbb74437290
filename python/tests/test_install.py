"""`pip install ./python` without a network, and what `make install` puts where Debian's python3 looks."""
import os
import subprocess
import sys

PROGRAM = ("import carom, carom._library as l; "
           "print(l.folder, len(carom.load({model!r}).run(stop=0.1, interval=0.05, event_rows=False)))")


def clean_environment(**more):
    keep = {k: v for k, v in os.environ.items() if k not in ("CAROM_LIBRARY_PATH", "PYTHONPATH", "DESTDIR")}
    return {**keep, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_ROOT_USER_ACTION": "ignore", **more}


def test_pip_installs_offline_into_a_virtual_environment(root, examples, tmp_path):
    venv = tmp_path / "the venv"
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", str(venv)], check=True)
    python = venv / "bin" / "python"
    env = clean_environment()
    subprocess.run([str(python), "-m", "pip", "install", "-q", "--no-cache-dir", os.path.join(root, "python")], check=True,
                   env=env, cwd=tmp_path)
    program = PROGRAM.format(model=os.path.join(examples, "pendulum.lua"))
    said = subprocess.run([str(python), "-c", program], check=True, env=env, cwd=tmp_path, capture_output=True, text=True)
    folder, rows = said.stdout.rsplit(" ", 1)
    assert folder.startswith(str(venv)) and folder.endswith("carom/lib") and int(rows) == 3
    listed = subprocess.run([str(python), "-m", "pip", "show", "-f", "carom"], check=True, env=env, capture_output=True,
                            text=True).stdout
    assert "carom/py.typed" in listed and "carom/_declarations.pyi" in listed


def test_make_install_puts_it_where_debians_python_looks(root, examples, tmp_path):
    build = os.path.dirname(os.environ["CAROM_TOOL"])
    subprocess.run(["cmake", "--install", build, "--prefix", str(tmp_path)], check=True, capture_output=True)
    version = "%d.%d" % sys.version_info[:2]
    site = tmp_path / "lib" / f"python{version}" / "dist-packages"
    assert f"/usr/local/lib/python{version}/dist-packages" in sys.path  # with the default PREFIX
    program = PROGRAM.format(model=os.path.join(examples, "pendulum.lua"))
    said = subprocess.run([sys.executable, "-c", program], check=True, env=clean_environment(PYTHONPATH=str(site)),
                          cwd=tmp_path, capture_output=True, text=True)
    assert said.stdout.startswith(str(site / "carom" / "lib"))
    subprocess.run(["cmake", "--install", build, "--prefix", "/usr"], check=True, capture_output=True,
                   env={**os.environ, "DESTDIR": str(tmp_path / "stage")})
    assert (tmp_path / "stage/usr/lib/python3/dist-packages/carom/__init__.py").exists()


def test_a_wheel_without_libraries_is_for_all_machines(root, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(os.path.join(root, "python", "backend"))
    import carom_backend
    monkeypatch.setattr(carom_backend, "LIBRARIES", str(tmp_path / "none"))
    assert carom_backend.build_wheel(str(tmp_path)).endswith("-py3-none-any.whl")
    first = (tmp_path / carom_backend.build_wheel(str(tmp_path))).read_bytes()
    assert first == (tmp_path / carom_backend.build_wheel(str(tmp_path))).read_bytes()
    assert (tmp_path / carom_backend.build_sdist(str(tmp_path))).stat().st_size > 10000
