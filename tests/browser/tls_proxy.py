"""A match behind a proxy that speaks TLS, as arena/docs/pages.md shows how to set one up: nginx and Caddy in turn, a certificate of our
own, Chromium. A person takes a seat by the button of its link and plays to the end; a stranger without a token is refused.

    python3 tests/browser/tls_proxy.py [MAUMAU]

It needs nginx, caddy, openssl, chromium and Python's playwright, which `tests/browser/run.sh` installs into target/browser/tools.
"""

import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "target/browser/tools/python"))

from playwright.sync_api import expect, sync_playwright  # noqa: E402

MAUMAU = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "target/release/maumau")
NAME = "cards.example.org"
PAGES = (ROOT / "arena/docs/pages.md").read_text()
PLAY = """() => {
    const find = (selector) => document.querySelector(selector);
    const naming = find('#naming:not([hidden]) button');
    if (naming) return naming.click();
    if (document.body.dataset.mustMove !== 'true') return find('#moves-now .decline')?.click();
    (find('#hand .legal') ?? find('#moves-now [data-do]'))?.click();
}"""


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def documented(begin):
    """The lines of the document for a proxy."""
    return re.search(rf"```text\n({begin}.*?)```", PAGES, re.S)[1]


def nginx(folder, port, arena):
    lines = documented("location").replace("127.0.0.1:4242", f"127.0.0.1:{arena}")
    (folder / "nginx.conf").write_text(f"""
        daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{}}
        http {{ access_log off; server {{
            listen 127.0.0.1:{port} ssl; server_name {NAME};
            ssl_certificate {folder}/certificate.pem; ssl_certificate_key {folder}/key.pem;
            {lines} }} }}""")
    return ["nginx", "-c", str(folder / "nginx.conf")]


def caddy(folder, port, arena):
    lines = documented(re.escape(NAME)).replace("127.0.0.1:4242", f"127.0.0.1:{arena}")
    certificate = f"tls {folder}/certificate.pem {folder}/key.pem"
    options = f"{{\n admin off\n auto_https disable_redirects\n https_port {port}\n}}\n"
    (folder / "Caddyfile").write_text(options + lines.replace("{\n", f"{{\n    {certificate}\n", 1))
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


def play_behind(proxy, folder, browser):
    port, arena = free_port(), free_port()
    seats = ["--seat", "web", "--seat", "maumau agent greedy"]
    command = [MAUMAU, "play", "--serve", "--addr", f"127.0.0.1:{arena}", "--public", "--quiet", "--rounds", "1", "--clock", "lockstep", *seats]
    game = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    server = subprocess.Popen(proxy(folder, port, arena), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        said = ""
        while said.count("token=") < 2:
            said += game.stderr.readline()
        table, seat = re.findall(r"http://[\d.:]+(/\S*token=\S+)", said)
        base = f"https://{NAME}:{port}"
        context = browser.new_context(ignore_https_errors=True)
        page, watching = context.new_page(), context.new_page()
        for _ in range(100):
            try:
                assert watching.goto(base + table).status == 200
                break
            except Exception as error:
                if "ERR_CONNECTION_REFUSED" not in str(error):
                    raise
                watching.wait_for_timeout(100)
        assert page.goto(base + seat).status == 200
        page.click("form.act button")
        page.wait_for_url(f"{base}/seat/0")
        cookies = context.cookies()
        assert len(cookies) == 2 and all(cookie["secure"] for cookie in cookies), cookies
        stranger = browser.new_context(ignore_https_errors=True).new_page()
        assert stranger.goto(base + "/").status == 403
        refused = []
        page.on("response", lambda answer: refused.append(answer.url) if answer.status >= 400 else None)
        expect(page.locator("body")).to_have_attribute("data-can-answer", re.compile("."), timeout=20_000)
        for _ in range(3000):
            if page.inner_text("#turn") == "The game is over":
                break
            page.evaluate(PLAY)
            page.wait_for_timeout(20)
        assert page.inner_text("#turn") == "The game is over" and refused == [], refused
        expect(watching.locator("#progress")).to_contain_text("1 game played")
        assert game.wait(30) == 0
    finally:
        game.kill()
        game.communicate()
        server.send_signal(signal.SIGTERM)
        server.wait()
    print(f"{proxy.__name__}: a whole match by TLS, both cookies secure, a stranger refused")


with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
    folder = pathlib.Path(folder)
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    files = ["-keyout", folder / "key.pem", "-out", folder / "certificate.pem", "-addext", f"subjectAltName=DNS:{NAME}"]
    subprocess.run([*make, *files], check=True, capture_output=True)
    arguments = ["--no-sandbox", f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
    browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
    for proxy in (nginx, caddy):
        play_behind(proxy, folder, browser)
    browser.close()
