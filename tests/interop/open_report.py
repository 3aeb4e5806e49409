"""Opens a report in headless Chromium, uses it, and prints what it found as JSON: open_report.py REPORT.html FOLDER-FOR-DOWNLOADS"""
import json
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

# The state of all plots that are drawn: names, what time they show, how many points of their canvas are painted.
PLOTS = """() => [...document.querySelectorAll("figure")].map((figure) => {
  const u = figure.plot;
  if (!u) return { title: figure.querySelector("figcaption").textContent, drawn: false };
  const { width, height } = u.ctx.canvas;
  const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(u.ctx.canvas, 0, 0);
  const pixels = new Uint32Array(copy.getImageData(0, 0, width, height).data.buffer);
  return { title: figure.querySelector("span").textContent, drawn: true, hidden: figure.hidden, min: u.scales.x.min, max: u.scales.x.max,
    bottom: u.scales.y.min, top: u.scales.y.max, painted: pixels.reduce((count, pixel) => count + (pixel !== 0), 0),
    shown: u.series.slice(1).filter((series) => series.show && !series.band).map((series) => series.label),
    bands: u.series.filter((series) => series.band && series.show).length,
    legend: [...u.root.querySelectorAll(".u-legend .u-series")].filter((row) => !row.hidden).length };
})"""


def browser_path():
    found = [path for path in BROWSERS if Path(path).is_file()]
    return found[0] if found else sys.exit("there is no Chromium; install it (Debian, Ubuntu: apt-get install chromium)")


def plots(page):
    page.wait_for_timeout(100)  # it draws with the next frame
    return page.evaluate(PLOTS)


def over(page, number):
    """The box in which the curves of a plot are."""
    return page.locator("figure").nth(number).locator(".u-over").bounding_box()


def use(page, folder):
    facts = {"text": page.locator("main").inner_text(), "links": page.locator("nav a").evaluate_all(
        "(links) => links.map((link) => document.querySelector(link.getAttribute('href')) !== null)")}
    for figure in page.locator("figure").all():
        figure.scroll_into_view_if_needed()
        page.wait_for_timeout(50)
    facts["opened"] = plots(page)
    page.locator("figure").first.scroll_into_view_if_needed()

    box = over(page, 0)
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.25 * box["width"], middle)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.5 * box["width"], middle, steps=5)
    page.mouse.up()
    facts["dragged"] = plots(page)
    page.mouse.wheel(0, -100)
    facts["turned"] = plots(page)
    page.mouse.dblclick(box["x"] + 0.5 * box["width"], middle)
    facts["reset"] = plots(page)

    page.locator("#together").uncheck()
    page.locator("figure").first.scroll_into_view_if_needed()
    box = over(page, 0)
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    page.mouse.wheel(0, -100)
    facts["alone"] = plots(page)
    page.locator("figure").first.get_by_role("button", name="All").click()

    page.locator("figure").first.locator(".u-legend .u-series").nth(1).locator("th").click()
    facts["hidden"] = plots(page)
    page.locator("figure").first.locator(".u-legend .u-series").nth(1).locator("th").click()

    for kind in ["SVG", "PNG"]:
        with page.expect_download() as download:
            page.locator("figure").first.get_by_role("button", name=kind).click()
        download.value.save_as(Path(folder) / f"plot.{kind.lower()}")
        facts[kind] = download.value.suggested_filename

    page.locator("#filter").fill("no such name")
    facts["filtered"] = plots(page)
    page.locator("#filter").fill("")
    page.emulate_media(media="print", color_scheme="dark")
    facts["tools_in_print"] = page.locator(".tools").is_visible()
    return facts


def main(report, folder):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1000, "height": 800})
        complaints, requests = [], []
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(Path(report).resolve().as_uri())
        facts = use(page, folder)
        page.screenshot(path=Path(folder) / "page.png", full_page=True)
        # What is saved is made in the page.
        facts["requests"] = [url for url in requests if not url.startswith("blob:")]
        facts["complaints"] = complaints
        browser.close()
    json.dump(facts, sys.stdout)


main(*sys.argv[1:])
