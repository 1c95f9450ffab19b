// Saved states of maps side by side: a slider steps through them, with the curve of a quantity below.
(root, { panels, steps, unit, colours, curve, first = 0 }, make) => {
  const SIDE = 200, WIDE = 420, HIGH = 120, DASHES = ["", "6 4", "2 3"];
  root.innerHTML = `<div style="display: flex; flex-wrap: wrap; gap: 0.5rem"></div>
    <p style="margin: 0.3rem 0"><button type="button">Play</button>
    <label>${unit} <input type="range" min="0" max="${steps.length - 1}" step="1"
    style="width: min(16rem, 50%); vertical-align: middle"></label> <output></output></p>`;
  const [box, slider, told, play] = ["div", "input", "output", "button"].map((s) => root.querySelector(s));
  const text = { "font-family": "sans-serif", "font-size": 13, fill: "#000" };

  const drawn = panels.map(({ name, maps, colours: own = colours }) => {
    const figure = box.appendChild(document.createElement("figure"));
    figure.style = `margin: 0; width: min(${SIDE * 1.15}px, 46%); background: #fff`;
    const svg = make("svg", figure, { viewBox: `0 0 ${SIDE} ${SIDE + 40}`, role: "img", "aria-label": name });
    make("text", svg, { x: SIDE / 2, y: 14, "text-anchor": "middle", ...text, "font-weight": "bold" }, name);
    const label = make("text", svg, { x: SIDE / 2, y: SIDE + 34, "text-anchor": "middle", ...text });
    const dots = own.map((fill) => make("circle", svg, { r: 2, fill }));
    return { dots, label, maps };
  });

  let mark = () => {};
  if (curve) {
    const all = panels.flatMap((panel) => panel.values).map(Math.log);
    const [low, high] = [Math.min(...all), Math.max(...all)], last = steps.at(-1);
    const x = (k) => 8 + (steps[k] / last) * (WIDE - 148);
    const y = (value) => 10 + (HIGH - 44) * ((high - Math.log(value)) / (high - low));
    const figure = box.appendChild(document.createElement("figure"));
    figure.style = `margin: 0; width: min(${WIDE * 1.15}px, 100%); background: #fff`;
    const svg = make("svg", figure, { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": curve });
    make("line", svg, { x1: 8, x2: WIDE - 140, y1: HIGH - 18, y2: HIGH - 18, stroke: "#888" });
    make("text", svg, { x: 8, y: HIGH - 4, ...text }, `${unit} 0`);
    make("text", svg, { x: WIDE - 140, y: HIGH - 4, "text-anchor": "end", ...text }, last);
    make("text", svg, { x: WIDE / 2 - 66, y: HIGH - 4, "text-anchor": "middle", ...text }, curve);
    const spots = panels.map(({ name, values }, p) => {
      const points = values.map((value, k) => `${x(k)},${y(value)}`).join(" ");
      make("polyline", svg, { points, fill: "none", stroke: "#000", "stroke-dasharray": DASHES[p] });
      make("text", svg, { x: x(values.length - 1) + 6, y: y(values.at(-1)) + 4, ...text }, name);
      return make("circle", svg, { r: 4, fill: "#D55E00" });
    });
    mark = (k) => spots.forEach((spot, p) => {
      const at = Math.min(k, panels[p].values.length - 1);
      spot.setAttribute("cx", x(at));
      spot.setAttribute("cy", y(panels[p].values[at]));
    });
  }

  const draw = () => {
    const k = Number(slider.value);
    drawn.forEach(({ dots, label, maps }, p) => {
      const at = Math.min(k, maps.length - 1);
      dots.forEach((dot, i) => {
        dot.setAttribute("cx", (SIDE / 2) * (1 + maps[at][2 * i] / 1100));
        dot.setAttribute("cy", 20 + (SIDE / 2) * (1 - maps[at][2 * i + 1] / 1100));
      });
      label.textContent = panels[p].texts[at];
    });
    mark(k);
    told.textContent = steps[k];
    slider.setAttribute("aria-valuetext", `${steps[k]}: ${drawn.map((d) => d.label.textContent).join("; ")}`);
  };
  let timer = 0;
  const stop = () => { clearInterval(timer); timer = 0; play.textContent = "Play"; };
  play.addEventListener("click", () => {
    if (timer) { stop(); return; }
    if (Number(slider.value) === steps.length - 1) slider.value = 0;
    play.textContent = "Pause";
    timer = setInterval(() => {
      slider.value = Number(slider.value) + 1;
      draw();
      if (Number(slider.value) === steps.length - 1) stop();
    }, 350);
  });
  slider.addEventListener("input", () => { stop(); draw(); });
  slider.value = first;
  draw();
}
