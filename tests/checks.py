"""Counts checks and prints those that failed. What is checked is the caller's matter, and so is the exit code."""


class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, what, good):
        if good:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED: {what}", flush=True)
