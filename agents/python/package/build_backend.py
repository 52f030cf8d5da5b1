"""Builds the Python package: maturin's backend, with the program `maumau` in every wheel.

    pip wheel --no-deps -w dist .                                       builds the program, then the package
    MAUMAU_PROGRAM=target/release/maumau pip wheel --no-deps -w dist .  takes a program that is built already

Maturin knows nothing of the program: it packs what lies in `maumau.data/scripts`. For another system than this one,
MAUMAU_PROGRAM is its program and MATURIN_PEP517_ARGS holds what maturin needs, such as `--zig --target TARGET`.
"""

import os
import shutil
import subprocess
from pathlib import Path

import maturin
from maturin import build_sdist, get_requires_for_build_sdist, prepare_metadata_for_build_editable, prepare_metadata_for_build_wheel  # noqa: F401

WORKSPACE = Path(__file__).resolve().parents[3]
SCRIPTS = WORKSPACE / "maumau.data/scripts"
FEATURES = "maumau-arena/cluster,maumau-arena/https,maumau-arena/parquet"
NO_RUST = (
    "maumau: there is no wheel for this system or this Python, and to build one needs Rust 1.89 or newer (https://rustup.rs) "
    "and a C compiler: there is no program `cargo` in PATH"
)

SCRIPTS.mkdir(parents=True, exist_ok=True)  # maturin wants the folder, whatever it builds


def get_requires_for_build_wheel(config_settings=None):
    """Nothing but maturin, which would load a compiler over the network where there is none."""
    if shutil.which("cargo") is None:
        raise SystemExit(NO_RUST)
    return []


get_requires_for_build_editable = get_requires_for_build_wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """A wheel with the program in it."""
    place_program()
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """The same for `pip install --editable`."""
    place_program()
    return maturin.build_editable(wheel_directory, config_settings, metadata_directory)


def place_program():
    """Puts the program where maturin packs it from, and builds it unless the environment names one."""
    if built := os.environ.get("MAUMAU_PROGRAM"):
        program = Path(built)
    else:
        subprocess.run(["cargo", "build", "--release", "--locked", "-p", "maumau-arena", "--features", FEATURES],
                       cwd=WORKSPACE, check=True)
        name = "maumau.exe" if os.name == "nt" else "maumau"
        program = Path(os.environ.get("CARGO_TARGET_DIR", WORKSPACE / "target"), "release", name)
    shutil.rmtree(SCRIPTS, ignore_errors=True)
    SCRIPTS.mkdir(parents=True)
    shutil.copy2(program, SCRIPTS / program.name)
