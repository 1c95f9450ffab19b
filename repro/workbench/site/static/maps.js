// Interactive maps: select a point by name, by keyboard, or by tapping it; its name is shown.
addEventListener("load", async () => {
  const choice = document.querySelector(".find select");
  if (!choice || typeof Bokeh === "undefined") return;
  let source;
  while (!(source = Bokeh.documents[0]?.get_model_by_name("points"))) {
    await new Promise((done) => setTimeout(done, 100));
  }
  const { label, group, picture } = source.data;
  const order = [...label.keys()].sort((a, b) => String(label[a]).localeCompare(label[b], "en", { numeric: true }));
  choice.append(...order.map((k) => new Option(`${label[k]} (${group[k]})`, k)));
  choice.addEventListener("change", () => {
    source.selected.indices = choice.value ? [Number(choice.value)] : [];
  });
  source.selected.properties.indices.change.connect(() => {
    const chosen = source.selected.indices;
    const said = document.querySelector(".picked");
    choice.value = chosen.length === 1 ? chosen[0] : "";
    said.textContent = chosen.length === 1 ? `${label[chosen[0]]} (${group[chosen[0]]})`
      : chosen.length ? `${chosen.length} points` : "";
    if (chosen.length === 1 && picture) {
      const image = new Image(48, 48);
      image.src = picture[chosen[0]];
      image.alt = "";
      said.prepend(image);
    }
  });
});
