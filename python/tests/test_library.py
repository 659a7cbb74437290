"""Where the libraries are looked for, and what is said when they are not there."""
import os
import shutil
import subprocess
import sys

PROGRAM = "import carom._library as l; print(l.folder)"


def run_python(package, environment, expect=0):
    clean = {k: v for k, v in os.environ.items() if k not in ("CAROM_LIBRARY_PATH", "PKG_CONFIG_PATH", "PYTHONPATH")}
    answer = subprocess.run([sys.executable, "-c", PROGRAM], env={**clean, "PYTHONPATH": str(package), **environment},
                            capture_output=True, text=True)
    assert (answer.returncode != 0) == (expect != 0), answer.stderr
    return answer.stdout.strip() if expect == 0 else answer.stderr


def copy_package(root, tmp_path):
    shutil.copytree(os.path.join(root, "python", "carom"), tmp_path / "site" / "carom")
    return tmp_path / "site"


def write_pc(tmp_path, libdir):
    folder = tmp_path / "pc"
    folder.mkdir()
    (folder / "carom_show.pc").write_text(f"libdir={libdir}\nName: carom_show\nDescription: -\nVersion: 0\n")
    return str(folder)


def test_the_variable_comes_first_then_the_package_then_pkg_config(root, tmp_path):
    libraries = os.environ["CAROM_LIBRARY_PATH"]
    site = copy_package(root, tmp_path)
    pc = {"PKG_CONFIG_PATH": write_pc(tmp_path, libraries)}
    assert run_python(site, pc) == libraries
    shutil.copytree(libraries, site / "carom" / "lib", symlinks=True)
    assert run_python(site, pc) == str(site / "carom" / "lib")
    assert run_python(site, {**pc, "CAROM_LIBRARY_PATH": libraries}) == libraries


def test_without_libraries_the_error_says_what_to_do(root, tmp_path):
    site = copy_package(root, tmp_path)
    said = run_python(site, {"PKG_CONFIG_LIBDIR": str(tmp_path)}, expect=1)
    assert "ImportError" in said and "make install" in said and "CAROM_LIBRARY_PATH" in said
    said = run_python(site, {"CAROM_LIBRARY_PATH": str(tmp_path)}, expect=1)
    assert str(tmp_path) in said and "make install" in said


def test_libraries_of_another_version_are_refused(root, tmp_path):
    site = copy_package(root, tmp_path)
    module = site / "carom" / "_declarations.py"
    text = module.read_text()
    module.write_text(text.replace("CAROM_VERSION_NUMBER = ", "CAROM_VERSION_NUMBER = 100 + "))
    said = run_python(site, {"CAROM_LIBRARY_PATH": os.environ["CAROM_LIBRARY_PATH"]}, expect=1)
    assert "this package is of" in said
