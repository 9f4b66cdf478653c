"use strict";
(() => {
  const sheet = JSON.parse(document.getElementById("sheet").textContent);
  const store = `earmark-panel ${sheet.id}`;
  const choiceKeys = "123456789", clipKeys = "qwertyuiop";
  const at = (id) => document.getElementById(id);
  const make = (tag, text, name) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (name) made.className = name;
    return made;
  };

  // What is kept: the answer and seconds of each question, the clips heard, and the place.
  const kept = { answers: {}, seconds: {}, heard: {}, at: 0 };
  let lasting = true;
  try {
    const found = JSON.parse(localStorage.getItem(store) || "{}");
    for (const question of sheet.questions) {
      const choice = (found.answers || {})[question.id];
      if (question.choices.some(([offered]) => offered === choice)) kept.answers[question.id] = choice;
      const seconds = (found.seconds || {})[question.id];
      if (Number.isFinite(seconds) && seconds >= 0) kept.seconds[question.id] = seconds;
      const heard = (found.heard || {})[question.id];
      if (Array.isArray(heard)) kept.heard[question.id] = heard.filter((n) => n in question.clips);
    }
    if (Number.isInteger(found.at) && found.at in sheet.questions) kept.at = found.at;
  } catch {
    lasting = false;
  }
  const keep = () => {
    try {
      localStorage.setItem(store, JSON.stringify(kept));
    } catch {
      lasting = false;
    }
  };

  let since = performance.now(), players = [];
  const question = () => sheet.questions[kept.at];
  const answered = () => sheet.questions.filter((each) => each.id in kept.answers).length;
  const heardAll = () => question().clips.every((_, n) => (kept.heard[question().id] || []).includes(n));
  const say = (text) => { at("note").textContent = text; };

  const tell = () => {
    const done = answered(), count = sheet.questions.length;
    at("progress").value = done;
    at("status").textContent = done === count ? `all ${count} answered: download the file` : `${done} of ${count} answered`;
    at("previous").disabled = kept.at === 0;
    at("next").disabled = kept.at === count - 1;
    at("open").disabled = done === count;
    at("download").disabled = done === 0;
    for (const button of at("choices").children) {
      button.disabled = !heardAll();
      button.setAttribute("aria-pressed", String(kept.answers[question().id] === button.dataset.choice));
    }
  };

  const choose = (choice) => {
    if (!heardAll()) {
      say("Play every recording first.");
      return;
    }
    const id = question().id, now = performance.now();
    kept.seconds[id] = Math.round(10 * ((kept.seconds[id] || 0) + (now - since) / 1000)) / 10;
    since = now;
    kept.answers[id] = choice;
    say(lasting ? "" : "This browser keeps nothing: download the file before you close the page.");
    keep();
    tell();
  };

  const hear = (n) => {
    const id = question().id;
    kept.heard[id] = [...new Set([...(kept.heard[id] || []), n])];
    players.forEach((player, other) => { if (other !== n) player.pause(); });
    at("clips").children[n].classList.add("heard");
    if (heardAll()) say("");
    keep();
    tell();
  };

  const play = (n) => {
    const player = players[n];
    if (!player) return;
    player.currentTime = 0;
    player.play().catch(() => {});
  };

  const fill = (place, parts) => place.replaceChildren(...parts.map((part) => make("p", part)));

  const show = (n) => {
    kept.at = n;
    since = performance.now();
    players.forEach((player) => player.pause());
    say("");
    const { id, about, asks, clips, choices } = question();
    at("number").textContent = `Question ${n + 1} of ${sheet.questions.length}`;
    at("about-box").hidden = about.length === 0;
    fill(at("about"), about);
    fill(at("asks"), asks);
    players = clips.map(([label, number], place) => {
      const player = make("audio");
      player.controls = true;
      player.preload = "auto";
      player.src = sheet.audio[number];
      player.setAttribute("aria-label", label);
      player.addEventListener("play", () => hear(place));
      player.addEventListener("error", () => {
        if (question().id === id) say(`${label} cannot be played. Leave this question out, and tell whoever sent you the page.`);
      });
      return player;
    });
    at("clips").replaceChildren(...clips.map(([label], place) => {
      const row = make("div", undefined, (kept.heard[id] || []).includes(place) ? "clip heard" : "clip");
      const name = make("span", `${label} `);
      if (clipKeys[place]) name.append(make("kbd", clipKeys[place]));
      row.append(name, players[place]);
      return row;
    }));
    at("choices").replaceChildren(...choices.map(([choice, means], place) => {
      const button = make("button");
      button.type = "button";
      button.dataset.choice = choice;
      button.append(make("strong", choice));
      if (choiceKeys[place]) button.append(make("kbd", choiceKeys[place]));
      if (means) button.append(make("small", means));
      button.addEventListener("click", () => choose(choice));
      return button;
    }));
    keep();
    tell();
  };

  const move = (step) => {
    if (kept.at + step in sheet.questions) {
      show(kept.at + step);
      at("number").focus();
    }
  };

  const download = () => {
    const rows = sheet.questions.filter((each) => each.id in kept.answers);
    const lines = rows.map((each) => `${each.id},${kept.answers[each.id]},${kept.seconds[each.id] || 0}\r\n`);
    const link = make("a");
    link.href = URL.createObjectURL(new Blob(["presentation_id,choice,latency_s\r\n", ...lines], { type: "text/csv" }));
    link.download = `${sheet.rater}.csv`;
    link.click();
    URL.revokeObjectURL(link.href);
  };

  at("previous").addEventListener("click", () => move(-1));
  at("next").addEventListener("click", () => move(1));
  at("open").addEventListener("click", () => {
    const first = sheet.questions.findIndex((each) => !(each.id in kept.answers));
    if (first >= 0) show(first);
  });
  at("download").addEventListener("click", download);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    const on = event.target.tagName, key = event.key.toLowerCase();
    const choice = choiceKeys.indexOf(key), clip = clipKeys.indexOf(key);
    if (key.length === 1 && choice >= 0 && choice < question().choices.length) choose(question().choices[choice][0]);
    else if (key.length === 1 && clip >= 0 && clip < players.length) play(clip);
    else if (key === "enter" && on !== "BUTTON" && on !== "SUMMARY" && on !== "AUDIO") move(1);
    else if (key === "arrowright" && on !== "AUDIO") move(1);
    else if (key === "arrowleft" && on !== "AUDIO") move(-1);
    else return;
    event.preventDefault();
  });
  show(kept.at);
})();
