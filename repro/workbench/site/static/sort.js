// Sort a table by the column whose head is clicked: numbers by size, words alphabetically.
addEventListener("DOMContentLoaded", () => {
  for (const head of document.querySelectorAll(".sortable th")) {
    const button = document.createElement("button");
    button.append(head.textContent);
    head.replaceChildren(button);
    head.setAttribute("aria-sort", "none");
    head.addEventListener("click", () => {
      const body = head.closest("table").tBodies[0];
      const down = head.getAttribute("aria-sort") === "ascending";
      const key = (row) => row.cells[head.cellIndex].textContent.trim();
      const order = (a, b) => {
        const [x, y] = [parseFloat(key(a)), parseFloat(key(b))];
        if (isNaN(x) && isNaN(y)) return key(a).localeCompare(key(b));
        return isNaN(x) ? 1 : isNaN(y) ? -1 : x - y;
      };
      const rows = [...body.rows].sort(order);
      for (const other of head.parentElement.cells) other.setAttribute("aria-sort", "none");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      body.append(...(down ? rows.reverse() : rows));
    });
  }
});
