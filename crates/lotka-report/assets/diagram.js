"use strict";
// The picture of the system as a part of the page, so that its connections can be pointed at. Only shapes and texts of it get into the page.
(() => {
  const image = document.querySelector(".diagram img");
  if (!image) return;
  const SVG = "http://www.w3.org/2000/svg";
  const ELEMENTS = new Set(["svg", "g", "defs", "marker", "path", "rect", "circle", "text"]);
  const ATTRIBUTES = new Set(["viewBox", "width", "height", "x", "y", "rx", "ry", "cx", "cy", "r", "d", "fill", "stroke", "stroke-width", "stroke-dasharray", "marker-end",
    "transform", "font-family", "font-size", "font-weight", "textLength", "lengthAdjust", "id", "class", "refX", "refY", "markerWidth", "markerHeight", "markerUnits", "orient"]);
  const PREFIX = "picture-"; // apart from the names of the page

  /** The same shape; `null` if it is something else. */
  function copy(element) {
    if (!ELEMENTS.has(element.localName)) return null;
    const made = document.createElementNS(SVG, element.localName);
    for (const { name, value } of element.attributes) {
      if (!ATTRIBUTES.has(name) || (value.includes("url(") && !/^url\(#[\w-]+\)$/.test(value))) continue;
      made.setAttribute(name, name === "id" ? PREFIX + value : value.replace("url(#", "url(#" + PREFIX));
    }
    for (const child of element.childNodes) {
      const part = child.nodeType === Node.TEXT_NODE ? child.cloneNode() : child.nodeType === Node.ELEMENT_NODE ? copy(child) : null;
      if (part) made.append(document.adoptNode(part));
    }
    const title = [...element.children].find((child) => child.localName === "title");
    if (title) {
      made.setAttribute("aria-label", title.textContent);
      made.setAttribute("role", "img");
    }
    return made;
  }

  const bytes = Uint8Array.from(atob(image.src.split(",")[1]), (c) => c.charCodeAt(0));
  const source = new DOMParser().parseFromString(new TextDecoder().decode(bytes), "image/svg+xml").documentElement;
  const picture = copy(source);
  if (!picture) return;
  picture.setAttribute("role", "group");
  picture.setAttribute("aria-label", image.alt);
  image.replaceWith(picture);

  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  document.body.append(tip);
  const show = (edge, x, y) => {
    tip.textContent = edge.getAttribute("aria-label");
    tip.hidden = false;
    tip.style.left = Math.max(4, Math.min(x + 14, document.documentElement.clientWidth - tip.offsetWidth - 8)) + "px";
    tip.style.top = y + 14 + "px";
  };
  for (const edge of picture.querySelectorAll(".edge")) {
    const line = edge.querySelector("path").cloneNode();
    line.removeAttribute("marker-end");
    line.removeAttribute("stroke-dasharray");
    line.setAttribute("class", "reach");
    edge.append(line);
    edge.setAttribute("tabindex", "0");
    edge.addEventListener("mousemove", (event) => show(edge, event.clientX, event.clientY));
    edge.addEventListener("focus", () => { const box = edge.getBoundingClientRect(); show(edge, box.left + box.width / 2, box.top + box.height / 2); });
    for (const end of ["mouseleave", "blur"]) edge.addEventListener(end, () => { tip.hidden = true; });
  }
})();
