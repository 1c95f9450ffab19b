// Six points on a line: drag one; arrows show where the slope of the chosen loss moves each point.
(root, { S, names, starts, first }, make) => {
  const all = names.map((_, i) => i), n = names.length, NUDGE = 1e-5, RATE = 0.1, LONGEST = 0.1;
  const sum = (of) => all.reduce((total, i) => total + of(i), 0);
  const pairs = (of) => sum((i) => sum((j) => of(i, j)));
  const rows = (K) => K.map((row) => row.map((k) => k / sum((j) => row[j])));
  const term = (p, q) => (p > 0 ? p * Math.log(p / q) : 0);
  const links = (r, s) => term(r, s) + term(1 - r, 1 - s);
  const entropy = (K) => -sum((i) => Math.log(sum((j) => K[i][j]))) / n;
  const kie = (K) => entropy(K.map((row, i) => row.map((k, j) => k * S[i][j]))) - entropy(K);
  const wrong = (charge) => (K, x) => charge((x[0] - x[5]) ** 2, (x[0] - x[1]) ** 2);  // (A, F, B)
  const P = rows(S), LOSSES = {  // of the matrix of similarities and the places
    SNE: (K, x, Q = rows(K)) => pairs((i, j) => term(P[i][j], Q[i][j])) / n,
    BRE: (K) => pairs((i, j) => (i === j ? 0 : links(S[i][j], K[i][j]))) / 4,
    KIE: (K, x) => kie(K) + (0.1 * sum((i) => (x[i] - 2.5) ** 2)) / n,
    "KIE without penalty": kie,
    "(A, F, B): GNMDS": wrong((near, far) => Math.max(0, 1 + near - far)),
    "(A, F, B): STE": wrong((near, far) => Math.log1p(Math.exp(near - far))),
    "(A, F, B): CKL": wrong((near, far) => Math.log1p((0.05 + near) / (0.05 + far))),
    "(A, F, B): t-STE": wrong((near, far) => Math.log1p((1 + near) / (1 + far))),
    "(A, F, B): t-ETE": wrong((near, far) => (1 + near) / (2 + near + far)),
  };
  const value = (of, x) => LOSSES[of](x.map((u) => x.map((v) => 2 ** -((u - v) ** 2))), x);
  const pull = (of, x, i) => {  // minus the slope; 0 where points meet
    const [more, less] = [NUDGE, -NUDGE].map((h) => value(of, x.map((v, j) => (j === i ? v + h : v))));
    return Number.isFinite(more - less) ? (less - more) / (2 * NUDGE) : 0;
  };
  root.model = { LOSSES, value, pull };  // for tests
  let x = [...starts[0].x], chosen = first, last = n - 1, timer = 0;

  const at = (v) => 200 + 24 * (v - 3);
  const cell = 'style="text-align: left; font-weight: normal; padding: 0.1rem 1rem 0.1rem 0"';
  const line = (of) => `<tr><th scope="row" ${cell}><label><input type="radio" name="${root.id}" value="${of}">
    ${of}</label></th><td ${cell}></td><td ${cell}></td></tr>`;
  root.innerHTML = `<svg viewBox="0 0 400 176" role="group" aria-label="six points on a line"
    style="width: min(38rem, 100%); background: #fff; touch-action: none"></svg>
    <p style="margin: 0.3rem 0">${["Step", "Let go", ...starts.map((of) => of.name)].map((of) =>
    `<button type="button">${of}</button>`).join(" ")}</p><table style="margin: 0"><thead><tr>
    ${["loss", "value", ""].map((of) => `<th scope="col" ${cell}>${of}</th>`).join("")}</tr></thead>
    <tbody>${Object.keys(LOSSES).map(line).join("")}</tbody></table>`;
  const svg = root.querySelector("svg"), [step, go, ...back] = root.querySelectorAll("button");
  make("path", svg, { d: "M2 152H398", stroke: "#767676" });
  const text = { "text-anchor": "middle", "font-family": "sans-serif", "font-size": 12 };
  [-4, -2, 0, 2, 4, 6, 8, 10].forEach((v) => make("text", svg, { x: at(v), y: 171, ...text }, `${v}`.replace("-", "−")));
  const points = names.map((name, i) => {  // each in a lane of its own, above its place on the line
    const y = 14 + 24 * i, group = make("g", svg, { tabindex: 0, role: "slider", style: "cursor: grab",
      "aria-label": `place of ${name}`, "aria-valuemin": -5, "aria-valuemax": 11 });
    make("path", group, { d: `M0 ${y}V152`, stroke: "#767676", "stroke-dasharray": "2 3" });
    make("circle", group, { cy: 152, r: 3 });
    const arrow = make("path", group, { stroke: "#000", "stroke-width": 2, fill: "none" });
    make("circle", group, { cy: y, r: 11, stroke: "#000", fill: "#fff" });
    make("text", group, { y: y + 4, ...text }, name);
    group.addEventListener("pointerdown", (event) => group.setPointerCapture(event.pointerId));
    group.addEventListener("pointermove", ({ buttons, clientX }) => {
      const { left, width } = svg.getBoundingClientRect();
      if (buttons) put(i, 3 + ((400 * (clientX - left)) / width - 200) / 24);
    });
    group.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -0.1, ArrowRight: 0.1 }[event.key];
      if (by) { event.preventDefault(); put(i, x[i] + by); }
    });
    return { group, arrow, y };
  });
  const told = (f) => (Math.abs(f) < 1e-4 ? "none" : `${f < 0 ? "←" : "→"} ${Math.abs(f).toPrecision(2)}`);
  const draw = () => {
    points.forEach(({ group, arrow, y }, i) => {
      const f = pull(chosen, x, i), root = Math.sqrt(Math.abs(f)), way = Math.sign(f);
      const tip = way * (11 + (60 * root) / (1 + root));  // longer for a stronger pull
      group.setAttribute("transform", `translate(${at(x[i])} 0)`);
      group.setAttribute("aria-valuenow", x[i].toFixed(2));
      group.setAttribute("aria-valuetext", `${x[i].toFixed(1)}, pull ${told(f)}`);
      arrow.setAttribute("d", root < 0.05 ? "" : `M0 ${y}H${tip}m${-5 * way} -5l${5 * way} 5l${-5 * way} 5`);
    });
    root.querySelector("th:last-child").textContent = `pull on ${names[last]}`;
    root.querySelectorAll("tbody tr").forEach((of) => {
      const [radio, now, force] = ["input", "td", "td:last-child"].map((part) => of.querySelector(part));
      radio.checked = radio.value === chosen;
      now.textContent = value(radio.value, x).toFixed(3).replace("Infinity", "infinite");
      force.textContent = told(pull(radio.value, x, last));
    });
  };
  const stop = () => { clearInterval(timer); timer = 0; go.textContent = "Let go"; };
  const put = (i, v) => { stop(); x[i] = Math.min(11, Math.max(-5, v)); last = i; draw(); };
  const descend = () => {
    for (let k = 0; k < 20; k++) {
      const f = all.map((i) => pull(chosen, x, i)), most = Math.max(...f.map(Math.abs));
      x = x.map((v, i) => v + Math.min(RATE, LONGEST / most) * f[i]);
      if (most < 1e-6) stop();
    }
    draw();
  };
  step.addEventListener("click", () => { stop(); descend(); });
  go.addEventListener("click", () => {
    if (timer) { stop(); return; }
    [timer, go.textContent] = [setInterval(descend, 60), "Pause"];
  });
  back.forEach((of, k) => of.addEventListener("click", () => { stop(); x = [...starts[k].x]; draw(); }));
  root.addEventListener("change", (event) => { chosen = event.target.value; draw(); });
  draw();
}
