// Maps: the point under the pointer, or chosen by name, is named, and marked in every map.
addEventListener("DOMContentLoaded", () => {
  const content = document.querySelector("script.points");
  if (!content) return;
  const { labels, groups, colours, maps, pictures } = JSON.parse(content.textContent);
  const [choice, picked] = [document.querySelector(".find select"), document.querySelector(".picked")];
  const named = (k) => `${labels[k]} (${groups[k]})`;
  const order = [...labels.keys()].sort((a, b) => labels[a].localeCompare(labels[b], "en", { numeric: true }));
  choice.append(...order.map((k) => new Option(named(k), k)));

  const r = labels.length > 300 ? 12 : 20;
  const dots = Object.values(maps).map(({ x, y }) => {
    const [left, right, low, high] = [Math.min(...x), Math.max(...x), Math.min(...y), Math.max(...y)];
    const scale = 2000 / (Math.max(right - left, high - low) || 1);
    return labels.map((_, k) => svg("circle", {
      cx: scale * (x[k] - (left + right) / 2), cy: -scale * (y[k] - (low + high) / 2),
      r, fill: colours[groups[k]], "data-point": k,
    }));
  });

  const pick = (k) => {
    document.querySelectorAll(".marked").forEach((dot) => dot.classList.remove("marked"));
    choice.value = k ?? "";
    picked.textContent = k === undefined ? "" : named(k);
    if (k === undefined) return;
    for (const dot of dots.map((ofMap) => ofMap[k])) {
      dot.classList.add("marked");
      dot.parentElement.append(dot); // above the others
    }
    if (!pictures) return;
    const image = new Image(48, 48);
    image.src = pictures[k];
    image.alt = "";
    picked.prepend(image);
  };
  choice.addEventListener("change", () => pick(choice.value === "" ? undefined : Number(choice.value)));
  document.querySelectorAll(".maps svg").forEach((picture, m) => {
    picture.append(...dots[m]);
    for (const kind of ["pointerover", "click"]) {
      picture.addEventListener(kind, ({ target }) => {
        if (target.dataset.point && !target.classList.contains("marked")) pick(Number(target.dataset.point));
      });
    }
  });
});
