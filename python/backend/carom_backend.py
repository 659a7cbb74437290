"""The build backend of the package (PEP 517): a wheel is a zip of what lies here, so nothing has to be downloaded.

The shared libraries of ../build/python go into it, beside the package, where `make` has built them; a wheel without
them finds those that are installed. No wheel depends on a version of Python.
"""
import base64
import hashlib
import os
import re
import sysconfig
import tarfile
import zipfile

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIBRARIES = os.path.join(os.path.dirname(HERE), "build", "python")
STAMP = (2026, 1, 1, 0, 0, 0)  # of all files, so that the same content gives the same wheel


def _version():
    with open(os.path.join(HERE, "carom", "_declarations.py"), encoding="utf-8") as file:
        return re.search(r"^CAROM_VERSION = b'([0-9.]+)'", file.read(), re.M).group(1)


def _libraries():
    """(name in the package, path) of the shared libraries, each under the name that it is loaded by."""
    soname = re.compile(r"libcarom(_io|_show)?\.so\.\d+\.\d+$")
    names = sorted(os.listdir(LIBRARIES)) if os.path.isdir(LIBRARIES) else []
    return [(f"carom/lib/{name}", os.path.join(LIBRARIES, name)) for name in names if soname.match(name)]


def _sources():
    names = sorted(os.listdir(os.path.join(HERE, "carom")))
    return [(f"carom/{name}", os.path.join(HERE, "carom", name)) for name in names
            if name.endswith((".py", ".pyi", "py.typed"))]


def _metadata():
    return (f"Metadata-Version: 2.1\nName: carom\nVersion: {_version()}\n"
            "Summary: 3D mechanical systems with collisions, right and fast\n"
            "License: MIT\nRequires-Python: >=3.9\nRequires-Dist: numpy\n")


def _tag():
    if not _libraries():
        return "py3-none-any"
    return "py3-none-" + re.sub(r"[-.]", "_", sysconfig.get_platform())


class _Wheel:
    def __init__(self, folder, files):
        self.name = f"carom-{_version()}-{_tag()}.whl"
        self.info = f"carom-{_version()}.dist-info"
        self.records = []
        with zipfile.ZipFile(os.path.join(folder, self.name), "w", zipfile.ZIP_DEFLATED) as self.zip:
            for name, path in files:
                with open(path, "rb") as file:
                    self.add(name, file.read())
            self.add_info()

    def add(self, name, content):
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.records.append(f"{name},sha256={digest},{len(content)}")
        entry = zipfile.ZipInfo(name, STAMP)
        entry.external_attr = 0o644 << 16
        self.zip.writestr(entry, content, zipfile.ZIP_DEFLATED)

    def add_info(self):
        self.add(f"{self.info}/METADATA", _metadata().encode())
        pure = "true" if _tag().endswith("any") else "false"
        self.add(f"{self.info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: carom\nRoot-Is-Purelib: {pure}\n"
                 f"Tag: {_tag()}\n".encode())
        self.records.append(f"{self.info}/RECORD,,")
        self.zip.writestr(zipfile.ZipInfo(f"{self.info}/RECORD", STAMP), "\n".join(self.records) + "\n")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return _Wheel(wheel_directory, _sources() + _libraries()).name


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    path = os.path.join(wheel_directory, "carom.pth")
    with open(path, "w", encoding="utf-8") as file:
        file.write(HERE + "\n")
    name = _Wheel(wheel_directory, [("carom.pth", path)]).name
    os.remove(path)
    return name


def build_sdist(sdist_directory, config_settings=None):
    name = f"carom-{_version()}"
    with tarfile.open(os.path.join(sdist_directory, name + ".tar.gz"), "w:gz") as tar:
        for entry in ("pyproject.toml", "backend/carom_backend.py"):
            tar.add(os.path.join(HERE, entry), f"{name}/{entry}")
        for entry, path in _sources():
            tar.add(path, f"{name}/{entry}")
        info = os.path.join(sdist_directory, "PKG-INFO")
        with open(info, "w", encoding="utf-8") as file:
            file.write(_metadata())
        tar.add(info, f"{name}/PKG-INFO")
        os.remove(info)
    return name + ".tar.gz"
