"""The notebooks run, and print what is kept in them. Their pictures are not compared.

With MAUMAU_UPDATE=1 what they print and draw is written into them instead.
"""

import os
import pathlib
import tempfile
import unittest

try:
    import nbclient
    import nbformat
except ImportError:
    nbclient = None

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "notebooks"


def printed(notebook):
    """What each cell has printed."""
    cells = (cell for cell in notebook.cells if cell.cell_type == "code")
    return ["".join(output.get("text", "") for output in cell.outputs if output.get("name") == "stdout") for cell in cells]


@unittest.skipIf(nbclient is None, "nbclient is not installed")
class NotebooksTest(unittest.TestCase):
    def test_each_runs_and_prints_what_is_kept_in_it(self):
        notebooks = sorted(FOLDER.glob("*.ipynb"))
        self.assertTrue(notebooks)
        for path in notebooks:
            with self.subTest(path.name), tempfile.TemporaryDirectory() as folder:
                notebook = nbformat.read(path, as_version=4)
                kept = printed(notebook)
                place = {"metadata": {"path": folder}}
                nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", record_timing=False, coalesce_streams=True,
                                        resources=place).execute()
                if os.environ.get("MAUMAU_UPDATE"):
                    nbformat.write(notebook, path)
                else:
                    self.assertEqual(printed(notebook), kept)


if __name__ == "__main__":
    unittest.main()
