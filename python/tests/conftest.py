"""What the tests of the package share. CAROM_LIBRARY_PATH says where the libraries are, CAROM_TOOL where the tool is."""
import os
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.environ.setdefault("CAROM_LIBRARY_PATH", os.path.join(ROOT, "build", "python"))
os.environ.setdefault("CAROM_TOOL", os.path.join(ROOT, "build", "carom"))
os.environ.setdefault("MPLBACKEND", "Agg")
sys.path.insert(0, os.path.join(ROOT, "python"))


@pytest.fixture
def examples():
    return os.path.join(ROOT, "examples")


@pytest.fixture
def tool():
    return os.environ["CAROM_TOOL"]


@pytest.fixture
def root():
    return ROOT
