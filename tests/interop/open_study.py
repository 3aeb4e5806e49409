"""Opens the report of a study in headless Chromium, uses it, and prints what it found as JSON: open_study.py REPORT.html FOLDER-FOR-DOWNLOADS"""
import sys
from pathlib import Path

from open_report import CONTRAST, NAMELESS, open_page

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
    page.locator("#study-color").select_option("final(prey.x)")
    facts["by_kept"] = {"legend": page.locator("#study-legend").inner_text(), "plots": page.evaluate(PLOTS)}
    names = page.locator("#study-x option").all_inner_texts()
    page.locator("#study-x").select_option(names[1])
    page.locator("#study-color").select_option("one")
    page.locator("#study-log").check()
    page.locator("#filter").fill("maximum")
    facts["changed"] = page.evaluate(PLOTS)
    return facts


open_page(*sys.argv[1:], use)
