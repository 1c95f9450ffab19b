// MRE Figure 1: drag a car's curve; arrows show where the loss pulls each car, "Let go" descends.
(root, { X, R, P, car, names, low }, make) => {
  const n = X.length, COLOURS = ["#0072B2", "#D55E00", "#009E73"];
  const wide = [0, 2].map((l) => Math.max(...X.map((x) => Math.abs(x[l]))));
  const SCALE = Math.min(170 / wide[0], 120 / wide[1]);
  const start = X.map((x) => [...x]);
  const alike = car.map((c) => car.map((d) => (c === d ? 1 / car.filter((e) => e === c).length : 0)));

  // Probabilities of neighbours, and the loss of one relation with its gradient, Eqs. (2), (4), (5).
  const rows = (Z) => Z.map((z) => {
    const kernels = Z.map((y) => Math.exp(-z.reduce((sum, v, l) => sum + (v - y[l]) ** 2, 0)));
    const sum = kernels.reduce((a, b) => a + b, 0);
    return kernels.map((k) => k / sum);
  });
  const relation = (Z, given) => {
    const Q = rows(Z);
    let loss = 0;
    const gradient = Z.map((z, i) => {
      const step = z.map(() => 0);
      for (let j = 0; j < n; j++) {
        if (given[i][j] > 0) loss += given[i][j] * Math.log(given[i][j] / Q[i][j]);
        const pull = given[i][j] + given[j][i] - Q[i][j] - Q[j][i];
        z.forEach((v, l) => { step[l] += (2 / n) * pull * (v - Z[j][l]); });
      }
      return step;
    });
    return { loss: loss / n, gradient };
  };
  const valueAndGradient = () => {
    let loss = 0;
    const gradient = X.map((x) => x.map(() => 0));
    [P, alike].forEach((given, c) => {
      const found = relation(X.map((x) => x.map((v, l) => v * R[c][l])), given);
      loss += found.loss;
      found.gradient.forEach((g, i) => g.forEach((v, l) => { gradient[i][l] += v * R[c][l]; }));
    });
    return { loss, gradient };
  };
  root.model = { X, R, P, car, valueAndGradient };  // for tests

  root.innerHTML = `<svg viewBox="-200 -170 400 340" style="width: min(30rem, 100%); background: #fff;
    touch-action: none" role="group" aria-label="the cars' curves in the embedding"></svg>
    <p style="margin: 0.3rem 0"><button type="button">Let go</button>
    <button type="button">Back</button> <output></output></p>`;
  const svg = root.querySelector("svg"), output = root.querySelector("output");
  const [go, back] = root.querySelectorAll("button");
  const at = (x) => [SCALE * x[0], -SCALE * x[2]];
  const arrows = make("g", svg, { stroke: "#000", "stroke-width": 3 });
  const cars = names.map((name, c) => {
    const group = make("g", svg, { tabindex: 0, role: "button", style: "cursor: grab",
      "aria-label": `${name}: arrow keys move it along the axis of the class` });
    const line = make("polyline", group, { fill: "none", stroke: COLOURS[c], "stroke-width": 14,
      "stroke-opacity": 0.25 });
    const dots = X.flatMap((_, i) => (car[i] === c ? [[i, make("circle", group, { r: 4,
      fill: COLOURS[c] })]] : []));
    const label = make("text", group, { fill: COLOURS[c], "font-size": 13, "font-family": "sans-serif" }, name);
    return { group, line, dots, label };
  });
  let held = -1, timer = 0, speed = X.map((x) => x.map(() => 0));

  const draw = () => {
    const { loss, gradient } = valueAndGradient();
    arrows.replaceChildren();
    cars.forEach(({ line, dots, label }, c) => {
      const places = dots.map(([i]) => at(X[i]));
      dots.forEach(([, dot], k) => { [["cx", 0], ["cy", 1]].forEach(([key, l]) => dot.setAttribute(key, places[k][l])); });
      line.setAttribute("points", places.map((p) => p.join()).join(" "));
      const [x, y] = [0, 1].map((l) => places.reduce((sum, p) => sum + p[l], 0) / places.length);
      const [u, v] = at(dots.reduce((sum, [i]) => sum.map((s, l) => s - gradient[i][l]), [0, 0, 0]));
      const long = Math.hypot(u, v), factor = Math.min(6, 60 / (long || 1));
      label.setAttribute("x", places[0][0] - 14);
      label.setAttribute("y", places[0][1] - 12);
      if (long * factor > 3) {
        const [dx, dy] = [u * factor, v * factor], h = 7 / Math.hypot(dx, dy);
        make("path", arrows, { fill: "#000", d: `M${x} ${y}l${dx} ${dy}m${-h * (dx + dy / 2)} ${-h * (dy - dx / 2)}l${h * (dx + dy / 2)} ${h * (dy - dx / 2)}l${-h * (dx - dy / 2)} ${-h * (dy + dx / 2)}` });
      }
    });
    output.textContent = `loss ${loss.toFixed(3)} (lowest found: ${low.toFixed(3)})`;
    return gradient;
  };
  const shift = (c, dx, dz) => { cars[c].dots.forEach(([i]) => { X[i][0] += dx; X[i][2] += dz; }); draw(); };
  const stop = () => { clearInterval(timer); timer = 0; go.textContent = "Let go"; };
  const descend = () => {
    const { gradient } = valueAndGradient();
    X.forEach((x, i) => x.forEach((_, l) => {
      speed[i][l] = 0.8 * speed[i][l] - 2 * gradient[i][l];
      x[l] += speed[i][l];
    }));
    draw();
  };
  cars.forEach(({ group }, c) => {
    group.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      stop();
      held = c;
      let before = [event.clientX, event.clientY];
      const unit = 400 / svg.getBoundingClientRect().width / SCALE;
      const move = (now) => {
        shift(c, unit * (now.clientX - before[0]), -unit * (now.clientY - before[1]));
        before = [now.clientX, now.clientY];
      };
      const end = () => { held = -1; removeEventListener("pointermove", move); };
      addEventListener("pointermove", move);
      addEventListener("pointerup", end, { once: true });
      addEventListener("pointercancel", end, { once: true });
    });
    group.addEventListener("keydown", (event) => {
      const step = { ArrowUp: 0.1, ArrowDown: -0.1 }[event.key];
      if (step) { event.preventDefault(); stop(); shift(c, 0, step); }
    });
  });
  go.addEventListener("click", () => {
    if (timer) { stop(); return; }
    speed = X.map((x) => x.map(() => 0));
    timer = setInterval(descend, 60);
    go.textContent = "Pause";
  });
  back.addEventListener("click", () => { stop(); X.forEach((x, i) => x.splice(0, 3, ...start[i])); draw(); });
  draw();
}
