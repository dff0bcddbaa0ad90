"""Every example runs as it stands, and says what its Rust twin says."""

import ast
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
RUST = ROOT / "crates/palpable/examples"
PYTHON = ROOT / "crates/palpable-python/examples"

# What the Rust examples print, copied from `cargo run --package palpable --example NAME`: whoever changes a number
# there changes it here. 13 is chaotic: its lowest point is equal only because its strain rounds as the one in Rust does.
PRINTED = {
    "01_hello_world": """\
x = 0.0597 m, energy 0.500000000000001 J
The account closes: 9.3e-16 J unexplained.
""",
    "02_falling_box": """\
landed after 0.452 s, lies at 0.100000000 m, asleep: true
the impact took 19.610000 J of 19.620000 J
""",
    "03_stack": """\
after 10 s: sunk by 21.16 nm, 4 of 4 asleep
""",
    "04_friction": """\
20 degrees: slid 0.000000 m, Coulomb says 0.000000 m
26 degrees: slid 0.000000 m, Coulomb says 0.000000 m
27 degrees: slid 0.041630 m, Coulomb says 0.041630 m
35 degrees: slid 0.804422 m, Coulomb says 0.804422 m
45 degrees: slid 1.734179 m, Coulomb says 1.734179 m
""",
    "05_contact_forces": """\
  left on plank    5.612 N at x = -0.520 m
  left on plank    0.404 N at x = -0.480 m
  left on plank    6.412 N at x = -0.480 m
  left on plank    0.018 N at x = -0.520 m
 right on plank   13.622 N at x =  0.480 m
 right on plank    0.230 N at x =  0.520 m
 right on plank   13.043 N at x =  0.520 m
 right on plank    0.242 N at x =  0.480 m
 plank on weight  29.430 N at x =  0.250 m
left 12.2770 N, right 26.9630 N
""",
    "06_springs": """\
81.0 s simulated: Stored { kinetic: 1.4994389766519287, elastic: 0.8495756917479854, gravity: -0.11754096222561655, tank: 0.01, contact: -0.0 }
damped 0.0217 J, unexplained 3.4e-14 J
""",
    "07_free_tumble": """\
51 turns in 100 s; energy off by 6e-15, angular momentum by 8e-15
""",
    "08_hand_on_a_port": """\
hand felt up to 20.00 N and supplied 0.705637 J
stored 0.010041 J, lost 0.695596 J
""",
    "09_probe_on_a_surface": """\
pressed with 4.000 N, dragged with 1.275 N
the ball sank in by 0.0 nm at most
""",
    "10_virtual_coupling": """\
the hand felt up to 3.33 N; it put in 3.094 mJ
sampling created 1.1456 mJ
the device's damping took 1.3747 mJ
""",
    "11_live_changes": """\
stiffness raised, jump 3.3e-15 J
mass raised, 0.1718 J supplied
refused: mass is -1 kg; it must be greater than 0
The account closes: -2.6e-15 J unexplained.
""",
    "12_collision_query": """\
2 manifolds, 8 contacts
  body 0 pushes body 1 along [0.0, 0.0, 1.0]: gaps [0.000100, 0.000100, 0.000100, 0.000100] m
  body 0 pushes body 2 along [0.0, 0.0, 1.0]: gaps [0.000100, 0.000100, 0.000100, 0.000100] m
the ray meets body 1 after 0.900 m
the tip is 0.3585 m from body 1
it strikes body 2 after 0.01890 s
""",
    "13_own_element": """\
lowest point -0.404 m, energy 0.012500020 J from 0.012500020 J
The account closes: -8.9e-16 J unexplained.
""",
    "14_double_pendulum": """\
h = 2.0 ms: off by 1.2e-4 m, hinges open by 3e-13 m
h = 1.0 ms: off by 3.0e-5 m, hinges open by 9e-13 m
h = 0.5 ms: off by 7.5e-6 m, hinges open by 1e-12 m
the error falls with the step to the power of 1.99
""",
    "15_four_bar": """\
the crank made 3.67 turns
the rocker swung from 82.8° to 120.0°
the loop is off the drawing by 8e-13 m at most
the motor gave 6.925 J, of which -2e-14 J are missing
""",
    "16_arm": """\
the motor gave 3.557934 J, the arm holds 3.557934 J more
8 s later it has lost 6e-15 J
""",
    "17_beam": """\
the tip swings at 11.9022 Hz; the beam's own is 11.9077 Hz
its energy changed by -7e-16 of itself in 4 s
""",
    "18_finger": """\
the joints bend by 0.571, 0.457 and 0.343 rad
the motor paid 0.360 mJ
""",
    "19_bad_link": """\
tool at 34.7 mm
the hand put in 2193.6 mJ
and never got more than 0.000 mJ of 10 mJ granted
""",
    "20_four_channels": """\
four channels -0.327 N, unilateral 0.036 N
fingertip -0.364 N
""",
}


def tokens(line):
    """Words and numbers; how they are punctuated is the language's."""
    return re.findall(r"[^\W\d_]+|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", line)


def same(said, wanted):
    """Equal words, equal numbers. What is below 1e-9 (m, J, a part of one) is rounding and may be any such number."""
    if not wanted[0].isdigit() and wanted[0] != "-":
        return said == wanted
    try:
        return math.isclose(float(said), float(wanted), rel_tol=1e-9, abs_tol=1e-9)
    except ValueError:
        return False


def examples():
    return sorted(path.stem for path in PYTHON.glob("[0-9][0-9]_*.py"))


def test_every_rust_example_has_its_twin():
    rust = {path.stem for path in RUST.glob("*.rs")}
    assert set(examples()) == set(PRINTED)
    assert rust == set(examples())


@pytest.mark.parametrize("name", examples())
def test_twins_are_about_the_same(name):
    head = re.match(r"(//!.*\n)+", (RUST / f"{name}.rs").read_text(encoding="utf-8"))
    module = ast.parse((PYTHON / f"{name}.py").read_text(encoding="utf-8"))
    assert ast.get_docstring(module).split() == head[0].replace("//!", "").split()


@pytest.mark.parametrize("name", examples())
def test_twins_print_the_same_numbers(name, tmp_path):
    # away from the sources, so that nothing but the wheel is imported
    run = subprocess.run(
        [sys.executable, "-B", str(PYTHON / f"{name}.py")],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert run.returncode == 0, run.stderr
    assert not run.stderr
    said, wanted = run.stdout.splitlines(), PRINTED[name].splitlines()
    assert len(said) == len(wanted), run.stdout
    for mine, theirs in zip(said, wanted):
        a, b = tokens(mine), tokens(theirs)
        assert len(a) == len(b) and all(map(same, a, b)), f"{mine!r}, in Rust {theirs!r}"
