// The page of a claim: a click on a setting shows its embedding, with names if they are known.
addEventListener("DOMContentLoaded", () => {
  const figure = document.querySelector(".claim figure");
  if (!figure || typeof EMBEDDINGS === "undefined") return;
  const [caption, picture, legend] = ["figcaption", "svg", "ul"].map((n) => figure.querySelector(n));
  const known = JSON.parse(document.querySelector(".claim script[type]").textContent);
  const strips = [...document.querySelectorAll(".claim g[data-words]")];
  const groups = Object.keys(known.colours);
  const hue = (k, n) => `hsl(${Math.round((300 * k) / n)} 65% 50%)`;
  // Colours by the order of points are useful only if consecutive points are close.
  const ordered = (points) => {
    const apart = (step) => points.reduce((sum, [x, y = 0], k) => {
      const [u, v = 0] = points[(k + step) % points.length];
      return sum + Math.hypot(x - u, y - v);
    }, 0);
    return apart(1) < 0.6 * apart(Math.floor(points.length / 2.6) || 1);
  };
  const show = (strip) => {
    const points = EMBEDDINGS[strip.dataset.words];
    const named = known.settings.includes(strip.dataset.words) && known.labels.length === points.length;
    const grouped = named && groups.length > 1 && groups.length <= 20;
    const rainbow = !grouped && ordered(points);
    const dots = points.map(([x, y], k) => {
      const fill = grouped ? known.colours[known.groups[k]] : rainbow ? hue(k, points.length) : "#0072b2";
      const dot = svg("circle", { cx: x, cy: -(y ?? 0), r: points.length > 300 ? 12 : 20, fill });
      dot.append(svg("title", {}, named ? `${known.labels[k]} (${known.groups[k]})` : `point ${k + 1}`));
      return dot;
    });
    picture.replaceChildren(
      svg("rect", { x: -1060, y: -1060, width: 2120, height: 2120 }),
      svg("text", { x: 0, y: 1125 }, "axis 1"),
      svg("text", { x: 0, y: -1085, transform: "rotate(-90)" }, "axis 2"), ...dots);
    caption.textContent = `${figure.dataset.method}, ${strip.dataset.words}: the median run${
      rainbow ? "; colours follow the order of the points" : ""}`;
    picture.setAttribute("aria-label", `the embedding of ${caption.textContent}`);
    legend.replaceChildren(...(grouped ? groups : []).map((name) => {
      const item = document.createElement("li");
      const mark = document.createElement("span");
      mark.style.background = known.colours[name];
      item.append(mark, name);
      return item;
    }));
    for (const other of strips) other.setAttribute("aria-pressed", other === strip);
    figure.hidden = false;
  };
  const shown = strips.filter((strip) => strip.dataset.words in EMBEDDINGS);
  for (const strip of shown) {
    strip.closest("svg").setAttribute("role", "group");
    strip.setAttribute("role", "button");
    strip.setAttribute("tabindex", 0);
    strip.setAttribute("aria-label", `show the embedding: ${strip.dataset.words}`);
    strip.addEventListener("click", () => show(strip));
    strip.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); show(strip); }
    });
  }
  if (shown.length) show(shown[0]);
});
