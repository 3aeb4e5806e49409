"""Opens the page of a run in headless Chromium while it runs: open_live.py ADDRESS. Prints a line of JSON with what the page shows when it has values at t >= 0.4, and
another one when the run is over, or when the connection is lost."""
import json
import sys

from open_report import CONTRAST, NAMELESS, browser_path
from playwright.sync_api import sync_playwright

FACTS = """() => ({
  state: document.getElementById("state").textContent,
  progress: document.getElementById("progress").value,
  facts: document.getElementById("facts").innerText,
  plots: [...document.querySelectorAll("figure")].map((figure) => ({
    title: figure.querySelector("figcaption").textContent,
    times: figure.plot.data[0],
    values: figure.plot.data[1],
    shown: figure.plot.series.slice(1).map((series) => series.label),
    painted: figure.plot.ctx.getImageData(0, 0, figure.plot.ctx.canvas.width, figure.plot.ctx.canvas.height).data.some((part) => part !== 0),
  })),
})"""
HALFWAY = "() => { const times = document.querySelector('figure')?.plot?.data[0] ?? []; return times[times.length - 1] >= 0.4; }"
OVER = "() => !/^(running|waiting)/.test(document.getElementById('state').textContent)"


def main(address):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1000, "height": 800})
        complaints, requests = [], []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(address)
        for moment in [HALFWAY, OVER]:
            page.wait_for_function(moment, timeout=0)
            page.wait_for_timeout(100)  # it draws with the next frame
            facts = page.evaluate(FACTS) | {"complaints": complaints, "requests": requests, "without_name": page.evaluate(NAMELESS), "contrast": page.evaluate(CONTRAST)}
            print(json.dumps(facts), flush=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
