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
    label: u.root.querySelector(".u-wrap[role=img]").getAttribute("aria-label"),
    times: u.data[0].length <= 20 ? u.data[0] : null,
    rows: u.data.filter((values, place) => place > 0 && !u.series[place].band).map((values) => values.filter((value) => value !== null && value !== undefined).length),
    bands: u.series.filter((series) => series.band && series.show).length,
    legend: [...u.root.querySelectorAll(".u-legend .u-series")].filter((row) => !row.hidden).length };
})"""


# Controls that nobody can name.
NAMELESS = """() => [...document.querySelectorAll("button, input, select, [role=button], [role=img], img")]
  .filter((element) => !(element.labels?.length || element.getAttribute("aria-label") || element.getAttribute("alt") || element.textContent.trim()))
  .map((element) => element.outerHTML)"""

# The least contrast of a text with what it lies on, by the Web Content Accessibility Guidelines.
CONTRAST = """() => {
  const parts = (color) => color.match(/[\\d.]+/g).map(Number);
  const luminance = ([red, green, blue]) => {
    const [r, g, b] = [red, green, blue].map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paper = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const [red, green, blue, opacity = 1] = parts(getComputedStyle(at).backgroundColor);
      if (opacity === 1) return [red, green, blue];
    }
    return [255, 255, 255];
  };
  const worst = { ratio: Infinity, text: "", texts: 0 };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !element.checkVisibility() || element.closest("svg, script, noscript")) continue;
    const [one, other] = [parts(getComputedStyle(element).color), paper(element)].map(luminance);
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    worst.texts++;
    if (ratio < worst.ratio) Object.assign(worst, { ratio, text: node.data.trim() });
  }
  return worst;
}"""

# The middle of a connection on the screen.
MIDDLE = """(edge) => {
  const path = edge.querySelector("path"), point = path.getPointAtLength(path.getTotalLength() / 2).matrixTransform(path.getScreenCTM());
  return [point.x, point.y];
}"""

# Whether the first curve passes a point: 5 pixels wide.
PASSES = """([time, value]) => {
  const u = document.querySelector("figure").plot, { ctx } = u;
  ctx.save();
  ctx.lineWidth = 5;
  const passes = ctx.isPointInStroke(u.series[1]._paths.stroke, u.valToPos(time, "x", true), u.valToPos(value, "y", true));
  ctx.restore();
  return passes;
}"""


def browser_path():
    found = [path for path in BROWSERS if Path(path).is_file()]
    return found[0] if found else sys.exit("there is no Chromium; install it (Debian, Ubuntu: apt-get install chromium)")


def plots(page):
    page.wait_for_timeout(100)  # it draws with the next frame
    return page.evaluate(PLOTS)


def over(page, number):
    """The box in which the curves of a plot are."""
    return page.locator("figure").nth(number).locator(".u-over").bounding_box()


def edges(page):
    """What the connections of the picture of the system say."""
    found = page.locator(".diagram .edge")
    if found.count() == 0:
        return None
    before = page.locator(".tip").is_hidden()
    found.first.scroll_into_view_if_needed()
    page.mouse.move(*found.first.evaluate(MIDDLE))
    return {"count": found.count(), "before": before, "tip": page.locator(".tip").inner_text(),
            "named": sorted(found.evaluate_all("(edges) => edges.map((edge) => edge.getAttribute('aria-label'))"))}


def crossed(page):
    """The plot of one variable over another one; the other plots show a quarter of the time meanwhile."""
    if page.locator("#xy-plot").count() == 0:
        return None
    points = "() => document.querySelector('#xy-plot .curve').getAttribute('d').match(/,/g).length"
    label = "() => document.querySelector('#xy-plot svg').getAttribute('aria-label')"
    pieces = points.replace("/,/g", "/M/g")
    facts = {"label": page.evaluate(label), "all": page.evaluate(points), "pieces": page.evaluate(pieces)}
    page.evaluate("() => { const u = document.querySelector('figure').plot; const time = u.data[0], last = time[time.length - 1]; u.setScale('x', { min: 0, max: last / 4 }); }")
    page.wait_for_timeout(100)
    facts["part"] = page.evaluate(points)
    page.locator("figure").first.get_by_role("button", name="show all").click()
    page.wait_for_timeout(100)
    page.locator("#xy-plot").scroll_into_view_if_needed()
    place = page.evaluate("""() => { const path = document.querySelector('#xy-plot .curve'), point = path.getPointAtLength(0).matrixTransform(path.getScreenCTM()); return [point.x, point.y]; }""")
    page.mouse.move(*place)
    facts["point"] = page.locator("#xy-point").inner_text()
    names = page.locator("#xy-x option").all_inner_texts()
    page.locator("#xy-x").select_option(names[1])
    page.locator("#xy-y").select_option(names[0])
    facts["other"] = page.evaluate(label)
    return facts


def smooth(page):
    """Curves between rows, in the page of the test about them."""
    if page.evaluate("() => document.querySelector('figure').plot.data[0].length") != 6:
        return None
    return {"on_curve": [page.evaluate(PASSES, [1.25, 1.5625]), page.evaluate(PASSES, [3, 2.5])], "on_line": page.evaluate(PASSES, [1.25, 2.5]),
            "refined": page.evaluate("() => { const u = document.querySelector('figure').plot; return curves.refined(u.data[0], [u.data[1]], 2); }")}


def by_key(page):
    """Whether the curves of the first plot are shown, before and after a key switches the first one."""
    names = page.locator("figure").first.locator(".u-legend .u-series th[role=button]")
    pressed = lambda: names.evaluate_all("(names) => names.filter((name) => !name.closest('.u-series').hidden).map((name) => name.getAttribute('aria-pressed'))")
    before = pressed()
    names.first.focus()
    page.keyboard.press("Enter")
    after = pressed()
    page.keyboard.press("Enter")
    return [before, after]


def contrasts(page):
    found = {}
    for mode in ["dark", "light"]:
        page.emulate_media(color_scheme=mode)
        found[mode] = page.evaluate(CONTRAST)
    return found


def use(page, folder):
    facts = {"text": page.locator("main").inner_text(), "links": page.locator("nav a").evaluate_all(
        "(links) => links.map((link) => document.querySelector(link.getAttribute('href')) !== null)")}
    for figure in page.locator("figure").all():
        figure.scroll_into_view_if_needed()
        page.wait_for_function("(figure) => figure.plot", arg=figure.element_handle())
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

    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.3 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.505 * box["width"], box["y"] + 0.7 * box["height"], steps=5)
    page.mouse.up()
    facts["raised"] = plots(page)
    page.keyboard.down("Shift")
    page.mouse.wheel(0, -100)
    page.keyboard.up("Shift")
    facts["stretched"] = plots(page)
    page.locator("figure").first.get_by_role("button", name="show all").click()
    facts["all"] = plots(page)
    facts |= {"without_name": page.evaluate(NAMELESS), "by_key": by_key(page), "xy": crossed(page), "smooth": smooth(page), "edges": edges(page), "contrast": contrasts(page)}
    page.locator("figure").first.scroll_into_view_if_needed()

    page.locator("#together").uncheck()
    page.locator("figure").first.scroll_into_view_if_needed()
    box = over(page, 0)
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    page.mouse.wheel(0, -100)
    facts["alone"] = plots(page)
    page.locator("figure").first.get_by_role("button", name="show all").click()

    page.locator("figure").first.locator(".u-legend .u-series").nth(1).locator("th").click()
    facts["hidden"] = plots(page)
    page.locator("figure").first.locator(".u-legend .u-series").nth(1).locator("th").click()

    for kind in ["SVG", "PNG"]:
        with page.expect_download() as download:
            page.locator("figure").first.get_by_role("button", name=f"as {kind}").click()
        download.value.save_as(Path(folder) / f"plot.{kind.lower()}")
        facts[kind] = download.value.suggested_filename

    page.locator("#filter").fill("no such name")
    facts["filtered"] = plots(page)
    page.locator("#filter").fill("")
    page.emulate_media(media="print", color_scheme="dark")
    facts["tools_in_print"] = any(tools.is_visible() for tools in page.locator(".tools").all())
    return facts


def open_page(report, folder, use):
    """Opens a page, and prints what is found when it is used."""
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


if __name__ == "__main__":
    open_page(*sys.argv[1:], use)
