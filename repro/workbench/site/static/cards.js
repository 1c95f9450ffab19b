// All claims: filters for the cards, kept in the address, so that a selection can be shared.
addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector(".filters");
  if (!form) return;
  const cards = [...document.querySelectorAll(".card-of-claim")];
  const asked = new URLSearchParams(location.hash.slice(1) || location.search);
  for (const field of form.elements) {
    if (!field.name) continue;
    if (asked.has(field.name)) field.value = asked.get(field.name);
    else if ([...asked].length) field.value = "";
  }
  const show = () => {
    const wanted = [...new FormData(form)].filter(([, value]) => value);
    for (const card of cards) {
      card.hidden = !wanted.every(([name, value]) => name === "words"
        ? value.toLowerCase().split(/\s+/).every((word) => card.textContent.toLowerCase().includes(word))
        : card.dataset[name] === value);
    }
    const n = cards.filter((card) => !card.hidden).length;
    const others = wanted.filter(([name]) => name !== "words").map(([, value]) => value);
    const among = others.length ? ` (shown: ${others.join(", ")})` : "";
    form.querySelector("output").textContent = `${n} of ${cards.length} claims${among}`;
  };
  form.addEventListener("input", () => {
    show();
    const chosen = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
    history.replaceState(null, "", `#${chosen}`);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  show();
});
