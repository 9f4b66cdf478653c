"use strict";
// No angle bracket and no ampersand may stand here: the page is XML too.
document.querySelectorAll("table.board").forEach(table => {
  const heads = Array.from(table.tHead.rows[0].cells);
  const first = table.tBodies[0];
  const rows = Array.from(first.rows);
  const status = document.getElementById(table.dataset.status);
  const state = { at: heads.findIndex(head => head.hasAttribute("aria-sort")), down: true, group: [] };

  const compared = (one, other) => {
    const a = one.cells[state.at].dataset.by;
    const b = other.cells[state.at].dataset.by;
    // What has no value stands last, whichever way.
    if (a === "" || b === "") { return a === b ? 0 : a === "" ? 1 : -1; }
    const number = heads[state.at].dataset.number === "yes";
    const x = number ? Number(a) : a.toLowerCase();
    const y = number ? Number(b) : b.toLowerCase();
    const up = x === y ? 0 : x > y ? 1 : -1;
    return state.down ? -up : up;
  };
  const groupOf = row => row.classList.contains("rule") ? "rules that do not listen"
    : state.group.map(name => row.dataset[name].replaceAll("_", " ")).join(", ");
  const grouped = () => {
    if (state.group.length === 0) { return new Map([["", rows.slice()]]); }
    const found = new Map();
    rows.forEach(row => found.set(groupOf(row), (found.get(groupOf(row)) || []).concat(row)));
    const last = name => name.startsWith("rules that") ? 2 : name.startsWith("undeclared") ? 1 : 0;
    const names = Array.from(found.keys()).sort((a, b) => last(a) - last(b) || (a > b ? 1 : -1));
    return new Map(names.map(name => [name, found.get(name)]));
  };
  const arrange = () => {
    Array.from(table.tBodies).forEach(body => body.remove());
    grouped().forEach((members, name) => {
      const body = document.createElement("tbody");
      if (name !== "") {
        const row = body.insertRow();
        row.className = "group";
        const head = document.createElement("th");
        head.scope = "rowgroup";
        head.colSpan = heads.length;
        head.textContent = name;
        row.append(head);
      }
      body.append(...members.sort(compared));
      table.append(body);
    });
    heads.forEach((head, at) => {
      if (at === state.at) { head.setAttribute("aria-sort", state.down ? "descending" : "ascending"); }
      else { head.removeAttribute("aria-sort"); }
    });
  };
  heads.forEach((head, at) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      // Numbers from the greatest, words from the first; once more the other way.
      state.down = at === state.at ? !state.down : head.dataset.number === "yes";
      state.at = at;
      arrange();
      status.textContent = "sorted by " + button.textContent + ", " + (state.down ? "descending" : "ascending");
    });
  });
  const select = document.querySelector("select[data-of='" + table.id + "']");
  select.addEventListener("change", () => {
    state.group = select.value === "" ? [] : select.value.split(" ");
    arrange();
    status.textContent = "grouped by " + select.selectedOptions[0].textContent;
  });
  select.closest(".tools").hidden = false;
});
