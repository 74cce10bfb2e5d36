"use strict";
(() => {
  const judges = JSON.parse(document.getElementById("data").textContent);

  function make(name, words, attributes) {
    const element = document.createElement(name);
    if (words !== undefined && words !== null) element.textContent = words;
    for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
    return element;
  }

  // content is made when first opened: a page has thousands of failures and shows few
  function lazy(summary, fill) {
    const details = make("details");
    details.append(summary);
    details.addEventListener("toggle", () => {
      if (details.open && details.childElementCount === 1) details.append(...fill());
    });
    return details;
  }

  function criterion(row) {
    const summary = make("summary");
    summary.append(make("span", row.layer, { class: "layer" }), make("bdi", row.ask || row.id));
    const basis = row.basis === "judged" ? "" : ` (${row.basis.replaceAll("_", " ")})`;
    const named = row.function ? ` · ${row.function}` : "";
    return lazy(summary, () => [
      make("p", row.reason || "No reason was given.", { class: "reason", dir: "auto" }),
      make("p", `criterion ${row.id}${named}${basis}`, { class: "note" }),
    ]);
  }

  function texts(turn) {
    const list = make("dl", null, { class: "texts" });
    for (const text of turn.texts || []) {
      const said = text.none ? "(nothing was delivered)" : text.text;
      list.append(make("dt", text.what), make("dd", said, { lang: text.lang, dir: "auto" }));
    }
    return list;
  }

  function turn(row, layer) {
    const failed = row.failed.filter((one) => !layer || one.layer === layer);
    const where = row.turn === null ? "whole conversation" : `turn ${row.turn}`;
    const summary = make("summary", `${row.scenario} · ${where} · ${row.direction.join(" → ")} · trial ${row.trial} · `);
    summary.append(make("span", `${failed.length}\u00a0not\u00a0met`, { class: "count" }));
    return lazy(summary, () => {
      const notes = (row.notes || []).map((note) => make("p", note, { class: "note", dir: "auto" }));
      return [texts(row), ...notes, ...failed.map(criterion)];
    });
  }

  function choice(label, values, change) {
    const select = make("select");
    select.append(make("option", "all", { value: "" }));
    for (const value of values) select.append(make("option", value, { value }));
    select.addEventListener("change", () => change(select.value));
    const held = make("label", `${label} `);
    held.append(select);
    return held;
  }

  function list(system) {
    const chosen = { layer: "", direction: "" };
    const body = make("div");
    const directions = [...new Set(system.turns.map((row) => row.direction.join(" → ")))].sort();
    const show = () => {
      const rows = system.turns.filter(
        (row) =>
          (!chosen.direction || row.direction.join(" → ") === chosen.direction) &&
          (!chosen.layer || row.failed.some((one) => one.layer === chosen.layer)),
      );
      body.replaceChildren(...rows.map((row) => turn(row, chosen.layer)));
    };
    const filters = make("div", null, { class: "filters" });
    filters.append(
      choice("layer", ["L1", "L2", "L3"], (value) => { chosen.layer = value; show(); }),
      choice("direction", directions, (value) => { chosen.direction = value; show(); }),
    );
    show();
    return [filters, body];
  }

  // paper cannot be clicked: tables are printed open, the failures as the reader left them
  const tables = document.querySelectorAll("section > details");
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...tables].filter((details) => !details.open);
    for (const details of closed) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of closed) details.open = false;
  });

  for (const place of document.querySelectorAll(".failures")) {
    const systems = judges[Number(place.dataset.judge)].systems;
    if (!systems.length) place.append(make("p", "No conversation is recorded.", { class: "note" }));
    for (const system of systems) {
      const summary = make("summary");
      const sampled = system.shown < system.total ? " shown, a sample by direction and layer" : " shown";
      const count = system.total ? ` ${system.shown} of ${system.total}${sampled}` : " nothing failed";
      summary.append(make("bdi", system.system), make("span", ` · ${system.mode} ·${count}`, { class: "count" }));
      place.append(lazy(summary, () => list(system)));
    }
  }
})();
