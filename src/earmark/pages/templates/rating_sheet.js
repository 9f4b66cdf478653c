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

  const questions = sheet.screens.flatMap((each) => each.questions);

  // What is kept: the answer and seconds of each question, the clips heard of each unit, and the place.
  const kept = { answers: {}, seconds: {}, heard: {}, at: 0 };
  let lasting = true;
  try {
    const found = JSON.parse(localStorage.getItem(store) || "{}");
    for (const question of questions) {
      const choice = (found.answers || {})[question.id];
      if (question.choices.some(([offered]) => offered === choice)) kept.answers[question.id] = choice;
      const seconds = (found.seconds || {})[question.id];
      if (Number.isFinite(seconds) && seconds >= 0) kept.seconds[question.id] = seconds;
    }
    for (const { unit } of sheet.screens) {
      const heard = (found.heard || {})[unit];
      if (Array.isArray(heard)) kept.heard[unit] = heard.filter((n) => n in sheet.audio);
    }
    if (Number.isInteger(found.at) && found.at in sheet.screens) kept.at = found.at;
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

  let since = performance.now(), players = [], active = 0;
  const screen = () => sheet.screens[kept.at];
  const open = (each) => each.questions.findIndex((question) => !(question.id in kept.answers));
  const answered = () => questions.filter((each) => each.id in kept.answers).length;
  const heard = (number) => (kept.heard[screen().unit] || []).includes(number);
  const heardAll = () => screen().clips.every(([, number]) => heard(number));
  const say = (text) => { at("note").textContent = text; };

  const tell = () => {
    const done = answered(), count = questions.length;
    at("progress").value = done;
    at("status").textContent = done === count ? `all ${count} answered: download the file` : `${done} of ${count} answered`;
    at("previous").disabled = kept.at === 0;
    at("next").disabled = kept.at === sheet.screens.length - 1;
    at("open").disabled = done === count;
    at("download").disabled = done === 0;
    [...at("choices").children].forEach((asked, place) => {
      const { id } = screen().questions[place];
      asked.classList.toggle("now", screen().questions.length > 1 && place === active);
      for (const button of asked.querySelectorAll("button")) {
        button.disabled = !heardAll();
        button.setAttribute("aria-pressed", String(kept.answers[id] === button.dataset.choice));
      }
    });
  };

  const choose = (place, choice) => {
    if (!heardAll()) {
      say("Play every recording first.");
      return;
    }
    const { id } = screen().questions[place], now = performance.now();
    kept.seconds[id] = Math.round(10 * ((kept.seconds[id] || 0) + (now - since) / 1000)) / 10;
    since = now;
    kept.answers[id] = choice;
    const left = open(screen());
    active = left >= 0 ? left : place;
    say(lasting ? "" : "This browser keeps nothing: download the file before you close the page.");
    keep();
    tell();
  };

  const hear = (n) => {
    const { unit, clips } = screen();
    kept.heard[unit] = [...new Set([...(kept.heard[unit] || []), clips[n][1]])];
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
    const { about, asks, clips, questions: asked } = screen();
    const before = sheet.screens.slice(0, n).flatMap((each) => each.questions).length;
    const last = before + asked.length;
    const place = asked.length === 1 ? `Question ${last}` : `Questions ${before + 1} to ${last}`;
    at("number").textContent = `${place} of ${questions.length}`;
    active = Math.max(0, open(screen()));
    at("about-box").hidden = about.length === 0;
    fill(at("about"), about);
    fill(at("asks"), asks);
    players = clips.map(([label, number], place) => {
      const player = make("audio");
      player.controls = true;
      player.preload = "auto";
      player.src = sheet.audio[number];
      player.setAttribute("aria-label", label);
      player.addEventListener("play", () => { if (kept.at === n) hear(place); });
      player.addEventListener("error", () => {
        if (kept.at === n) say(`${label} cannot be played. Leave this question out, and tell whoever sent you the page.`);
      });
      return player;
    });
    at("clips").replaceChildren(...clips.map(([label], place) => {
      const row = make("div", undefined, heard(clips[place][1]) ? "clip heard" : "clip");
      const name = make("span", `${label} `);
      if (clipKeys[place]) name.append(make("kbd", clipKeys[place]));
      row.append(name, players[place]);
      return row;
    }));
    at("choices").classList.toggle("several", asked.length > 1);
    at("choices").replaceChildren(...asked.map(({ asks: words, choices }, number) => {
      const part = make("div", undefined, "asked"), answers = make("div", undefined, "answers");
      part.setAttribute("role", "group");
      part.setAttribute("aria-label", words.join(" ") || "Your answer");
      answers.replaceChildren(...choices.map(([choice, means], place) => {
        const button = make("button");
        button.type = "button";
        button.dataset.choice = choice;
        button.append(make("strong", choice));
        if (choiceKeys[place]) button.append(make("kbd", choiceKeys[place]));
        if (means) button.append(make("small", means));
        button.addEventListener("click", () => choose(number, choice));
        return button;
      }));
      part.addEventListener("focusin", () => {
        active = number;
        tell();
      });
      part.append(...words.map((text) => make("p", text)), answers);
      return part;
    }));
    keep();
    tell();
  };

  const move = (step) => {
    if (kept.at + step in sheet.screens) {
      show(kept.at + step);
      at("number").focus();
    }
  };

  const download = () => {
    const rows = questions.filter((each) => each.id in kept.answers);
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
    const first = sheet.screens.findIndex((each) => open(each) >= 0);
    if (first >= 0) show(first);
  });
  at("download").addEventListener("click", download);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    const on = event.target.tagName, key = event.key.toLowerCase();
    const choice = choiceKeys.indexOf(key), clip = clipKeys.indexOf(key);
    const offered = screen().questions[active].choices;
    if (key.length === 1 && choice >= 0 && choice < offered.length) choose(active, offered[choice][0]);
    else if (key.length === 1 && clip >= 0 && clip < players.length) play(clip);
    else if (key === "enter" && on !== "BUTTON" && on !== "SUMMARY" && on !== "AUDIO") move(1);
    else if (key === "arrowright" && on !== "AUDIO") move(1);
    else if (key === "arrowleft" && on !== "AUDIO") move(-1);
    else return;
    event.preventDefault();
  });
  show(kept.at);
})();
