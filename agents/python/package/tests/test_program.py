"""The program that the package brings, and bots beside it: nothing but the package and an interpreter is in PATH."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import maumau

FOLDER = Path(sys.executable).parent
PROGRAM = FOLDER / ("maumau.exe" if os.name == "nt" else "maumau")
BOT = """{imports}

class Mine({bot}):
    def choose(self, ask):
        return ask["legal"][0]

{run}(Mine, name="mine")
"""


@unittest.skipUnless(PROGRAM.exists(), "the package is installed without its program")
class Program(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def maumau(self, *arguments):
        environment = {"PATH": f"{FOLDER}{os.pathsep}{os.defpath}", "HOME": str(self.folder)}
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, f"{arguments}: {done.stdout}{done.stderr}")
        return done.stdout

    def test_it_is_of_the_packages_version_and_has_all_features(self):
        self.assertEqual(self.maumau("--version"), f"maumau {maumau.__version__}\n")
        self.assertIn("cluster", self.maumau("--help"))
        self.maumau("tournament", "demo", "--games", "24")
        self.maumau("tournament", "export", "maumau-run/demo.maumau", "--decisions-to", "decisions.parquet")
        self.assertEqual((self.folder / "decisions.parquet").read_bytes()[:4], b"PAR1")

    def test_the_demo_has_bots_in_python(self):
        self.assertIn("careful.py", self.maumau("tournament", "demo", "--games", "24"))

    def test_a_new_bot_passes_check_and_its_own_test(self):
        self.maumau("agent", "new", "my-bot", "--language", "python")
        self.assertIn(" passed, 0 failed", self.maumau("check", "--games", "1", "--", "python3", "my-bot/bot.py"))
        test = subprocess.run([sys.executable, "-m", "unittest"], cwd=self.folder / "my-bot", capture_output=True, text=True)
        self.assertEqual(test.returncode, 0, test.stderr)

    def test_the_kit_is_in_the_package_and_a_copy_of_any_name_goes_before(self):
        for name, imports, bot, run, copied in [
            ("by its module", "from maumau.kit import Bot, run", "Bot", "run", None),
            ("by the package", "import maumau", "maumau.Bot", "maumau.run", None),
            ("copied", "from maumau_kit import Bot, run", "Bot", "run", "maumau_kit.py"),
            ("copied under its old name", "import maumau", "maumau.Bot", "maumau.run", "maumau.py"),
        ]:
            with self.subTest(name):
                folder = self.folder / name.replace(" ", "-")
                folder.mkdir()
                (folder / "mine.py").write_text(BOT.format(imports=imports, bot=bot, run=run))
                if copied:
                    shutil.copy(Path(maumau.__file__).with_name("kit.py"), folder / copied)
                seat = f"python3 {folder}/mine.py"
                self.assertIn("mine", self.maumau("play", "--rules", "basic", "--seat", seat, "--seat", "maumau agent first"))

    def test_a_bot_of_the_package_does_not_wait_for_numpy(self):
        source = "import sys, maumau; maumau.Bot; sys.exit('numpy' in sys.modules)"
        self.assertEqual(subprocess.run([sys.executable, "-c", source]).returncode, 0)

    def test_vectors_need_no_gymnasium(self):
        source = "import sys; sys.modules['gymnasium'] = None; import maumau; maumau.vector('basic', 2, 4).reset(seed=1)"
        run = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)


if __name__ == "__main__":
    unittest.main()
