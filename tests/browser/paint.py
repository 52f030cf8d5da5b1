"""How soon the pages of a run are there: the first ones of a fresh server and a fresh browser, and lists of rare games.

    PYTHONPATH=target/browser/tools/python python3 tests/browser/paint.py [MAUMAU] RUN...

`tests/browser/run.sh` installs what it needs. For each page: requests, bytes, milliseconds until the answer and until the first paint,
as medians with the range. A page of one line, from a server that does nothing else, shows what the browser itself takes. Answers of
lists are timed without a browser, after the index of the run is made.
"""

import http.server
import re
import shutil
import statistics
import subprocess
import sys
import threading
import time
import urllib.request

from playwright.sync_api import sync_playwright

REPEATS = 5
PAINT = "performance.getEntriesByName('first-contentful-paint')"
LOADED = f"""() => {{
    const parts = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    return [parts.length, parts.reduce((sum, part) => sum + part.transferSize, 0), parts[0].responseEnd, {PAINT}[0].startTime];
}}"""
PAGES = {"standings": "", "the same again": "", "games": "games", "a page of games further on": "games?from=FROM"}
PATIENCE_S = 300


class OneLine(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        text = b"<!doctype html><title>one</title><p>One line."
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


def serve(maumau, run):
    server = subprocess.Popen([maumau, "serve", "--addr", "127.0.0.1:0", run], stdout=subprocess.PIPE, text=True)
    return server, server.stdout.readline().strip()


def look(browser, address):
    """What a page costs that a browser without a cache opens."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(address)
    page.wait_for_load_state("networkidle")
    page.wait_for_function(f"{PAINT}.length > 0")
    loaded = page.evaluate(LOADED)
    context.close()
    return loaded


def print_costs(name, costs):
    def spread(values):
        return f"{statistics.median(values):6.0f} ({min(values):.0f}-{max(values):.0f})"

    requests, size, answers, paints = zip(*costs)
    print(f"{name:28} {requests[0]:2} requests {size[0] / 1000:7.1f} kB   answer {spread(answers):18} ms   first paint {spread(paints)} ms")


def paint(playwright, maumau, run):
    games = int(re.search(r"Looked at \d+ of (\d+) games", lists(maumau, run, ["games"])[0][2])[1])
    begin = lambda: playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
    one_line = http.server.ThreadingHTTPServer(("127.0.0.1", 0), OneLine)
    threading.Thread(target=one_line.serve_forever, daemon=True).start()
    costs = {name: [] for name in ["one line", *PAGES]}
    for _ in range(REPEATS):
        with begin() as browser:
            costs["one line"].append(look(browser, f"http://127.0.0.1:{one_line.server_port}/"))
        server, base = serve(maumau, run)
        with begin() as browser:
            for name, path in PAGES.items():
                costs[name].append(look(browser, base + path.replace("FROM", str(games // 2))))
        server.kill()
        server.wait()
    print(f"{run}, {games} games")
    for name, found in costs.items():
        print_costs(name, found)


def lists(maumau, run, paths, is_indexed=False):
    """The lists of games at these addresses: seconds, answers until one has games or all are looked through, the last answer."""
    server, base = serve(maumau, run)
    get = lambda path: urllib.request.urlopen(base + path).read().decode()
    until = time.monotonic() + PATIENCE_S
    while is_indexed and 'rel="next"' in get("games?agent=nobody") and time.monotonic() < until:
        time.sleep(0.5)
    found = []
    for path in paths:
        began, answers = time.monotonic(), 0
        while True:
            text = get(path)
            answers += 1
            goes_on = re.search(r'id="goes-on".*rel="next" href="/([^"]+)"', text, re.DOTALL)
            if not goes_on:
                break
            path = goes_on[1].replace("&amp;", "&")
        found.append((time.monotonic() - began, answers, text))
    server.kill()
    server.wait()
    return found


def rare(maumau, run):
    paths = ["games?fault=slow", "games?name=d0000999", "games?moves=90", "games?agent=nobody"]
    for is_indexed in (False, True):
        for path, (seconds, answers, _) in zip(paths, lists(maumau, run, paths, is_indexed)):
            how = "by the index" if is_indexed else "while it is made"
            print(f"{path:28} {how:18} {seconds * 1000:7.0f} ms, {answers} answers")


if __name__ == "__main__":
    maumau, *runs = sys.argv[1:] if len(sys.argv) > 2 else ["target/release/maumau", *sys.argv[1:]]
    with sync_playwright() as playwright:
        for run in runs:
            paint(playwright, maumau, run)
            rare(maumau, run)
