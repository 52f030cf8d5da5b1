"""Counts checks and prints those that failed. It knows nothing of what is checked, and does not end the program."""


class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, what, good):
        if good:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED: {what}", flush=True)
