// Your own answers: drag a dish; shaded are the places where about as many of its answers hold.
(root, { names, Y, T, marks, first = 0, numbers = [10, 20, 40, 80, 160, Infinity] }, make) => {
  const HALF = 2, CELLS = 48, SIDE = 400, STEP = (2 * HALF) / CELLS;
  const px = (v) => (SIDE / 2) * (1 + v / HALF), py = (v) => (SIDE / 2) * (1 - v / HALF);
  const square = (a, b) => (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2;
  const about = (k, n) => T.filter((t) => t.includes(k)).slice(0, n);
  // How many of some answers hold if dish k lies at a place, and the others where they are.
  const held = (k, place, asked) => {
    const at = (i) => (i === k ? place : Y[i]);
    return asked.filter(([a, b, c]) => square(at(a), at(b)) < square(at(a), at(c))).length;
  };
  // The most found on a grid of places, and those that lose at most √n of n answers.
  const free = (k, asked) => {
    const cells = [];
    for (let r = 0; r < CELLS; r++) for (let c = 0; c < CELLS; c++) {
      const place = [(c + 0.5) * STEP - HALF, (r + 0.5) * STEP - HALF];
      cells.push({ place, held: held(k, place, asked) });
    }
    const most = Math.max(...cells.map((cell) => cell.held));
    const near = cells.filter((cell) => cell.held >= most - Math.sqrt(asked.length));
    return { most, near, reach: Math.sqrt(Math.max(...near.map((cell) => square(cell.place, Y[k])))) };
  };
  root.model = { about, held, free };  // for tests

  root.innerHTML = `<p style="margin: 0.3rem 0"><label>dish <select>${names.map((name, k) =>
    `<option value="${k}">${name}</option>`).join("")}</select></label>
    <label>answers about it <input type="range" min="0" max="${numbers.length - 1}" step="1"
    style="width: 8rem; vertical-align: middle"></label> <button type="button">Back</button></p>
    <svg viewBox="0 0 ${SIDE} ${SIDE}" style="width: min(30rem, 100%); background: #fff;
    border: 1px solid #bbb; box-sizing: border-box; touch-action: none" role="group" aria-label="the map of dishes"></svg>
    <p style="margin: 0.3rem 0"><output></output></p>`;
  const [choice, slider, back, svg, told] = ["select", "input", "button", "svg", "output"].map((s) => root.querySelector(s));
  const text = { "font-family": "sans-serif", "font-size": 12 };
  const patch = make("path", svg, { fill: "#56B4E9", "fill-opacity": 0.45, stroke: "none" });
  const dots = Y.map(([x, y]) => make("circle", svg, { cx: px(x), cy: py(y), r: 3, fill: "#777" }));
  const beside = ([x, y], gap) => ({ x: px(x) + (x > 0.6 ? -gap : gap), y: py(y) + 4, "text-anchor": x > 0.6 ? "end" : "start" });
  const labels = marks.map((k) => make("text", svg, { ...beside(Y[k], 6), fill: "#555", ...text }, names[k]));
  const dish = make("g", svg, { tabindex: 0, role: "button", style: "cursor: grab" });
  const dot = make("circle", dish, { r: 7, fill: "#D55E00", stroke: "#000" });
  const label = make("text", dish, { fill: "#000", ...text, "font-weight": "bold", "paint-order": "stroke", stroke: "#fff", "stroke-width": 4 });

  let k, asked, found, place;
  const show = () => {
    dot.setAttribute("cx", px(place[0]));
    dot.setAttribute("cy", py(place[1]));
    Object.entries(beside(place, 11)).forEach(([key, value]) => label.setAttribute(key, value));
    told.textContent = `Here ${held(k, place, asked)} of ${asked.length} answers about ${names[k]} hold, at most ${found.most}. The farthest shaded place is ${found.reach.toFixed(2)} away from its own.`;
  };
  const update = () => {
    k = Number(choice.value);
    asked = about(k, numbers[slider.value]);
    found = free(k, asked);
    slider.setAttribute("aria-valuetext", `${asked.length} answers`);
    patch.setAttribute("d", found.near.map(({ place: [x, y] }) => `M${px(x - STEP / 2)} ${py(y + STEP / 2)}h${SIDE / CELLS}v${SIDE / CELLS}h${-SIDE / CELLS}z`).join(""));
    dots.forEach((one, i) => one.setAttribute("visibility", i === k ? "hidden" : "visible"));
    labels.forEach((one, i) => one.setAttribute("visibility", marks[i] === k ? "hidden" : "visible"));
    label.textContent = names[k];
    dish.setAttribute("aria-label", `${names[k]}: arrow keys move it`);
    show();
  };
  const moveTo = (x, y) => { place = [x, y].map((v) => Math.max(-HALF, Math.min(HALF, v))); show(); };
  const home = () => { place = [...Y[Number(choice.value)]]; update(); };
  dish.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    const move = (now) => {
      const box = svg.getBoundingClientRect(), unit = (2 * HALF) / box.width;
      moveTo((now.clientX - box.left) * unit - HALF, HALF - (now.clientY - box.top) * unit);
    };
    const end = () => removeEventListener("pointermove", move);
    addEventListener("pointermove", move);
    ["pointerup", "pointercancel"].forEach((name) => addEventListener(name, end, { once: true }));
  });
  dish.addEventListener("keydown", (event) => {
    const step = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    if (step) { event.preventDefault(); moveTo(place[0] + 0.1 * step[0], place[1] + 0.1 * step[1]); }
  });
  choice.addEventListener("change", home);
  slider.addEventListener("input", update);
  back.addEventListener("click", home);
  [choice.value, slider.value] = [first, numbers.length - 1];
  home();
}
