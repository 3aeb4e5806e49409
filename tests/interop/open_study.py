"""Opens the report of a study in headless Chromium, uses it, and prints what it found as JSON: open_study.py REPORT.html FOLDER-FOR-DOWNLOADS"""
import json
import sys
from pathlib import Path

from open_report import CONTRAST, NAMELESS, browser_path
from playwright.sync_api import sync_playwright

# What each plot shows: its label, the numbers of lines, of runs by their colors, and of runs without a value.
PLOTS = """() => [...document.querySelectorAll("#study-plots > div")].map((figure) => ({
  label: figure.querySelector("svg").getAttribute("aria-label"),
  lines: figure.querySelectorAll(".line").length,
  runs: [...figure.querySelectorAll(".runs")].map((path) => path.getAttribute("d").match(/M/g).length),
  lost: (figure.querySelector(".lost")?.getAttribute("d").match(/M/g) ?? []).length,
  ticks: [...figure.querySelectorAll("svg text[text-anchor=middle]")].map((text) => text.textContent),
}))"""

# The middle of the first mark of a plot on the screen.
MARK = """() => {
  const path = document.querySelector("#study-plots .runs"), point = path.getPointAtLength(0).matrixTransform(path.getScreenCTM());
  return [point.x, point.y];
}"""


def use(page, folder):
    facts = {"opened": page.evaluate(PLOTS), "legend": page.locator("#study-legend").inner_text(), "text": page.locator("main").inner_text()}
    page.locator("#study-plots svg").first.scroll_into_view_if_needed()
    page.mouse.move(*page.evaluate(MARK))
    facts["point"] = page.locator("#study-point").inner_text()
    facts["contrast"] = {}
    for mode in ["dark", "light"]:
        page.emulate_media(color_scheme=mode)
        facts["contrast"][mode] = page.evaluate(CONTRAST)
    facts["without_name"] = page.evaluate(NAMELESS)
    with page.expect_download() as download:
        page.locator("#study-plots button").first.click()
    download.value.save_as(Path(folder) / "plot.svg")
    names = page.locator("#study-x option").all_inner_texts()
    page.locator("#study-x").select_option(names[1])
    page.locator("#study-color").select_option("one")
    page.locator("#study-log").check()
    page.locator("#filter").fill("maximum")
    facts["changed"] = page.evaluate(PLOTS)
    return facts


def main(report, folder):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1100, "height": 900})
        complaints, requests = [], []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type in ["error", "warning"] else None)
        page.on("request", lambda request: requests.append(request.url))
        page.goto(Path(report).resolve().as_uri())
        facts = use(page, folder) | {"complaints": complaints, "requests": requests}
        browser.close()
    print(json.dumps(facts))


main(*sys.argv[1:])
