// The page of a claim: show the runs of the reading that the reader has switched to.
addEventListener("DOMContentLoaded", () => {
  const box = document.querySelector(".claim");
  if (!box) return;
  const { asks, readings } = JSON.parse(box.querySelector("script").textContent);
  const selects = [...box.querySelectorAll("select")];
  const svg = (name, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    return element;
  };
  const dots = (ask, values, colour) => {
    const place = (value) => 2 + (96 * (value - ask.low)) / (ask.high - ask.low || 1);
    const met = (value) => (ask.sign === "≥" ? value >= ask.bound : value <= ask.bound);
    const line = { x1: place(ask.bound), x2: place(ask.bound), y1: 0, y2: 10, class: "bound" };
    return values
      .filter((value) => value !== null)
      .map((value, k) => svg("circle", { cx: place(value), cy: 3 + (4 * (k % 5)) / 4, r: 0.9,
        class: colour || (met(value) ? "met" : "missed") }))
      .concat(svg("line", line));
  };
  const drawAsk = (ask, k, runs, ours) => {
    const row = document.createElement("div");
    const picture = svg("svg", { viewBox: "0 0 100 10", role: "img" });
    if (runs !== ours) picture.append(...dots(ask, ours.values[k], "ours"));
    picture.append(...dots(ask, runs.values[k]));
    const middle = [...runs.values[k]].sort((a, b) => a - b)[Math.floor(runs.values[k].length / 2)];
    const label = document.createElement("p");
    label.textContent = `${ask.says}; median ${Number(middle).toPrecision(3)}`;
    picture.setAttribute("aria-label", label.textContent);
    row.append(label, picture);
    return row;
  };
  const drawEmbedding = (words) => {
    const figure = box.querySelector("figure");
    const points = typeof EMBEDDINGS === "undefined" ? undefined : EMBEDDINGS[words];
    figure.hidden = !points;
    if (!points) return;
    const colour = (k) => `hsl(${Math.round((300 * k) / points.length)} 60% 45%)`;
    figure.querySelector("svg").replaceChildren(...points.map(([x, y], k) =>
      svg("circle", { cx: x, cy: -(y ?? 0), r: 16, fill: colour(k) })));
  };
  const show = () => {
    const runs = readings[selects.map((select) => select.selectedIndex).join()];
    const ours = readings[selects.map(() => 0).join()];
    const outcome = box.querySelector(".outcome");
    const met = runs && runs.met.filter(Boolean).length;
    outcome.textContent = runs
      ? `${runs === ours ? "Our reading" : runs.words}: met in ${met} of ${runs.met.length} runs.`
      : "These choices were not run together. Each was run alone, and some in combination.";
    box.querySelector(".asks").replaceChildren(
      ...(runs ? asks.map((ask, k) => drawAsk(ask, k, runs, ours)) : []));
    drawEmbedding(runs && runs.words);
  };
  for (const select of selects) select.addEventListener("change", show);
  show();
});
