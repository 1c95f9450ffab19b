// The methods side by side: shape how the pull fades, reverse triplets, and see the map form anew.
(root, { near, far, start, labels, hues, first }, make) => {
  const n = labels.length, each = far.length / n, per = far.length / near.length, SIDE = 300, HIGH = 120;
  const I = far.map((_, m) => Math.floor(m / each)), close = far.map((_, m) => near[Math.floor(m / per)]);
  let Y, V, timer = 0;
  const range = (i, [name, min, max, step]) => `<p style="margin: 0.3rem 0"><label>${name} <input type="range"
    min="${min}" max="${max}" step="${step}" value="${first[i]}" style="width: min(16rem, 60%);
    vertical-align: middle"></label> <output></output></p>`;
  root.innerHTML = `${[["pull", 0, 2, 0.1], ["reversed", 0, 40, 10]].map((given, i) => range(i, given)).join("")}
    <div style="display: flex; flex-wrap: wrap; gap: 0.5rem"></div>`;
  const box = root.querySelector("div"), sliders = [...root.querySelectorAll("input")];
  const told = [...root.querySelectorAll("output")];
  const words = { "font-family": "sans-serif", "font-size": 13, fill: "#000" };
  const panel = (name, wide, high) => make("svg", box, { viewBox: `0 0 ${wide} ${high}`, role: "img",
    "aria-label": name, style: `width: min(${wide * 1.15}px, 100%); background: #fff` });
  const map = panel("map of the digits", SIDE, SIDE);
  const dots = labels.map((label) => make("text", map, { ...words, "font-size": 11, fill: hues[label],
    "text-anchor": "middle", "dominant-baseline": "central" }, label));
  const side = panel("above, the pull against the distance; below, the error of each run", SIDE, SIDE);
  const write = (x, y, text, anchor = "start") => make("text", side, { x, y, ...words, "text-anchor": anchor }, text);
  write(8, 16, "pull on B");
  write(292, 128, "distance of B: 0 to 6", "end");
  write(8, 158, "error of each run, named by its % reversed");
  ["grows", "fades slowly", "fades fast"].forEach((text, k) => write([28, 160, 292][k], 297, text, ["start", "middle", "end"][k]));
  [[112, 8], [280, 28], [280 - 0.5 * HIGH, 28]].forEach(([y, x]) => make("line", side, { x1: x, x2: 292, y1: y, y2: y, stroke: "#bbb" }));
  ["0", "0.5"].forEach((text, k) => write(24, 284 - 0.5 * k * HIGH, text, "end"));
  const curve = make("polyline", side, { fill: "none", stroke: "#0072B2", "stroke-width": 2 }), marks = {};

  // t-ETE's family, Eqs. (7)–(9): the logarithm of ℓ, and how strongly a triplet pulls.
  const shape = () => { const s = Number(sliders[0].value); return [Math.min(s, 1), Math.max(s, 1)]; };
  const logRatio = (c, u, v) => (c ? (Math.log1p(c * u) - Math.log1p(c * v)) / c : u - v);
  const slope = (t, r) => Math.exp(r - t * (r > 0 ? r + Math.log1p(Math.exp(-r)) : Math.log1p(Math.exp(r))));
  const descend = (steps) => {
    const [c, t] = shape(), G = new Float64Array(2 * n), limit = (Number(sliders[1].value) / 100) * far.length;
    const turned = far.map((_, m) => (m * 7919) % far.length < limit);
    const J = close.map((j, m) => (turned[m] ? far[m] : j)), K = far.map((k, m) => (turned[m] ? close[m] : k));
    for (let step = 0; step < steps; step++) {
      G.fill(0);
      for (let m = 0; m < far.length; m++) {
        const i = I[m], j = J[m], k = K[m];
        const a = Y[2 * i] - Y[2 * j], b = Y[2 * i + 1] - Y[2 * j + 1];
        const p = Y[2 * i] - Y[2 * k], q = Y[2 * i + 1] - Y[2 * k + 1];
        const u = a * a + b * b, v = p * p + q * q, force = 2 * slope(t, logRatio(c, u, v));
        const pull = force / (1 + c * u), push = force / (1 + c * v);
        G[2 * i] += pull * a - push * p; G[2 * i + 1] += pull * b - push * q;
        G[2 * j] -= pull * a; G[2 * j + 1] -= pull * b;
        G[2 * k] += push * p; G[2 * k + 1] += push * q;
      }
      for (let x = 0; x < 2 * n; x++) { V[x] = 0.8 * V[x] - ((0.2 * n) / far.length) * G[x]; Y[x] += V[x]; }
    }
  };
  const error = () => labels.filter((label, i) => {
    let best = Infinity, nearest = 0;
    labels.forEach((_, j) => {
      const d = (Y[2 * i] - Y[2 * j]) ** 2 + (Y[2 * i + 1] - Y[2 * j + 1]) ** 2;
      if (j !== i && d < best) { best = d; nearest = j; }
    });
    return labels[nearest] !== label;
  }).length / n;
  const draw = (done) => {
    const size = Y.map(Math.abs).sort().at(-n / 30), wrong = error();  // 1 of 60 coordinates is outside
    dots.forEach((dot, i) => ["x", "y"].forEach((key, l) => dot.setAttribute(key, (SIDE / 2) * (1 + Math.max(-0.97, Math.min(0.97, 0.9 * Y[2 * i + l] / size))))));
    if (done) told[1].textContent = `${sliders[1].value} %; the error is ${wrong.toFixed(2)}`;
    const key = sliders.map((slider) => slider.value).join();
    if (done && !marks[key]) marks[key] = write(38 + 122 * Number(sliders[0].value), 284 - HIGH * wrong, sliders[1].value, "middle");
  };
  const begin = () => {
    clearInterval(timer);
    [Y, V] = [Float64Array.from(start), new Float64Array(2 * n)];
    const [c, t] = shape(), d = Array.from({ length: 61 }, (_, k) => k / 10);
    const pulls = d.map((x) => (x * slope(t, logRatio(c, x * x, 1))) / (1 + c * x * x)), most = Math.max(...pulls);
    curve.setAttribute("points", d.map((x, k) => `${8 + 47 * x},${112 - (88 * pulls[k]) / most}`).join(" "));
    told[0].textContent = `at distance 6 it is ${Math.round((100 * pulls[60]) / most)} % of its largest`;
    told[1].textContent = `${sliders[1].value} %; descending …`;
    const frame = (steps) => { descend(steps); left -= steps; draw(left === 0); if (left === 0) clearInterval(timer); };
    let left = 400;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) frame(left); else timer = setInterval(frame, 40, 20);
  };
  sliders.forEach((slider) => slider.addEventListener("input", begin));
  root.model = { error, at: () => [...Y] };  // for tests
  begin();
}
