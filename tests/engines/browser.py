"""Chromium by its DevTools protocol, over a pipe: pages are opened, pointed at, typed into and asked."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any, Self

PATIENCE = 60.0  # seconds for an answer
KEYS = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9, "Escape": 27, "Enter": 13, " ": 32}


class Browser:
    """One window; what its pages complain of or fetch is gathered in `complaints` and `requests`."""

    def __init__(self, chromium: str, folder: Path) -> None:
        down, self._write = os.pipe()
        self._read, up = os.pipe()
        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run"]
        options += ["--disable-background-networking", f"--user-data-dir={folder / 'profile'}", "about:blank"]
        self._process = subprocess.Popen(
            ["bash", "-c", f'exec "$0" "$@" 3<&{down} 4>&{up}', chromium, *options],
            pass_fds=(down, up),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(down)
        os.close(up)
        self._rest, self._count, self._session = b"", 0, ""
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self._loaded = False
        page = next(t for t in self("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self._session = self("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self(f"{domain}.enable")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(20)
        os.close(self._read)
        os.close(self._write)

    def __call__(self, method: str, **parameters: Any) -> Any:
        """A command of the protocol, and what it answers."""
        self._count += 1
        said = {"id": self._count, "method": method, "params": parameters}
        if self._session:
            said["sessionId"] = self._session
        os.write(self._write, json.dumps(said).encode() + b"\0")
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            heard = self._hear()
            if heard.get("id") == self._count:
                assert "error" not in heard, heard["error"]
                return heard["result"]
        raise TimeoutError(method)

    def _hear(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            more = os.read(self._read, 1 << 20)
            assert more, "Chromium is gone"
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\0")
        heard: dict[str, Any] = json.loads(line)
        self._note(heard.get("method", ""), heard.get("params", {}))
        return heard

    def _note(self, method: str, said: Any) -> None:
        if method == "Page.loadEventFired":
            self._loaded = True
        elif method == "Runtime.consoleAPICalled":
            self.complaints.append(" ".join(str(x.get("value", x.get("description"))) for x in said["args"]))
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(said["exceptionDetails"].get("exception", {}).get("description", "exception"))
        elif method == "Log.entryAdded":
            self.complaints.append(said["entry"]["text"])
        elif method == "Network.requestWillBeSent" and not said["request"]["url"].startswith(("data:", "blob:")):
            self.requests.append(said["request"]["url"])

    # --- what tests do

    def open(self, page: Path, *, width: int = 1280, height: int = 900, dark: bool = False) -> None:
        """Show a file; requests are then those beside the file itself."""
        self("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self("Emulation.setEmulatedMedia", features=scheme)
        self.complaints.clear()
        self.requests.clear()
        self._loaded = False
        self("Page.navigate", url=page.as_uri())
        while not self._loaded:
            self._hear()
        self.requests.remove(page.as_uri())

    def ask(self, expression: str) -> Any:
        """The value of a JavaScript expression, which may be a promise, in the page."""
        found = self("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def point(self, selector: str, *, press: bool = False) -> None:
        """Move the mouse over the first element of a selector, and press it."""
        box = f"document.querySelector({json.dumps(selector)})"
        self.ask(f"{box}.scrollIntoView({{block: 'center', inline: 'center'}})")
        x, y = self.ask(f"(b => [b.x + b.width / 2, b.y + b.height / 2])({box}.getBoundingClientRect())")
        self("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for kind in ("mousePressed", "mouseReleased") if press else ():
            self("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, *keys: str) -> None:
        """Press keys, one after another."""
        for key in keys:
            code = {"key": key, "code": key, "windowsVirtualKeyCode": KEYS[key]}
            self("Input.dispatchKeyEvent", type="rawKeyDown", **code)
            self("Input.dispatchKeyEvent", type="keyUp", **code)

    def type(self, text: str) -> None:
        """Type a text where the focus is."""
        self("Input.insertText", text=text)

    def text(self, selector: str) -> str:
        """The text of the first element of a selector."""
        return str(self.ask(f"document.querySelector({json.dumps(selector)}).textContent"))
