// swift-format-ignore-file
// Written by .ci/page.py from inspector.html, which is what to edit.

/// The page of the inspector: `inspector.html` as it stands.
let embeddedPage: StaticString = #"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Tidings inspector</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<style>
:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f6f3, #101214); --card: light-dark(#ffffff, #17191d); --raised: light-dark(#f1f1ed, #1f2227);
  --ink: light-dark(#17181b, #e9eaed); --dim: light-dark(#62656d, #9da2ac); --line: light-dark(#e4e4df, #282c32);
  --accent: light-dark(#2b5ad0, #82a7ff); --accent-soft: light-dark(#dde6fb, #22314f);
  --call: light-dark(#1d8457, #4fca90); --wait: light-dark(#f2d9a4, #5b4a22);
  --bad: light-dark(#bd2f27, #ff7f76); --warn: light-dark(#945700, #ebb659); --warn-soft: light-dark(#fdf3df, #2d2515);
  --sans: Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --mono: "JetBrains Mono", ui-monospace, "SF Mono", Menlo, "Cascadia Mono", "DejaVu Sans Mono", monospace;
}
:root[data-theme=light] { color-scheme: light } :root[data-theme=dark] { color-scheme: dark }
* { box-sizing: border-box }
html { scroll-padding-top: 112px; -webkit-text-size-adjust: 100% }
body { margin: 0; background: var(--ground); color: var(--ink); font: 13px/1.45 var(--sans); font-variant-numeric: tabular-nums; font-feature-settings: "cv05", "ss03" }
h1, h2, p, ol, ul, dl, dd, fieldset { margin: 0; padding: 0; border: 0; list-style: none }
button, input, select { font: inherit; color: inherit }
button { cursor: pointer }
code, .place { font: 12px/1.45 var(--mono); font-feature-settings: normal; font-variant-ligatures: none }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.skip { position: absolute; left: 12px; top: -60px; background: var(--ink); color: var(--card); padding: 8px 14px; border-radius: 0 0 6px 6px; z-index: 9 }
.skip:focus { top: 0 }
[hidden] { display: none !important }

/* The head of the page */
.top { position: sticky; top: 0; z-index: 5; background: color-mix(in srgb, var(--ground) 92%, transparent); backdrop-filter: blur(10px); border-bottom: 1px solid var(--line) }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 14px; max-width: 2160px; margin: 0 auto; padding: 10px 24px }
.bar + .bar { padding-top: 0 }
.brand { display: flex; align-items: baseline; gap: 10px; margin-right: auto; min-width: 0 }
.brand h1 { font-size: 15px; font-weight: 650; letter-spacing: -.01em; white-space: nowrap }
.brand h1 svg { width: 17px; height: 17px; vertical-align: -3px; margin-right: 7px }
.program { color: var(--dim); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0 }
.state { display: inline-flex; align-items: center; gap: 7px; white-space: nowrap; color: var(--dim) }
.state::before { content: ""; width: 8px; height: 8px; border-radius: 50%; background: var(--dim) }
.state[data-state=live]::before { background: var(--call); box-shadow: 0 0 0 3px color-mix(in srgb, var(--call) 22%, transparent) }
.state[data-state=held]::before, .state[data-state=recording]::before { background: var(--warn) }
.state[data-state=lost] { color: var(--bad) } .state[data-state=lost]::before { background: var(--bad) }
.tiers { display: inline-flex; border: 1px solid var(--line); border-radius: 7px; background: var(--card); overflow: hidden }
.tiers label { position: relative; padding: 4px 12px; cursor: pointer; color: var(--dim) }
.tiers label + label { border-left: 1px solid var(--line) }
.tiers input { position: absolute; opacity: 0; inset: 0; margin: 0; cursor: pointer }
.tiers label:has(:checked) { background: var(--accent-soft); color: var(--ink); font-weight: 550 }
.tiers label:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: -2px }
.tool { border: 1px solid var(--line); border-radius: 7px; background: var(--card); padding: 4px 11px; white-space: nowrap }
.tool:hover { border-color: var(--dim) }
.tool[aria-pressed=true] { background: var(--warn-soft); border-color: var(--warn); color: var(--warn); font-weight: 550 }
.tools { display: flex; flex-wrap: wrap; gap: 6px }
.sections { display: flex; flex-wrap: wrap; gap: 2px 18px; margin-right: auto }
.sections a { color: var(--dim); text-decoration: none; padding: 2px 0 } .sections a:hover { color: var(--ink); text-decoration: underline; text-underline-offset: 4px }
.sections b { font-weight: 550; color: var(--ink); margin-left: 3px }
.filter { flex: 0 1 320px; min-width: 150px; border: 1px solid var(--line); border-radius: 7px; background: var(--card); padding: 4px 11px }
.filter::placeholder { color: var(--dim); opacity: 1 }
.note { max-width: 2160px; margin: 0 auto; padding: 0 24px 8px; color: var(--warn) }

main { max-width: 2160px; margin: 0 auto; padding: 18px 24px 40px; display: grid; gap: 16px; grid-template-columns: minmax(0, 1fr) }

/* Totals, each with a line of the last minutes */
.totals { display: grid; gap: 1px; grid-template-columns: repeat(5, minmax(0, 1fr)); background: var(--line); border: 1px solid var(--line); border-radius: 12px; overflow: hidden }
.total { position: relative; background: var(--card); padding: 13px 16px 50px; min-width: 0 }
.total dt { color: var(--dim); font-size: 12px }
.total .value { font-size: 27px; line-height: 1.2; font-weight: 620; letter-spacing: -.025em; white-space: nowrap }
.total .more { color: var(--dim); font-size: 12px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
.total svg { position: absolute; inset: auto 0 0 0; width: 100%; height: 40px; display: block }
.total .line { fill: none; stroke: var(--accent); stroke-width: 1.5; vector-effect: non-scaling-stroke; stroke-linejoin: round }
.total .area { fill: var(--accent); opacity: .1 }
.total.bad .value { color: var(--bad) } .total.bad .line { stroke: var(--bad) } .total.bad .area { fill: var(--bad) }
.total.warn .value { color: var(--warn) } .total.warn .line { stroke: var(--warn) } .total.warn .area { fill: var(--warn) }

.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; min-width: 0; overflow: clip }
.card > header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 12px; padding: 13px 16px 9px }
.card h2 { font-size: 14px; font-weight: 620; letter-spacing: -.01em }
.card header .hint { color: var(--dim); font-size: 12px }
.card header .end { margin-left: auto }
.empty { color: var(--dim); padding: 4px 16px 18px; max-width: 62ch }
.rest { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; padding: 8px 16px 12px; color: var(--dim); font-size: 12px }
.link { border: 0; background: none; padding: 0; color: var(--accent); text-align: left } .link:hover { text-decoration: underline }

/* Tables */
table { border-collapse: collapse; width: 100%; table-layout: fixed }
th { text-align: left; font-weight: 500; font-size: 12px; color: var(--dim); padding: 4px 10px 7px 0; border-bottom: 1px solid var(--line); vertical-align: bottom; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
td { padding: 6px 10px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
tbody tr:last-child td { border-bottom: 0 }
tbody tr:hover { background: var(--raised) }
th:first-child, td:first-child { padding-left: 16px } th:last-child, td:last-child { padding-right: 16px }
th.number, td.number { text-align: right }
th button { border: 0; background: none; padding: 0; font-weight: inherit; border-radius: 3px }
th button:hover, th[aria-sort] button.by { color: var(--ink) }
th button.by::after { content: " ↓"; } th[aria-sort=ascending] button.by::after { content: " ↑" }
th button + button { margin-left: 4px } th button + button::before { content: "· "; color: var(--dim) }
.two { display: block; position: relative; overflow: hidden; text-overflow: ellipsis } .small { font-size: 12px; color: var(--dim) }
.name i { font-style: normal; color: var(--dim) } .name, .text { unicode-bidi: isolate }
.place { color: var(--dim); text-decoration: none; border: 0; background: none; padding: 0; text-align: left; unicode-bidi: isolate }
.place:hover { color: var(--accent); text-decoration: underline }
.bad { color: var(--bad) } .warn { color: var(--warn) } .dim { color: var(--dim) }
.growth { margin-right: 7px } .queue { display: block; height: 4px; border-radius: 2px; background: var(--raised); margin-top: 4px } .queue i { display: block; height: 4px; border-radius: 2px; background: var(--accent) }
.queue.grows i { background: var(--warn) }
.hung { padding-left: 15px } .run { display: inline-block; width: 7px; height: 7px; border-radius: 50%; border: 1.5px solid color-mix(in srgb, var(--dim) 45%, transparent); margin: 0 8px 0 -15px; vertical-align: 1px } .run.stuck { background: var(--bad) !important; border-color: var(--bad) !important } .run.on { background: var(--call); border-color: var(--call) }
@media (min-width: 901px) { .c-wide { width: 24% } .c-delivery { width: 13% } .c-sender { width: 7% } .c-queue { width: 13% } .c-name { width: 25% } .c-bus { width: 31% } .c-few { width: 10.5% } }

tbody tr.opens, .warnings li.opens { cursor: pointer } tbody tr.open { background: var(--accent-soft) }
.name-button { border: 0; background: none; padding: 0; text-align: left; font: inherit; max-width: 100%; overflow: hidden; text-overflow: ellipsis; vertical-align: bottom } .name-button:hover { text-decoration: underline }

/* What somebody has chosen: all about it */
#panel { position: fixed; z-index: 6; right: 0; top: 0; bottom: 0; width: min(480px, 100vw); background: var(--card); border-left: 1px solid var(--line); box-shadow: -12px 0 40px #0002; overflow: auto; padding: 16px 20px 28px; overscroll-behavior: contain }
#panel header { display: flex; gap: 8px; align-items: flex-start } #panel h2 { flex: 1; min-width: 0; font-size: 15px; overflow-wrap: anywhere } #panel h3 { font-size: 12px; font-weight: 600; color: var(--dim); margin: 18px 0 6px }
#panel .alarm { color: var(--bad); font-weight: 600; margin-top: 8px } #panel dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 3px 14px; margin-top: 10px } #panel dt { color: var(--dim) } #panel dd { overflow-wrap: anywhere }
#panel ol li { display: flex; gap: 10px; justify-content: space-between; padding: 2px 0; min-width: 0 } #panel ol li > :first-child { min-width: 0; overflow: hidden; text-overflow: ellipsis } #panel ol .dim { white-space: nowrap }
#panel svg { width: 100%; height: 46px; display: block } #panel svg .line { fill: none; stroke: var(--accent); stroke-width: 1.5; vector-effect: non-scaling-stroke } #panel svg .area { fill: var(--accent); opacity: .1 }
.histogram { display: flex; align-items: flex-end; gap: 2px; height: 70px } .histogram i { flex: 1; background: var(--call); border-radius: 2px 2px 0 0; min-height: 1px } .histogram + .axis { padding: 2px 0 }
.copy { display: flex; gap: 8px; align-items: baseline; margin-top: 6px } .copy code { min-width: 0; overflow-wrap: anywhere }
@media (min-width: 1900px) { body.has-panel main, body.has-panel .bar, body.has-panel .note { margin-right: 480px } }

/* Warnings */
.warnings li { display: grid; grid-template-columns: 14px minmax(0, 1fr) auto; gap: 0 10px; padding: 8px 16px; border-top: 1px solid var(--line) }
.warnings li:first-child { border-top: 0 }
.warnings li::before { content: ""; width: 9px; height: 9px; border-radius: 50%; background: var(--warn); margin-top: 5px }
.warnings li.over::before { background: none; border: 2px solid var(--call) }
.warnings li.over .text { color: var(--dim) }
.warnings .text { overflow-wrap: anywhere; white-space: normal; display: inline }
.warnings .when { color: var(--dim); font-size: 12px; text-align: right; white-space: nowrap }

/* Posts and what they led to */
.pair { display: grid; gap: 16px; grid-template-columns: minmax(0, 1fr) }
.legend { display: inline-flex; gap: 14px; color: var(--dim); font-size: 12px } .legend i { display: inline-block; width: 16px; height: 7px; border-radius: 2px; margin-right: 6px; vertical-align: 1px }
.b-post { background: var(--accent) } .b-wait { background: var(--wait) } .b-call { background: var(--call) }
.posts li { display: grid; grid-template-columns: minmax(0, 1fr) minmax(100px, 28%) 150px; gap: 12px; align-items: center; padding: 1.5px 16px; min-height: 24px }
.posts li.root { border-top: 1px solid var(--line); padding-top: 7px; margin-top: 5px; cursor: pointer } .posts li.root:first-child { border-top: 0; margin-top: 0 }
.posts li:hover { background: var(--raised) }
.posts li.chosen { background: var(--accent-soft) }
.posts .what { display: flex; gap: 9px; align-items: baseline; padding-left: calc(var(--depth, 0) * 18px); min-width: 0; white-space: nowrap; overflow: hidden }
.posts .what > * { overflow: hidden; text-overflow: ellipsis; flex: 0 1 auto } .posts .what .id, .posts .what .kind { flex: none } .posts .what .name { flex-shrink: .3 } .posts .what .place { flex-shrink: 1 }
.posts .payload { color: var(--dim); flex-shrink: 3 }
.posts .number { text-align: right; color: var(--dim); font-size: 12px; white-space: nowrap }
.posts .delivery .what::before { content: "→"; color: var(--dim) } .posts .pending .what::before { content: "◌"; color: var(--warn) } .posts .pending .number { color: var(--warn) }
.tag { font-size: 11px; border: 1px solid var(--line); border-radius: 4px; padding: 0 4px; color: var(--dim) }
.posts .id { border: 0; background: none; padding: 0; font: 12px var(--mono); color: var(--dim) }
.lane { position: relative; height: 10px; min-width: 0 } .posts .lane { background: linear-gradient(var(--line), var(--line)) center / 100% 1px no-repeat }
.lane i { position: absolute; top: 0; height: 10px; border-radius: 2px; min-width: 2px; max-width: 100% }
.actors li { display: grid; grid-template-columns: minmax(90px, 30%) minmax(0, 1fr) 58px; gap: 12px; align-items: center; padding: 4px 16px }
.actors .lane, .actors .lane i { height: 14px } .actors .lane { background: var(--raised); border-radius: 3px; overflow: hidden }
.actors .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap } .actors .number { text-align: right; color: var(--dim); font-size: 12px; white-space: nowrap }
.axis { display: flex; justify-content: space-between; padding: 2px 86px 12px calc(max(90px, 30% - 10px) + 26px); color: var(--dim); font-size: 12px }

.replay { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 14px; background: var(--warn-soft); border: 1px solid var(--line); border-radius: 12px; padding: 10px 16px } .replay input { flex: 1 1 220px; min-width: 0; accent-color: var(--warn) }
dialog { background: var(--card); color: var(--ink); border: 1px solid var(--line); border-radius: 14px; padding: 20px 22px; width: min(560px, calc(100vw - 32px)); box-shadow: 0 24px 80px #0006 } dialog::backdrop { background: #0007 }
dialog h2 { font-size: 16px; margin-bottom: 10px } dialog p { margin: 8px 0 } dialog label { display: block; margin-top: 12px; color: var(--dim) }
dialog input[type=checkbox] { width: auto; margin-right: 6px } dialog input, dialog select { width: 100%; border: 1px solid var(--line); border-radius: 7px; background: var(--ground); padding: 6px 10px; margin-top: 4px } dialog form { display: flex; justify-content: flex-end; gap: 8px; margin-top: 18px }
dialog dl { display: grid; grid-template-columns: max-content 1fr; gap: 6px 16px } kbd { font: 12px var(--mono); border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 5px; padding: 1px 6px }
footer { max-width: 2160px; margin: 0 auto; padding: 0 24px 32px; color: var(--dim); font-size: 12px }

@media (min-width: 1100px) { .pair { grid-template-columns: repeat(2, minmax(0, 1fr)) } .types-pair, .posts-pair { grid-template-columns: minmax(0, 1fr) } }
@media (max-width: 1399px) { #actors-card { order: -1 } }
@media (min-width: 1400px) { .types-pair, .posts-pair { grid-template-columns: minmax(0, 1.6fr) minmax(0, 1fr); align-items: start } .types-pair { align-items: stretch } #actors-card { position: sticky; top: 96px } }
@media (max-width: 900px) {
  .top { position: static } html { scroll-padding-top: 8px }
  .bar, .note { padding-left: 14px; padding-right: 14px } main { padding: 12px 14px 32px; gap: 12px } .pair { gap: 12px }
  .totals { grid-template-columns: repeat(6, minmax(0, 1fr)) } .total { grid-column: span 2 } .total:nth-child(n + 4) { grid-column: span 3 } .total .value { font-size: 22px }
  .filter { flex: 1 1 100% }
  /* Each row becomes a small card; the heads of the columns become a line of buttons to sort by. */
  table, thead, tbody { display: block } thead tr { display: flex; flex-wrap: wrap; gap: 2px 12px; padding: 0 14px 8px; border-bottom: 1px solid var(--line) }
  th, th:first-child, th:last-child { padding: 0; border: 0; width: auto } th.number { text-align: left }
  tbody tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(74px, 1fr)); gap: 4px 12px; padding: 9px 14px; border-bottom: 1px solid var(--line) } tbody tr:last-child { border-bottom: 0 }
  td, td:first-child, td:last-child { border: 0; padding: 0; width: auto } td.number { text-align: left } td.whole { grid-column: 1 / -1 } td.c-delivery { grid-column: span 2 } td.c-queue { order: -1; grid-column: 1 / -1; font-size: 15px } td.none { display: none }
  td:not(.whole)::before { content: attr(data-label); display: block; font-size: 11px; color: var(--dim) }
  .card > header, .rest { padding-left: 14px; padding-right: 14px } .warnings li { padding: 8px 14px; grid-template-columns: 14px minmax(0, 1fr) } .warnings .when { grid-column: 2; text-align: left }
  .posts li { grid-template-columns: minmax(0, 1fr) auto; gap: 1px 10px; padding: 3px 14px } .posts .lane { grid-column: 1 / -1; order: 3 } .posts .what { padding-left: calc(var(--depth, 0) * 10px) }
  .actors li { grid-template-columns: minmax(0, 1fr) auto; padding: 5px 14px; gap: 2px 10px } .actors .lane { grid-column: 1 / -1; order: 3 } .axis { padding: 2px 14px 12px }
}
@media (max-width: 480px) { .totals { grid-template-columns: repeat(2, minmax(0, 1fr)) } .total, .total:nth-child(n + 4) { grid-column: auto } .total:last-child { grid-column: 1 / -1 } .brand { flex: 1 1 100% } }
@media (prefers-reduced-motion: no-preference) { .queue i { transition: width .25s } html { scroll-behavior: smooth } }
@media (forced-colors: active) { .lane i, .queue i, .run.on, .warnings li::before { forced-color-adjust: none } }
</style>
</head>
<body>
<a class="skip" href="#main">Skip to the numbers</a>
<header class="top">
  <div class="bar">
    <div class="brand">
      <h1><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M1.5 9.5h3l2-6.5 3 11 2.2-7 .8 2.5h2" fill="none" stroke="var(--accent)" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/></svg>Tidings</h1>
      <span id="program" class="program"></span>
    </div>
    <span id="state" class="state" data-state="waiting" role="status">connecting</span>
    <fieldset class="tiers" id="tiers"><legend class="unseen">How much the inspector measures</legend>
      <label title="Lists and counters that exist anyway: free"><input type="radio" name="tier" value="look" checked>Look</label>
      <label title="Durations too, of a sample of the posts"><input type="radio" name="tier" value="count">Count</label>
      <label title="Each post, and what it led to: a post that is followed costs some ten times as much"><input type="radio" name="tier" value="follow">Follow</label>
    </fieldset>
    <div class="tools">
      <button class="tool" id="hold" aria-pressed="false" title="Keep what is shown (h)">Hold</button>
      <button class="tool" id="save" title="Save what was seen as a file">Save</button>
      <button class="tool" id="open" title="Open a saved file">Open</button>
      <input type="file" id="file" class="unseen" tabindex="-1" accept=".jsonl,.json,.ndjson,application/x-ndjson" aria-label="A saved recording">
      <button class="tool" id="theme" title="Colours: as the system, light, dark">Auto</button>
      <button class="tool" id="help" title="Keys and settings (?)" aria-label="Keys and settings">?</button>
    </div>
  </div>
  <nav class="bar" aria-label="Sections">
    <div class="sections" id="sections">
      <a href="#types-card">Types<b id="n-types"></b></a><a href="#warnings-card">Warnings<b id="n-warnings"></b></a><a href="#observers-card">Observers<b id="n-observers"></b></a><a href="#posts-card">Posts<b id="n-posts"></b></a><a href="#actors-card">Timeline</a><a href="#buses-card">Buses<b id="n-buses"></b></a><a href="#relays-card" id="relays-link" hidden>Relays<b id="n-relays"></b></a><a href="#ended-card">Ended<b id="n-ended"></b></a>
    </div>
    <input id="filter" class="filter" type="search" placeholder="Filter by type, place, owner, sender" aria-label="Filter by type, place, owner, sender" autocomplete="off" spellcheck="false" maxlength="200">
  </nav>
  <p class="note" id="note" hidden></p>
</header>
<main id="main" tabindex="-1">
  <section class="replay" id="replay" aria-label="Recording" hidden>
    <b id="replay-name"></b><input type="range" id="replay-time" min="0" value="0" aria-label="Time in the recording"><span id="replay-at"></span><button class="tool" id="replay-end">Back to the program</button>
  </section>
  <section aria-label="Totals"><dl class="totals" id="totals"></dl></section>
  <div class="pair types-pair">
    <section class="card" id="types-card" aria-labelledby="h-types"><header><h2 id="h-types">Notification types</h2></header><table id="types" aria-labelledby="h-types"></table></section>
    <section class="card" id="warnings-card" aria-labelledby="h-warnings"><header><h2 id="h-warnings">Warnings</h2><span class="hint" id="warnings-hint"></span></header><ol class="warnings" id="warnings"></ol><p class="empty" id="warnings-empty">Nothing looks wrong.</p><p class="rest" id="warnings-rest" hidden></p></section>
  </div>
  <section class="card" id="observers-card" aria-labelledby="h-observers"><header><h2 id="h-observers">Who observes what</h2><span class="hint" id="observers-hint"></span></header><table id="observers" aria-labelledby="h-observers"></table></section>
  <div class="pair posts-pair">
    <section class="card" id="posts-card" aria-labelledby="h-posts"><header><h2 id="h-posts">Last posts, and what they led to</h2><span class="hint" id="posts-hint"></span><span class="legend end"><span><i class="b-post"></i>post</span><span><i class="b-wait"></i>waits</span><span><i class="b-call"></i>call</span></span></header>
      <ol class="posts" id="posts"></ol><p class="empty" id="posts-empty"></p><p class="rest" id="posts-rest" hidden><span id="posts-left"></span><button class="link" id="posts-more">Show more</button><button class="link" id="posts-less">Show less</button></p></section>
    <section class="card" id="actors-card" aria-labelledby="h-actors"><header><h2 id="h-actors">Timeline by actor</h2><span class="hint" id="actors-hint"></span><button class="link end" id="actors-all" hidden>All posts</button></header>
      <ol class="actors" id="actors"></ol><div class="axis" id="axis" aria-hidden="true" hidden><span>0</span><span id="axis-end"></span></div><p class="empty" id="actors-empty"></p></section>
  </div>
  <div class="pair">
    <section class="card" id="ended-card" aria-labelledby="h-ended"><header><h2 id="h-ended">Observers that ended</h2></header><table id="ended" aria-labelledby="h-ended"></table></section>
    <section class="card" id="buses-card" aria-labelledby="h-buses"><header><h2 id="h-buses">Buses and consumers</h2></header><table id="buses" aria-labelledby="h-buses"></table></section>
  </div>
  <section class="card" id="relays-card" aria-labelledby="h-relays" hidden><header><h2 id="h-relays">Relays, and how far behind they are</h2></header><table id="relays" aria-labelledby="h-relays"></table></section>
</main>
<footer id="foot"></footer>
<p class="unseen" aria-live="polite" id="said"></p>
<aside id="panel" role="dialog" aria-labelledby="h-panel" hidden></aside>
<dialog id="dialog" aria-labelledby="h-dialog">
  <h2 id="h-dialog">Keys and settings</h2>
  <dl><dt><kbd>/</kbd></dt><dd>filter</dd><dt><kbd>h</kbd></dt><dd>hold what is shown, and go on</dd><dt><kbd>1</kbd> <kbd>2</kbd> <kbd>3</kbd></dt><dd>look, count, follow; 3 says first what following costs</dd><dt><kbd>Esc</kbd></dt><dd>close what is open, then clear the filter, then let go of the chosen post</dd></dl>
  <label><input type="checkbox" id="shortcuts"> Keys of one letter do something</label>
  <label>Open places in<select id="editor"><option value="">nothing</option><option value="vscode://file{path}:{line}">Visual Studio Code</option><option value="cursor://file{path}:{line}">Cursor</option><option value="zed://file{path}:{line}">Zed</option><option value="idea://open?file={path}&amp;line={line}">IntelliJ, CLion</option><option value="txmt://open?url=file://{path}&amp;line={line}">TextMate</option><option value="other">another address</option></select></label>
  <label id="other-label" hidden>Its address, with {path} and {line}<input type="text" id="other" spellcheck="false" autocomplete="off"></label>
  <label>Folder of the package, or of its sources<input type="text" id="folder" placeholder="/home/me/shop" spellcheck="false" autocomplete="off"></label>
  <label>Choose that folder here, so that a place such as <code>Shop/Cart.swift:12</code> is found in it. Only the names of files are read, and nothing is sent.<input type="file" id="files" webkitdirectory></label>
  <form method="dialog"><button class="tool">Done</button></form>
</dialog>
<script>
"use strict";
(() => {
const $ = id => document.getElementById(id);
const memory = {
  get(key, otherwise) { try { return localStorage.getItem("tidings." + key) ?? otherwise } catch { return otherwise } },
  set(key, value) { try { localStorage.setItem("tidings." + key, value) } catch { /* a browser may keep nothing */ } }
};

// ---- Text. What a program says is put in as text, never as markup, cut, and with what cannot be seen made visible.

const invisible = /(?!\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
function clean(value, most = 240) {
  if (value === undefined || value === null) return "";
  let text = String(value).replace(/\(unknown context at \$[0-9a-f]+\)\./g, "");
  if (text.length > most) text = text.slice(0, most - 1) + "…";
  return text.replace(invisible, c => c === "\n" || c === "\t" ? " " : "\\u{" + c.codePointAt(0).toString(16) + "}");
}
function make(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}
// Sets text, if it is another one: to touch the page costs more than to compare.
function write(node, text) { if (node.written !== text) { node.written = text; node.textContent = text } }
function mark(node, name, on) { if (node.classList.contains(name) !== Boolean(on)) node.classList.toggle(name) }
function attribute(node, name, value) {
  if (value === null) { if (node.hasAttribute(name)) node.removeAttribute(name) } else if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}
// A long name, as that of a generic type, is cut in the middle: what tells two apart is often at the end.
const shorten = text => text.length > 72 ? text.slice(0, 40) + "…" + text.slice(-31) : text;
// A name with its module, or what stands before its first point, in a lighter colour.
function writeName(node, name) {
  const text = shorten(clean(name, 400));
  if (node.written === text) return;
  node.written = text;
  const point = /^\w+\.(?=.)/.exec(text);
  if (!point) { node.textContent = text; return }
  node.replaceChildren(make("i", "", point[0]), document.createTextNode(text.slice(point[0].length)));
}

const thin = "\u202f";
function number(value) {
  if (value === undefined || value === null || !isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 1e9) return (value / 1e9).toFixed(2) + thin + "G";
  if (size >= 1e6) return (value / 1e6).toFixed(2) + thin + "M";
  if (size >= 1e4) return (value / 1e3).toFixed(1) + thin + "k";
  if (size >= 1000) return Math.trunc(Math.round(value) / 1000) + thin + String(Math.round(size) % 1000).padStart(3, "0");
  return Number.isInteger(value) || size >= 100 ? String(Math.round(value)) : value.toFixed(1);
}
function duration(seconds) {
  if (seconds === undefined || seconds === null || !isFinite(seconds)) return "–";
  const digits = (value, unit) => (value >= 99.5 ? value.toFixed(0) : value >= 9.95 ? value.toFixed(1) : value.toFixed(2)) + thin + unit;
  if (seconds < 999.5e-9) return Math.round(seconds * 1e9) + thin + "ns";
  if (seconds < 999.5e-6) return digits(seconds * 1e6, "µs");
  if (seconds < .9995) return digits(seconds * 1e3, "ms");
  return seconds < 120 ? digits(seconds, "s") : age(seconds);
}
function age(seconds) {
  if (!isFinite(seconds)) return "–";
  if (seconds < 1) return "now";
  for (const [unit, size] of [["d", 86400], ["h", 3600], ["min", 60]]) if (seconds >= size * (size === 60 ? 2 : 1)) return Math.floor(seconds / size) + thin + unit;
  return Math.floor(seconds) + thin + "s";
}
// An owner by its type, and of its address the last four digits, which tell two of a type apart.
const owner = text => clean(text).replace(/ (?:at |\()0x[0-9a-f]*?([0-9a-f]{1,4})\)?$/, " …$1");
const clock = time => new Date(time * 1000).toLocaleTimeString([], { hour12: false });

// ---- Places that open in an editor

// Where in the folder a file of a module is, by the name that a place has for it: `Shop/Cart.swift` is `Sources/Shop/Orders/Cart.swift`.
const filesOfModules = new Map(readList("files"));
function readList(key) { try { return JSON.parse(memory.get(key, "[]")) } catch { return [] } }
function takeFiles(files) {
  filesOfModules.clear();
  const paths = [...files].map(file => file.webkitRelativePath.split("/").slice(1)).filter(path => path.at(-1)?.endsWith(".swift") && !path.some(part => part.startsWith(".")));
  // The module is one of the folders that the file is in; where two would do, the one that is nearer to the file.
  for (const distance of [2, 3, 4, 5, 6, 7, 8]) for (const path of paths) {
    const name = path.at(-distance) + "/" + path.at(-1);
    if (path.length >= distance && !filesOfModules.has(name)) filesOfModules.set(name, path.join("/"));
  }
  memory.set("files", JSON.stringify([...filesOfModules].slice(0, 20000)));
}

// The address that opens a place, or nothing if no editor was chosen. Only addresses of programs are made, never of scripts.
function editorAddress(place) {
  const form = memory.get("editor", "") === "other" ? memory.get("other", "") : memory.get("editor", "");
  const parts = /^(.+\.\w+):(\d+)$/.exec(place ?? "");
  if (!form || !parts || !/^[a-z][a-z0-9+.-]*:/i.test(form) || /^(javascript|data|vbscript|blob|about):/i.test(form)) return null;
  const folder = memory.get("folder", "").replace(/\/+$/, "");
  const path = (folder + "/" + (filesOfModules.get(parts[1]) ?? parts[1])).split("/").map(encodeURIComponent).join("/");
  return form.replaceAll("{path}", () => path).replaceAll("{line}", () => parts[2]);
}
function writePlace(node, place) {
  const text = clean(place);
  write(node, text);
  attribute(node, "href", editorAddress(place));
  attribute(node, "title", text || null);
}

// A place, as a link if an editor was chosen, and a button that copies it in any case.
function placeLine(place) {
  const line = make("p", "copy"), link = make("a", "place"), button = make("button", "tool", "Copy");
  writePlace(link, place);
  button.addEventListener("click", async () => {
    try { await navigator.clipboard.writeText(place) } catch { const range = document.createRange(); range.selectNodeContents(link); getSelection().removeAllRanges(); getSelection().addRange(range) }
    write(button, "Copied");
  });
  button.setAttribute("aria-label", "Copy " + clean(place));
  line.append(link, button);
  return line;
}

// ---- Tables: rows are kept by their keys, so that focus and selection stay where they are

class Table {
  // Columns have: parts (each with a key, a title and a value to sort by), a class, and `fill`, which makes the cell of a row and returns
  // what writes it.
  constructor(id, columns, { key, sort, few, nothing, opens }) {
    Object.assign(this, { id, columns, key, few, nothing, opens, rows: [], known: new Map(), limit: few });
    [this.by, this.order] = memory.get("sort." + id, sort).split(" ");
    if (!columns.some(c => c.parts.some(p => p.key === this.by))) [this.by, this.order] = sort.split(" ");
    const table = $(id), head = table.createTHead().insertRow();
    table.setAttribute("role", "table");
    table.tHead.setAttribute("role", "rowgroup");
    head.setAttribute("role", "row");
    for (const column of columns) {
      const cell = make("th", column.style ?? "");
      cell.scope = "col";
      cell.setAttribute("role", "columnheader");
      for (const part of column.parts) {
        const button = make("button", "", part.title);
        button.dataset.key = part.key;
        if (part.help) button.title = part.help;
        if (column.label && column.parts.length === 1) button.setAttribute("aria-label", column.label);
        button.addEventListener("click", () => this.sortBy(part));
        cell.append(button);
      }
      head.append(cell);
      column.head = cell;
    }
    this.body = table.createTBody();
    this.body.setAttribute("role", "rowgroup");
    this.empty = make("p", "empty");
    this.rest = make("p", "rest");
    this.count = make("span");
    this.more = make("button", "link", "Show more");
    this.more.addEventListener("click", () => { this.limit = Math.min(this.limit + 100, 500); this.draw(); wanted() });
    this.less = make("button", "link", "Show less");
    this.less.addEventListener("click", () => { this.limit = this.few; this.draw(); wanted() });
    this.rest.append(this.count, this.more, this.less);
    table.after(this.empty, this.rest);
  }
  sortBy(part) {
    this.order = this.by === part.key ? (this.order === "up" ? "down" : "up") : part.text ? "up" : "down";
    this.by = part.key;
    memory.set("sort." + this.id, this.by + " " + this.order);
    showInAddress();
    this.draw();
    wanted();
  }
  // Takes new rows. `omitted` is how many there are beside these.
  show(rows, omitted = 0) { this.rows = rows; this.omitted = omitted; this.draw() }
  draw() {
    for (const { head, parts } of this.columns) {
      const active = parts.find(p => p.key === this.by);
      attribute(head, "aria-sort", active ? (this.order === "up" ? "ascending" : "descending") : null);
      for (const button of head.children) mark(button, "by", active !== undefined && button.dataset.key === active.key);
    }
    const rows = filterText ? this.rows.filter(row => matches(row)) : this.rows.slice();
    const part = this.columns.flatMap(c => c.parts).find(p => p.key === this.by), up = this.order === "up" ? 1 : -1;
    // What was not measured comes last in both orders.
    const values = new Map(rows.map(row => [row, part.value(row)]));
    rows.sort((a, b) => {
      const x = values.get(a), y = values.get(b);
      if (x === undefined || x === null || y === undefined || y === null) return (x === undefined || x === null) - (y === undefined || y === null);
      return x < y ? -up : x > y ? up : 0;
    });
    const shown = rows.slice(0, this.limit), kept = new Map();
    shown.forEach((row, index) => {
      const key = this.key(row);
      if (kept.has(key)) return;
      const entry = this.known.get(key) ?? this.makeRow();
      kept.set(key, entry);
      entry.row = row;
      for (const fill of entry.fills) fill(row);
      mark(entry.node, "open", this.opens && isOpen(this.opens(row)));
      if (this.body.children[index] !== entry.node) this.body.insertBefore(entry.node, this.body.children[index] ?? null);
    });
    for (const [key, entry] of this.known) if (!kept.has(key)) entry.node.remove();
    this.known = kept;
    const all = rows.length + (this.omitted ?? 0);
    $(this.id).hidden = rows.length === 0;
    this.empty.hidden = rows.length > 0;
    write(this.empty, filterText && (this.rows.length > 0 || this.omitted) ? "Nothing that the filter lets through." : this.nothing);
    this.rest.hidden = all <= this.few;
    write(this.count, `${number(shown.length)} of ${number(all)}`);
    this.more.hidden = shown.length >= all || this.limit >= 500;
    this.less.hidden = this.limit <= this.few;
  }
  makeRow() {
    const node = make("tr");
    node.setAttribute("role", "row");
    const entry = { node };
    if (this.opens) {
      node.classList.add("opens");
      node.addEventListener("click", event => { if (!event.target.closest("a[href]") && !getSelection().toString()) { const subject = this.opens(entry.row); if (subject) open(subject) } });
    }
    const fills = this.columns.map(column => {
      const cell = node.insertCell();
      cell.setAttribute("role", "cell");
      cell.className = column.style ?? "";
      cell.dataset.label = column.label ?? column.parts[0].title;
      const fill = column.fill(cell);
      return row => mark(cell, "none", fill(row) === false);
    });
    entry.fills = fills;
    return entry;
  }
}
// A column of numbers.
const numeric = (key, title, value, form, { tone, style = "", label, more, help } = {}) => ({
  parts: [{ key, title, value, help }], style: "number " + style, label: label ?? title,
  fill(cell) {
    const text = make("span", "two"), below = more ? make("span", "two small") : null;
    cell.append(text);
    if (below) cell.append(below);
    return row => {
      const found = value(row), colour = tone?.(row) ?? "";
      write(text, form(found));
      if (text.tone !== colour) { text.tone = colour; text.className = "two " + colour }
      if (below) { const words = more(row); write(below, words); below.hidden = words === "" }
      return found !== undefined && found !== null;
    };
  }
});
// A column of one text, or of a text with a smaller one below it.
const textual = (parts, style, label) => ({
  parts: parts.map(p => ({ ...p, text: true })), style, label,
  fill(cell) {
    const nodes = parts.map((part, index) => {
      const node = make(part.place ? "a" : part.button ? "button" : "span", (part.button ? "name-button " : "") + (part.place ? "place " : part.name ? "name " : "text ") + "two" + (index ? " small" : ""));
      cell.append(node);
      return node;
    });
    return row => {
      let any = false;
      parts.forEach((part, index) => {
        const value = part.value(row), node = nodes[index];
        if (part.place) writePlace(node, value); else if (part.name) writeName(node, value);
        else { write(node, (part.form ?? clean)(value)); attribute(node, "title", clean(value, 400) || null) }
        if (part.name) attribute(node, "title", clean(value, 400) || null);
        const empty = value === undefined || value === null || value === "";
        if (index) node.hidden = empty;
        any ||= !empty;
      });
      return any;
    };
  }
});

let filterText = "";
const words = ["type", "name", "place", "owner", "sender", "delivery", "center", "reason", "bus", "messages", "relay", "notification", "stream", "group"];
const matches = row => words.some(word => row[word] !== undefined && row[word] !== null && String(row[word]).toLowerCase().includes(filterText));
const grey = value => value ? "" : "dim";
let several = false;  // whether there are several centers, so that it is worth saying which

const tables = {
  types: new Table("types", [
    textual([{ key: "name", title: "Type", value: r => r.name, name: true, button: true }, { key: "center", title: "center", value: r => several ? r.center : "" }], "c-name whole"),
    numeric("observers", "Observers", r => r.observers, number, { tone: r => grey(r.observers), style: "c-few" }),
    numeric("rate", "Posts/s", r => r.postsPerSecond, number, { more: r => number(r.posts), help: "Posts a second, and in all" }),
    numeric("deliveries", "Calls/s", r => r.deliveriesPerSecond, number),
    numeric("drops", "Dropped", r => r.drops, number, { tone: r => r.drops ? "bad" : "dim", more: r => r.dropsPerSecond ? number(r.dropsPerSecond) + "/s" : "" }),
    numeric("median", "p50", r => r.postTimes?.median, duration, { help: "Half of the posts took no longer" }),
    numeric("percentile90", "p90", r => r.postTimes?.percentile90, duration, { help: "Nine tenths of the posts took no longer" }),
    numeric("percentile99", "p99", r => r.postTimes?.percentile99, duration, { help: "All but a hundredth of the posts took no longer" }),
    numeric("longest", "Longest", r => r.postTimes?.longest, duration),
  ], { key: r => r.center + "\n" + r.name, sort: "rate down", few: 10, nothing: "No notification type has been observed yet.", opens: r => ({ kind: "type", id: r.center + "/" + r.name }) }),
  observers: new Table("observers", [
    {
      parts: [{ key: "type", title: "Notification", value: r => r.type, text: true }, { key: "place", title: "registered at", value: r => r.place, text: true }],
      style: "c-wide whole",
      fill(cell) {
        const line = make("span", "two hung"), run = make("span", "run"), running = make("span", "unseen"), name = make("button", "name name-button"), center = make("span", "dim text"), place = make("a", "place two small hung");
        line.append(run, name, center, running);
        cell.append(line, place);
        return row => {
          mark(run, "on", row.running);
          write(running, row.stuck ? ", stuck" : row.running ? ", running" : "");
          mark(run, "stuck", row.stuck);
          writeName(name, row.type);
          const words = [row.count > 1 ? `${number(row.count)} observers` : "", row.growth && Math.abs(row.growth) >= .05 && row.count > 1 ? `${row.growth > 0 ? "+" : "−"}${number(Math.abs(row.growth))} a second` : "", several ? clean(row.center, 60) : ""].filter(Boolean);
          write(center, words.length ? " · " + words.join(" · ") : "");
          mark(center, "bad", row.isGrowing);
          attribute(line, "title", clean(row.type, 400));
          writePlace(place, row.place);
        };
      }
    },
    textual([{ key: "delivery", title: "Delivery", value: r => r.delivery }, { key: "owner", title: "owner", value: r => r.owner, form: value => owner(value) }], "c-delivery"),
    textual([{ key: "sender", title: "Sender", value: r => r.sender }], "c-sender"),
    numeric("count", "Count", r => r.count, number, { style: "c-count", tone: r => r.isGrowing ? "bad" : r.count === 1 ? "dim" : "", help: "How many observers this line has registered" }),
    numeric("since", "Since", r => r.since === undefined || r.since === null ? null : now - r.since, seconds => seconds === null || seconds === undefined ? "–" : age(seconds), { style: "c-count", help: "Since when it is registered; – where nobody noted it", more: r => r.since === undefined || r.since === null ? "seen " + age(now - r.seen) : "" }),
    numeric("running", "Running", r => r.runningFor, seconds => seconds >= .1 ? duration(seconds) : "–", { style: "c-count", tone: r => r.stuck ? "bad" : "", help: "For how long its call is running" }),
    numeric("busy", "Busy", r => r.busy, share => share === null || share === undefined ? "–" : Math.round(100 * share) + thin + "%", { style: "c-count", tone: r => r.busy >= .8 ? "warn" : "", help: "What share of the time its calls are running" }),
    {
      parts: [{ key: "waiting", title: "Waiting", value: r => r.waiting }, { key: "growth", title: "growth", value: r => r.waitingGrowth }, { key: "oldest", title: "oldest", value: r => r.oldestWait }],
      style: "number c-queue", label: "Waiting",
      fill(cell) {
        const text = make("span", "two"), growth = make("span", "growth small"), queue = make("span", "queue"), part = make("i");
        queue.append(part);
        queue.setAttribute("aria-hidden", "true");
        const count = make("span");
        text.append(growth, count);
        cell.append(text, queue);
        return row => {
          write(count, number(row.waiting));
          mark(count, "dim", !row.waiting);
          const rate = row.waitingGrowth, grows = rate && Math.abs(rate) >= .05;
          write(growth, [row.oldestWait >= 1 ? age(row.oldestWait) + " old" : "", grows ? `${rate > 0 ? "+" : "−"}${number(Math.abs(rate))}/s` : ""].filter(Boolean).join(" "));
          // A queue of a few is none to worry about.
          const worries = grows && rate > 0 && row.waiting >= 100;
          mark(growth, "warn", worries);
          mark(queue, "grows", worries);
          queue.hidden = !row.waiting;
          part.style.width = Math.max(2, 100 * row.waiting / longestQueue) + "%";
        };
      }
    },
    numeric("dropped", "Dropped", r => r.dropped, number, { style: "c-count", tone: r => r.dropped ? "bad" : "dim" }),
    numeric("wait", "Wait", r => r.waitTimes?.median, duration, { style: "c-count", label: "Wait", help: "Half of the notifications waited no longer" }),
    numeric("call", "Call p50", r => r.callTimes?.median, duration, { style: "c-count", help: "Half of the calls took no longer" }),
    numeric("call99", "p99", r => r.callTimes?.percentile99, duration, { style: "c-count", label: "Call p99", help: "All but a hundredth of the calls took no longer" }),
  ], { key: r => r.id, sort: "waiting down", few: 12, nothing: "Nobody observes anything.", opens: r => r.observer && r.count === 1 ? { kind: "observer", id: r.observer } : { kind: "group", id: r.id } }),
  ended: new Table("ended", [
    textual([{ key: "type", title: "Notification", value: r => r.type, name: true }, { key: "place", title: "registered at", value: r => r.place, place: true }], "c-name whole"),
    textual([{ key: "delivery", title: "Delivery", value: r => r.delivery }], ""),
    textual([{ key: "reason", title: "Why", value: r => r.reason ?? "not noted" }], ""),
    numeric("time", "Ended", r => now - r.time, seconds => seconds < 1 ? "now" : age(seconds) + " ago", {}),
  ], { key: r => r.id, sort: "time up", few: 8, nothing: "No observer has ended while the inspector looked." }),
  buses: new Table("buses", [
    textual([{ key: "bus", title: "Bus", value: r => r.bus, name: true }, { key: "messages", title: "messages", value: r => r.messages === r.bus ? "" : r.messages }], "c-bus whole"),
    textual([{ key: "owner", title: "Consumer", value: r => r.owner ?? "no consumers", form: value => owner(value) }, { key: "place", title: "added at", value: r => r.place, place: true }], "c-bus whole"),
    numeric("waiting", "Waiting", r => r.waiting, number, { tone: r => grey(r.waiting) }),
    numeric("call", "Call p50", r => r.callTimes?.median, duration),
    numeric("longestCall", "Longest", r => r.callTimes?.longest, duration),
  ], { key: r => r.bus + "\n" + (r.id ?? ""), sort: "waiting down", few: 8, nothing: "The inspector was given no bus.", opens: r => r.id ? { kind: "observer", id: r.id } : null }),
  relays: new Table("relays", [
    textual([{ key: "relay", title: "Relay", value: r => r.relay, name: true }, { key: "trouble", title: "state", value: r => r.trouble }], "c-bus whole"),
    textual([{ key: "notification", title: "Route", value: r => r.notification ?? "no route goes in" }, { key: "group", title: "stream and group", value: r => r.notification === undefined ? "" : `${r.stream} → ${r.group}` }], "c-bus whole"),
    numeric("waiting", "Waiting", r => r.waiting, number, { tone: r => grey(r.waiting), help: "Notifications that nobody was given yet" }),
    numeric("oldest", "Oldest", r => r.oldestAge, seconds => seconds === undefined || seconds === null ? "–" : age(seconds), { help: "For how long the oldest has been stored that is not done with" }),
    numeric("progress", "In progress", r => r.inProgress, number, { tone: r => grey(r.inProgress), help: "Notifications that programs were given, and have not acknowledged" }),
    numeric("again", "Again", r => r.redelivered, number, { tone: r => r.redelivered ? "warn" : "dim", help: "Those in progress that were given more than once" }),
    numeric("buried", "Buried", r => r.buried, number, { tone: r => r.buried ? "bad" : "dim", help: "Dead letters that are kept" }),
    numeric("outgoing", "To store", r => r.outgoing, number, { tone: r => grey(r.outgoing), help: "Notifications of the relay that wait in the program to be stored" }),
  ], { key: r => [r.relay, r.notification, r.stream, r.group].join("\n"), sort: "oldest down", few: 12, nothing: "The inspector was given no relay." }),
};
let now = 0, longestQueue = 1;

// ---- What is shown: the last snapshot, or the one at which the page is held, with all posts that were followed

const model = { snapshot: null, posts: new Map(), history: [], rows: new Map() };
const mostPosts = 3000, longestHistory = 300;

// A post that is chosen, or pinned, is kept with what led to it and what it led to.
function isKept(id, posts) {
  if (!chosen && !pinned.size) return false;
  for (let post = posts.get(id), steps = 0; post && steps < 20; steps++) {
    if (post.id === chosen || pinned.has(post.id)) return true;
    post = post.cause ? posts.get(post.cause.slice(0, post.cause.lastIndexOf("."))) : null;
  }
  return false;
}
// How the rows have been in the last minutes, for whoever opens one.
function takeRows(snapshot) {
  const note = (key, value, more) => {
    const known = model.rows.get(key) ?? [];
    known.push({ time: snapshot.time, value, more });
    while (known[0].time < snapshot.time - longestHistory) known.shift();
    model.rows.set(key, known);
  };
  for (const row of snapshot.groups.slice(0, 300)) {
    note("group:" + row.id, row.count > 1 ? row.count : row.waiting);
    if (row.observer) note("observer:" + row.observer, row.waiting);
  }
  for (const row of snapshot.types.slice(0, 200)) note("type:" + row.center + "/" + row.name, row.postsPerSecond ?? 0);
  for (const [key, points] of model.rows) if (points.at(-1).time < snapshot.time - longestHistory) model.rows.delete(key);
}
function takePosts(posts, into) {
  // The last post comes first; the oldest are forgotten first.
  for (let index = posts.length - 1; index >= 0; index--) { const post = posts[index]; into.delete(post.id); into.set(post.id, post) }
  for (const id of into.keys()) { if (into.size <= mostPosts) break; if (!isKept(id, into)) into.delete(id) }
}
// The posts of a program that has ended, as those of the run before: their identities may come again.
function asOfLastRun(posts) {
  const renamed = new Map(), mark = "last-";
  for (const post of posts.values()) {
    if (post.run) { renamed.set(post.id, post); continue }
    const old = { ...post, id: mark + post.id, cause: post.cause ? mark + post.cause : null, run: "last run", deliveries: post.deliveries.map(d => ({ ...d, id: mark + d.id, state: d.state === "waiting" || d.state === "running" ? "lost" : d.state })) };
    renamed.set(old.id, old);
  }
  return renamed;
}
const isOther = (a, b) => !a || !b || a.program.started !== b.program.started || a.program.process !== b.program.process;

function take(snapshot) {
  if (isOther(model.snapshot, snapshot) && model.snapshot) {
    model.posts = asOfLastRun(model.posts);
    model.history = [];
    model.rows = new Map();
    if (chosen) chosen = "last-" + chosen;
  }
  model.snapshot = snapshot;
  takePosts(snapshot.posts, model.posts);
  takeRows(snapshot);
  const totals = snapshot.totals;
  model.history.push({
    time: snapshot.time, posts: totals.postsPerSecond ?? 0, deliveries: totals.deliveriesPerSecond ?? 0, waiting: totals.waiting, drops: totals.dropsPerSecond ?? 0,
    warnings: snapshot.warnings.filter(isLiving).length
  });
  while (model.history[0].time < snapshot.time - longestHistory) model.history.shift();
}
const isLiving = warning => warning.recovered === undefined || warning.recovered === null;

// ---- Totals

const tiles = [
  ["posts", "Posts a second", (t, h) => number(t.postsPerSecond), (t, h) => `${number(t.posts)} in all · peak ${number(Math.max(...h.map(p => p.posts)))}`],
  ["deliveries", "Deliveries a second", t => number(t.deliveriesPerSecond), t => `${number(t.deliveries)} in all`],
  ["waiting", "Waiting", t => number(t.waiting), t => `${number(t.running)} running · ${number(t.observers)} observers`],
  ["drops", "Dropped", t => number(t.drops), t => t.dropsPerSecond ? `${number(t.dropsPerSecond)} a second` : "none now", t => t.drops ? "bad" : ""],
  ["warnings", "Warnings", (t, h, s) => number(s.warnings.filter(isLiving).length), (t, h, s) => `${number(s.warnings.filter(w => !isLiving(w)).length)} over`, (t, h, s) => s.warnings.some(isLiving) ? "warn" : ""],
].map(([key, title, value, more, tone]) => {
  const node = make("div", "total"), big = make("dd", "value"), small = make("dd", "more");
  const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg"), paths = ["area", "line"].map(name => {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("class", name);
    return path;
  });
  drawing.setAttribute("viewBox", "0 0 300 40");
  drawing.setAttribute("preserveAspectRatio", "none");
  drawing.setAttribute("aria-hidden", "true");
  drawing.append(...paths);
  node.append(make("dt", "", title), big, small, drawing);
  $("totals").append(node);
  return (snapshot, history) => {
    write(big, value(snapshot.totals, history, snapshot));
    write(small, more(snapshot.totals, history, snapshot));
    const className = "total " + (tone?.(snapshot.totals, history, snapshot) ?? "");
    if (node.className !== className) node.className = className;
    const span = Math.min(longestHistory, Math.max(30, snapshot.time - history[0].time)), top = Math.max(1e-9, ...history.map(p => p[key]));
    const points = history.map(p => `${(300 - 300 * (snapshot.time - p.time) / span).toFixed(1)} ${(38 - 34 * p[key] / top).toFixed(1)}`);
    const first = points[0].split(" ")[0];
    paths[0].setAttribute("d", `M${first} 40L${points.join("L")}L300 40Z`);
    paths[1].setAttribute("d", "M" + points.join("L"));
  };
});

// ---- Warnings

const said = { warnings: new Map(), program: null };
function drawWarnings(snapshot) {
  const all = filterText ? snapshot.warnings.filter(w => w.text.toLowerCase().includes(filterText)) : snapshot.warnings;
  const sorted = all.slice().sort((a, b) => isLiving(b) - isLiving(a) || (b.recovered ?? b.since) - (a.recovered ?? a.since)), few = sorted.slice(0, 8), list = $("warnings");
  while (list.children.length > few.length) list.lastChild.remove();
  while (list.children.length < few.length) {
    const item = make("li"), text = make("button", "name-button text"), when = make("span", "when"), place = make("a", "place small"), body = make("span");
    body.append(text, document.createTextNode(" "), place);
    item.classList.add("opens");
    item.addEventListener("click", event => { if (!event.target.closest("a[href]") && !getSelection().toString()) open({ kind: "warning", id: String(item.warning.id) }) });
    item.append(body, when);
    item.parts = { text, when, place };
    list.append(item);
  }
  few.forEach((warning, index) => {
    const item = list.children[index], living = isLiving(warning), ago = age(now - (living ? warning.since : warning.recovered));
    item.warning = warning;
    mark(item, "over", !living);
    // The place is a link of its own, so the sentence need not end in it.
    const ending = `, registered at ${warning.place}`;
    write(item.parts.text, clean(warning.place && warning.text.endsWith(ending) ? warning.text.slice(0, -ending.length) : warning.text, 400));
    writePlace(item.parts.place, warning.place);
    write(item.parts.when, (living ? "" : "over ") + (ago === "now" ? "now" : ago + " ago") + (warning.count > 1 ? ` · ${number(warning.count)} times` : ""));
  });
  $("warnings-empty").hidden = sorted.length > 0;
  write($("warnings-empty"), snapshot.warnings.length ? "Nothing that the filter lets through." : "Nothing looks wrong.");
  $("warnings-rest").hidden = sorted.length <= few.length;
  write($("warnings-rest"), `${number(few.length)} of ${number(sorted.length)}`);
  // Spoken: what is new, or over, since the last time. What was there when the page opened is not news.
  const isFirst = said.program !== snapshot.program.started, news = [];
  said.program = snapshot.program.started;
  const states = new Map(snapshot.warnings.map(w => [w.id, isLiving(w)]));
  if (!isFirst) for (const warning of snapshot.warnings) {
    const before = said.warnings.get(warning.id), living = states.get(warning.id);
    if (before !== living && (before !== undefined || living)) news.push((living ? "Warning: " : "Over: ") + clean(warning.text));
  }
  said.warnings = states;
  if (news.length) write($("said"), news.length > 2 ? `${news.length} warnings changed` : news.join(". "));
}

// ---- Posts as trees

// The posts that nothing shown has caused, the last one first, with what they led to. `end` is when all of it was over.
function trees(posts) {
  const children = new Map(), roots = [];
  for (const post of posts.values()) {
    const parent = post.cause ? post.cause.slice(0, post.cause.lastIndexOf(".")) : null;
    if (parent !== null && parent !== post.id && posts.has(parent)) {
      if (!children.has(parent)) children.set(parent, []);
      children.get(parent).push(post);
    } else roots.push(post);
  }
  roots.sort((a, b) => b.time - a.time);
  return { roots, children };
}
// The rows of one tree: posts and deliveries, each with its depth. A post that is its own ancestor, in a file of somebody, is shown once.
function rowsOf(root, children, most) {
  const rows = [], seen = new Set();
  let end = root.time;
  const add = (post, depth, lane) => {
    if (seen.has(post.id) || rows.length >= most) return;
    seen.add(post.id);
    end = Math.max(end, post.time + (post.duration ?? 0));
    rows.push({ post, depth, lane });
    const made = (children.get(post.id) ?? []).slice().sort((a, b) => a.time - b.time), left = new Set(made);
    const caused = new Set(made.map(next => next.cause)), times = new Map();
    // Many calls of observers that one line has registered are one row.
    const lineOf = delivery => delivery.state === "done" && !caused.has(delivery.id) && delivery.inPost ? delivery.place + "\n" + delivery.delivery : null;
    for (const delivery of post.deliveries) { const line = lineOf(delivery); if (line) times.set(line, (times.get(line) ?? 0) + 1) }
    const told = new Set();
    for (const delivery of post.deliveries) {
      if (rows.length >= most) break;
      const line = lineOf(delivery), count = line ? times.get(line) : 1;
      if (count > 3) {
        if (told.has(line)) continue;
        told.add(line);
        const all = post.deliveries.filter(other => lineOf(other) === line), took = all.reduce((sum, other) => sum + (other.duration ?? 0), 0);
        rows.push({ post, delivery: { ...delivery, duration: took, context: null }, times: count, depth: depth + .5, lane: laneOf(delivery) });
        continue;
      }
      end = Math.max(end, delivery.time + (delivery.state === "waiting" ? delivery.waited ?? 0 : delivery.duration ?? 0));
      const context = laneOf(delivery);
      rows.push({ post, delivery, depth: depth + .5, lane: context });
      for (const next of made) if (next.cause === delivery.id) { left.delete(next); add(next, Math.min(depth + 1, 12), context) }
    }
    if (post.omitted) rows.push({ post, more: post.omitted, depth: depth + .5 });
    for (const next of left) add(next, Math.min(depth + 1, 12), "elsewhere");
  };
  add(root, 0, outside);
  return { root, rows, end };
}
const outside = "Where posts begin";
const laneOf = delivery => delivery.context ?? (delivery.inPost ? "in the post" : delivery.delivery);
const postMatches = ({ post, delivery }) => [post.type, post.place, post.center, post.payload, delivery?.place, delivery?.context, delivery?.delivery]
  .some(text => text !== undefined && text !== null && String(text).toLowerCase().includes(filterText));

let chosen = null, shownTrees = [];
const pinned = new Set();
function currentTrees(posts) {
  const { roots, children } = trees(posts), found = [];
  let total = 0, unshown = 0;
  // What somebody has chosen stays, however much follows.
  const first = roots.filter(root => root.id === chosen || pinned.has(root.id));
  for (const root of [...first, ...roots.filter(root => !first.includes(root))]) {
    if (!first.includes(root) && found.length >= state.trees || total >= 400) { unshown++; continue }
    const tree = rowsOf(root, children, 120);
    if (filterText && !first.includes(root) && !tree.rows.some(postMatches)) continue;
    total += tree.rows.length;
    found.push(tree);
  }
  return { found, unshown: filterText ? 0 : unshown };
}
function place(bar, start, length, from, span) {
  const left = Math.min(100, Math.max(0, 100 * (start - from) / span)), width = Math.min(100 - left, 100 * length / span);
  bar.style.left = `min(${left.toFixed(3)}%, calc(100% - 2px))`;
  bar.style.width = width.toFixed(3) + "%";
}
function makePostRow() {
  const node = make("li"), what = make("span", "what"), id = make("button", "id"), kind = make("span", "kind"), name = make("span", "name"), where = make("a", "place"), extra = make("span", "payload text");
  const lane = make("span", "lane"), bars = ["b-wait", "b-call", "b-post"].map(style => make("i", style)), time = make("span", "number");
  lane.setAttribute("aria-hidden", "true");
  lane.append(...bars);
  what.append(id, kind, name, where, extra);
  node.append(what, lane, time);
  node.addEventListener("click", event => {
    if (event.target.closest("a[href]") || !node.root || getSelection().toString()) return;
    open({ kind: "post", id: node.root });
  });
  node.parts = { id, kind, name, where, extra, bars, time };
  return node;
}
function deliveryTime(delivery) {
  if (delivery.state === "waiting") return `waits ${duration(delivery.waited)}` + (delivery.ahead ? `, ${number(delivery.ahead)} in front` : ", next");
  if (delivery.state === "running") return `running ${duration(delivery.duration)}`;
  if (delivery.state === "lost") return "not seen to end";
  return (delivery.waited ? "+" + duration(delivery.waited) + "  " : "") + (delivery.duration === undefined || delivery.duration === null ? "taken" : duration(delivery.duration));
}
function drawPosts(snapshot, posts) {
  const list = $("posts");
  // While somebody points at it, or is in it with the keyboard, nothing moves away.
  const isPointedAt = (list.matches(":hover") || list.contains(document.activeElement)) && !state.held && !state.replay && list.children.length > 0 && posts.size > 40;
  if (!isPointedAt) {
    const { found, unshown } = currentTrees(posts);
    shownTrees = found;
    state.unshown = unshown;
  }
  const rows = shownTrees.flatMap(tree => tree.rows.map(row => ({ ...row, tree })));
  // A row keeps its place in memory as long as it is shown, so what has the focus is what it was.
  const known = new Map([...list.children].map(node => [node.key, node])), focused = document.activeElement;
  const nodes = rows.map(({ post, delivery, more }) => {
    const key = (delivery ? delivery.id : post.id) + (more ? " more" : delivery ? "" : " post"), node = known.get(key) ?? makePostRow();
    known.delete(key);
    node.key = key;
    return node;
  });
  for (const node of known.values()) node.remove();
  nodes.forEach((node, index) => { if (list.children[index] !== node) list.insertBefore(node, list.children[index] ?? null) });
  if (focused && focused !== document.activeElement && list.contains(focused)) focused.focus({ preventScroll: true });
  rows.forEach((row, index) => {
    const node = list.children[index], parts = node.parts, { post, delivery, tree, more, times } = row, isRoot = post === tree.root && !delivery && !more, from = tree.root.time, span = Math.max(tree.end - from, 1e-9);
    const isPending = delivery && (delivery.state === "waiting" || delivery.state === "running" || delivery.state === "lost");
    const style = (isRoot ? "root" : delivery || more ? "delivery" : "post") + (isPending ? " pending" : "") + (chosen === tree.root.id ? " chosen" : "");
    if (node.className !== style) node.className = style;
    node.root = isRoot ? post.id : null;
    if (node.depth !== row.depth) { node.depth = row.depth; node.style.setProperty("--depth", row.depth); node.setAttribute("aria-level", Math.ceil(row.depth) + 1) }
    parts.id.hidden = Boolean(delivery || more);
    parts.name.hidden = Boolean(delivery || more);
    parts.where.hidden = Boolean(more);
    if (!delivery && !more) {
      write(parts.id, (pinned.has(post.id) ? "◆ " : "") + clean(post.id, 20));
      attribute(parts.id, "title", isRoot ? "All about this post" : null);
      attribute(parts.id, "aria-pressed", isRoot ? String(chosen === post.id) : null);
      parts.id.disabled = !isRoot;
      writeName(parts.name, post.type);
      attribute(parts.name, "title", clean(post.type, 400));
    }
    write(parts.kind, more ? `${number(more)} more deliveries` : delivery ? (times ? number(times) + " × " : "") + clean(delivery.delivery) : post.run ?? "");
    mark(parts.kind, "tag", !delivery && !more);
    parts.kind.hidden = !delivery && !more && !post.run;
    if (!more) writePlace(parts.where, delivery ? delivery.place : post.place);
    const extra = more ? "" : clean(delivery ? delivery.context : post.payload);
    write(parts.extra, delivery ? owner(extra) : extra);
    attribute(parts.extra, "title", extra || null);
    parts.extra.hidden = !extra;
    const [wait, call, whole] = parts.bars;
    wait.hidden = !delivery?.waited;
    call.hidden = !delivery;
    whole.hidden = Boolean(delivery || more);
    if (delivery && delivery.state === "waiting") {
      call.hidden = true;
      place(wait, delivery.time, delivery.waited ?? 0, from, span);
    } else if (delivery) {
      if (delivery.waited) place(wait, delivery.time - delivery.waited, delivery.waited, from, span);
      place(call, delivery.time, delivery.duration ?? 0, from, span);
    } else if (!more) place(whole, post.time, post.duration ?? 0, from, span);
    write(parts.time, more ? "" : delivery ? deliveryTime(delivery) : duration(post.duration));
    attribute(parts.time, "title", delivery?.waited ? `waited ${duration(delivery.waited)}, took ${duration(delivery.duration)}` : null);
  });
  const isEmpty = rows.length === 0, follows = snapshot.tier === "follow";
  list.hidden = isEmpty;
  $("posts-empty").hidden = !isEmpty;
  write($("posts-empty"), filterText && posts.size ? "Nothing that the filter lets through." : follows ? "No post yet." : "Choose Follow to see each post, the deliveries it led to, and the posts that they made.");
  write($("posts-hint"), isPointedAt ? "still while you point at it" : chosen ? "one post is chosen; Esc lets it go" : snapshot.followsOnePostIn > 1 ? `one post in ${number(snapshot.followsOnePostIn)} is followed, as there are so many` : rows.length ? "each post has a scale of its own" : "");
  const left = state.unshown + (snapshot.omitted?.posts ?? 0);
  $("posts-rest").hidden = isEmpty || !left && state.trees === 10;
  write($("posts-left"), left ? `${number(left)} earlier posts are not listed` : "");
  $("posts-more").hidden = !state.unshown || state.trees > 10;
  $("posts-less").hidden = state.trees === 10;
}

// ---- The timeline: who was busy when

function drawActors() {
  const kept = view().posts, { roots, children } = trees(kept);
  const some = (chosen ? roots.filter(root => root.id === chosen) : roots.slice(0, 600)).map(root => rowsOf(root, children, 400)), lanes = new Map(), list = $("actors");
  let from = Infinity, end = -Infinity;
  const add = (lane, style, start, length, words) => {
    if (!lanes.has(lane)) lanes.set(lane, { name: lane, bars: [], busy: 0 });
    const entry = lanes.get(lane);
    if (style !== "b-wait") entry.busy += length;
    if (entry.bars.length < 240) entry.bars.push({ style, start, length, words });
    from = Math.min(from, start);
    end = Math.max(end, start + length);
  };
  for (const tree of some) for (const { post, delivery, more, lane } of tree.rows) {
    if (more) continue;
    if (!delivery) { add(lane, "b-post", post.time, post.duration ?? 0, `${clean(post.type)}: posted, ${duration(post.duration)}`); continue }
    if (delivery.state === "waiting") { add(lane, "b-wait", delivery.time, delivery.waited ?? 0, `${clean(post.type)}: waits ${duration(delivery.waited)}`); continue }
    if (delivery.waited) add(lane, "b-wait", delivery.time - delivery.waited, delivery.waited, `${clean(post.type)}: waited ${duration(delivery.waited)}`);
    add(lane, "b-call", delivery.time, delivery.duration ?? 0, `${clean(post.type)}: ${duration(delivery.duration)}`);
  }
  const span = Math.max(end - from, 1e-9);
  const sorted = [...lanes.values()].sort((a, b) => (b.name === outside) - (a.name === outside) || (a.name < b.name ? -1 : 1)).slice(0, 24);
  while (list.children.length > sorted.length) list.lastChild.remove();
  while (list.children.length < sorted.length) {
    const item = make("li"), name = make("span", "name"), lane = make("span", "lane"), part = make("span", "number");
    lane.setAttribute("aria-hidden", "true");
    item.append(name, lane, part);
    item.parts = { name, lane, part };
    list.append(item);
  }
  const order = { "b-wait": 0, "b-post": 1, "b-call": 2 };
  sorted.forEach((lane, index) => {
    const item = list.children[index].parts;
    writeName(item.name, owner(lane.name));
    attribute(item.name, "title", clean(lane.name, 400));
    while (item.lane.children.length > lane.bars.length) item.lane.lastChild.remove();
    while (item.lane.children.length < lane.bars.length) item.lane.append(make("i"));
    lane.bars.sort((a, b) => order[a.style] - order[b.style]).forEach((bar, at) => {
      const node = item.lane.children[at];
      if (node.className !== bar.style) node.className = bar.style;
      attribute(node, "title", bar.words);
      place(node, bar.start, bar.length, from, span);
    });
    const busy = Math.min(100, 100 * lane.busy / span);
    write(item.part, (busy > 0 && busy < .1 ? "<0.1" : busy.toFixed(busy < 10 ? 1 : 0)) + thin + "%");
  });
  $("axis").hidden = sorted.length === 0;
  write($("axis-end"), duration(span));
  write($("actors-hint"), sorted.length ? (chosen ? `post ${clean(chosen, 20)}` : `${number(some.length)} posts in ${duration(span)}`) + (lanes.size > 24 ? `, 24 of ${lanes.size} actors` : "") : "");
  $("actors-all").hidden = !chosen;
  $("actors-empty").hidden = sorted.length > 0;
  write($("actors-empty"), model.snapshot?.tier === "follow" ? "Nothing was called yet." : "Shows who was busy when, once posts are followed.");
}

// ---- What somebody has opened: an observer, the observers of a line, a type, a post or a warning, with all that is known of it

let opened = null, details = null, asked = 0;
const isOpen = subject => Boolean(subject && opened && subject.kind === opened.kind && subject.id === opened.id);
function open(subject) {
  if (subject.kind === "warning") {
    const warning = view().snapshot?.warnings.find(w => String(w.id) === subject.id);
    // What a warning is about is what is looked for.
    if (warning?.group) subject = { kind: "group", id: warning.group };
    else if (warning?.observer && view().snapshot.groups.some(g => g.observer === warning.observer)) subject = { kind: "observer", id: warning.observer };
    else if (warning?.observer && view().snapshot.observers.some(o => o.id === warning.observer)) subject = { kind: "observer", id: warning.observer };
  }
  opened = subject;
  details = null;
  if (subject.kind === "post") choosePost(subject.id);
  askForDetails();
  wanted();
  showInAddress();
}
function close() {
  opened = details = null;
  wanted();
  showInAddress();
}
// What a snapshot does not have is asked for as long as it is open.
async function askForDetails() {
  clearTimeout(asked);
  const subject = opened;
  if (!subject || state.replay || !["observer", "group", "type"].includes(subject.kind)) return;
  const query = new URLSearchParams(), at = subject.id.indexOf("/");
  if (subject.kind === "type") { query.set("center", subject.id.slice(0, at)); query.set("type", subject.id.slice(at + 1)) } else query.set(subject.kind, subject.id);
  try {
    const answer = await fetch("details?" + query), found = answer.ok ? await answer.json() : null;
    if (subject !== opened) return;
    if (!state.held || !details) details = found;
    wanted();
  } catch { /* The stream says that the program does not answer. */ }
  if (subject === opened) asked = setTimeout(askForDetails, 1500);
}
const reasons = {
  anotherSender: m => `it is limited to another sender` + (m.detail ? `: ${clean(m.detail, 80)}` : ""), condition: () => "its condition refused it",
  senderOrCondition: () => "another sender, or its condition refused it", registeredLater: () => "it was registered later",
  ended: m => `it had ended` + (m.detail ? `: ${clean(m.detail, 80)}` : ""), dropped: () => "its buffering policy dropped it",
  discarded: () => "it ended while this waited", unknown: () => "not known"
};
const reasonOf = missed => (reasons[missed.reason] ?? reasons.unknown)(missed);
const times = t => t ? `p50 ${duration(t.median)} · p90 ${duration(t.percentile90)} · p99 ${duration(t.percentile99)} · max ${duration(t.longest)} · ${number(t.count)} measured` : "not measured: choose Count or Follow";

function drawPanel() {
  const panel = $("panel"), shown = view(), snapshot = shown.snapshot;
  document.body.classList.toggle("has-panel", Boolean(opened));
  if (!opened) { panel.hidden = true; panel.signature = null; return }
  // While something in it is marked, to be copied, it stays.
  if (!panel.hidden && panel.signature === opened && panel.contains(getSelection().anchorNode) && getSelection().toString()) return;
  const parts = [], add = (...nodes) => parts.push(...nodes);
  const heading = text => { const node = make("h3", "", text); add(node); return node };
  const facts = rows => {
    const list = make("dl");
    for (const [name, value, tone] of rows) if (value !== "" && value !== null && value !== undefined) list.append(make("dt", "", name), make("dd", tone ?? "", value));
    add(list);
  };
  const list = (rows, id) => {
    const ol = make("ol");
    if (id) ol.id = id;
    for (const [first, second, subject] of rows) {
      const item = make("li"), one = make(subject ? "button" : "span", subject ? "link" : "", clean(first));
      if (subject) { one.dataset.open = subject.kind + ":" + subject.id; one.addEventListener("click", () => open(subject)) }
      item.append(one, make("span", "dim", clean(second)));
      ol.append(item);
    }
    add(ol);
  };
  const histogram = (title, steps) => {
    if (!steps?.length) return;
    heading(title);
    const chart = make("div", "histogram"), most = Math.max(...steps.map(s => s.count)), axis = make("div", "axis");
    chart.setAttribute("role", "img");
    chart.setAttribute("aria-label", steps.map(s => `${s.count} up to ${duration(s.end)}`).join(", "));
    for (const step of steps) { const bar = make("i"); bar.style.height = 100 * step.count / most + "%"; bar.title = `${number(step.count)} up to ${duration(step.end)}`; chart.append(bar) }
    axis.append(make("span", "", duration(steps[0].end)), make("span", "", duration(steps.at(-1).end)));
    add(chart, axis);
  };
  const curve = (title, key) => {
    const points = shown.rows?.get(key) ?? [];
    if (points.length < 3) return;
    heading(`${title}, last ${age(points.at(-1).time - points[0].time)} · now ${number(points.at(-1).value)}`);
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg"), span = points.at(-1).time - points[0].time || 1, top = Math.max(1e-9, ...points.map(p => p.value));
    const path = points.map(p => `${(300 * (p.time - points[0].time) / span).toFixed(1)} ${(43 - 40 * p.value / top).toFixed(1)}`).join("L");
    svg.setAttribute("viewBox", "0 0 300 46");
    svg.setAttribute("preserveAspectRatio", "none");
    svg.setAttribute("aria-hidden", "true");
    for (const [name, d] of [["area", `M0 46L${path}L300 46Z`], ["line", "M" + path]]) { const node = document.createElementNS("http://www.w3.org/2000/svg", "path"); node.setAttribute("class", name); node.setAttribute("d", d); svg.append(node) }
    add(svg);
  };
  const warnings = ids => {
    const about = snapshot.warnings.filter(w => ids.has(w.observer) || ids.has(w.group));
    if (about.length) { heading("Warnings"); list(about.map(w => [w.text, isLiving(w) ? age(now - w.since) + " ago" : "over"])) }
  };
  const lastPosts = rows => {
    if (!rows.length) return;
    heading("Its last posts");
    list(rows.slice(0, 12).map(p => [`${p.id} ${shorten(clean(p.type))} ${p.payload ?? ""}`, clock(p.time), { kind: "post", id: p.id }]));
  };
  const calls = found => {
    if (!found?.lastCalls?.length) return;
    heading("Last calls");
    list(found.lastCalls.slice(0, 10).map(c => { const post = String(c.delivery).split(".")[0]; return [`took ${duration(c.duration)}` + (c.waited ? `, waited ${duration(c.waited)}` : ""), c.time ? clock(c.time) : "in the post", shown.posts.has(post) ? { kind: "post", id: post } : null] }));
  };
  const missedPosts = (found, ids) => {
    const known = found?.missed?.length ? found.missed : [...shown.posts.values()].flatMap(p => (p.missed ?? []).filter(m => ids.has(m.observer)).map(m => ({ post: p.id, time: p.time, missed: m }))).reverse();
    if (!known.length) return;
    heading("Why it was not called");
    list(known.slice(0, 12).map(m => [`post ${m.post}: ${reasonOf(m.missed)}`, clock(m.time), { kind: "post", id: m.post }]), "panel-missed");
  };
  const state = row => {
    if (row.isStuck || row.stuck) add(make("p", "alarm", row.runningFor ? `Stuck: running for ${age(row.runningFor)}` : `Stuck: nothing was taken for ${age(row.oldestWait ?? 0)}`));
    facts([
      ["Runs", clean(row.delivery)], ["Owner", owner(row.owner)], ["Limited to", clean(row.sender)], ["Center", clean(row.center)],
      ["Registered", row.since ? `${age(now - row.since)} ago` : `not noted; seen first ${age(now - row.seen)} ago`],
      ["Running for", row.runningFor === undefined || row.runningFor === null ? "" : duration(row.runningFor)],
      ["Busy", row.busy === undefined || row.busy === null ? "" : Math.round(100 * row.busy) + " % of the time"],
      ["Waiting", number(row.waiting) + (row.oldestWait ? `, the oldest for ${age(row.oldestWait)}` : "")],
      ["Dropped", row.dropped ? number(row.dropped) : ""],
      ["Calls", row.calls ? number(row.calls) + (row.callsPerSecond ? `, ${number(row.callsPerSecond)} a second` : "") : ""],
      ["A call", times(row.callTimes)], ["A wait", row.waitTimes ? times(row.waitTimes) : ""],
    ]);
  };
  let title = "";
  const { kind, id } = opened, groups = snapshot.groups;
  if (kind === "observer") {
    const row = snapshot.observers.find(o => o.id === id) ?? snapshot.stuck.find(o => o.id === id) ?? details?.observers?.find(o => o.id === id) ?? groups.find(g => g.observer === id), gone = snapshot.ended.find(o => o.id === id);
    title = row?.type ?? gone?.type ?? "An observer that is not there any more";
    if (row) {
      add(placeLine(row.place));
      state(row);
      missedPosts(details, new Set([id]));
      curve("Waiting", "observer:" + id);
      histogram("Calls", details?.calls);
      histogram("Waits", details?.waits);
      calls(details);
      warnings(new Set([id]));
      lastPosts([...shown.posts.values()].filter(p => p.deliveries.some(d => d.observer === id)).reverse());
    } else if (gone) { add(placeLine(gone.place)); facts([["Ended", gone.reason ?? "why is not noted"], ["When", clock(gone.time)]]) }
  } else if (kind === "group") {
    const row = groups.find(g => g.id === id);
    title = row?.type ?? "Observers that are not there any more";
    if (row) {
      add(placeLine(row.place));
      add(make("p", row.isGrowing ? "alarm" : "", `${number(row.count)} from ${clean(row.place)}` + (row.growth ? `, ${row.growth > 0 ? "+" : "−"}${number(Math.abs(row.growth))} a second` : "")));
      state(row);
      curve("Observers", "group:" + id);
      missedPosts(details, new Set(details?.observers?.map(o => o.id)));
      histogram("Calls", details?.calls);
      histogram("Waits", details?.waits);
      calls(details);
      warnings(new Set([id]));
      const members = details?.observers ?? [];
      if (members.length) { heading(`Observers` + (details.omitted ? `, ${members.length} of ${number(row.count)}` : "")); list(members.map(o => [`${o.id} ${owner(o.owner)}`, o.waiting ? number(o.waiting) + " wait" : o.since ? age(now - o.since) : "", { kind: "observer", id: o.id }])) }
    }
  } else if (kind === "type") {
    const at = id.indexOf("/"), row = snapshot.types.find(t => t.center === id.slice(0, at) && t.name === id.slice(at + 1));
    title = row?.name ?? id.slice(at + 1);
    if (row) {
      facts([["Center", clean(row.center)], ["Posts", `${number(row.posts)}, ${number(row.postsPerSecond)} a second`], ["Calls", `${number(row.deliveries)}, ${number(row.deliveriesPerSecond)} a second`], ["Dropped", row.drops ? number(row.drops) : ""], ["A post", times(row.postTimes)], ["A call", row.callTimes ? times(row.callTimes) : ""], ["A wait", row.waitTimes ? times(row.waitTimes) : ""]]);
      curve("Posts a second", "type:" + id);
      histogram("Posts", details?.posts);
      histogram("Calls", details?.calls);
      const all = groups.filter(g => g.center === row.center && g.type === row.name);
      heading("Who observes it");
      list(all.slice(0, 30).map(g => [(g.count > 1 ? number(g.count) + " × " : "") + g.place, g.waiting ? number(g.waiting) + " wait" : g.delivery, g.observer && g.count === 1 ? { kind: "observer", id: g.observer } : { kind: "group", id: g.id }]));
      lastPosts([...shown.posts.values()].filter(p => p.type === row.name && p.center === row.center).reverse());
    }
  } else if (kind === "post") {
    const post = shown.posts.get(id);
    title = post ? post.type : "A post that is not kept any more";
    if (post) {
      if (post.place) add(placeLine(post.place));
      const pin = make("button", "tool", pinned.has(id) ? "Unpin" : "Pin");
      pin.setAttribute("aria-pressed", String(pinned.has(id)));
      pin.addEventListener("click", () => { if (!pinned.delete(id)) pinned.add(id); askAgain(); wanted(); showInAddress() });
      add(pin);
      const pending = post.deliveries.filter(d => d.state === "waiting" || d.state === "running"), { children } = trees(shown.posts), caused = children.get(id) ?? [];
      facts([["Post", clean(post.id) + (post.run ? `, of the ${post.run}` : "")], ["Center", clean(post.center)], ["When", clock(post.time)], ["Took", duration(post.duration)], ["Payload", clean(post.payload)], ["Called or queued", number(post.observers)], ["Still waiting", pending.length ? number(pending.length) : "none"], ["Posts made by it", caused.length ? number(caused.length) : ""]]);
      if (post.cause) { const parent = post.cause.slice(0, post.cause.lastIndexOf(".")); heading("Caused by"); list([[`post ${parent}`, "", shown.posts.has(parent) ? { kind: "post", id: parent } : null]]) }
      heading("What it led to");
      const rows = [];
      for (const d of post.deliveries) {
        rows.push([`${d.delivery} ${d.place}`, deliveryTime(d), { kind: "observer", id: d.observer }]);
        for (const next of caused) if (next.cause === d.id) rows.push([`↳ post ${next.id} ${shorten(clean(next.type))}`, duration(next.duration), { kind: "post", id: next.id }]);
      }
      if (post.omitted) rows.push([`${number(post.omitted)} more deliveries`, "", null]);
      list(rows, "panel-led");
      heading("Who observes it and was not called");
      if (post.missed?.length) list(post.missed.map(m => [`${m.place}: ${reasonOf(m)}`, m.delivery, { kind: "observer", id: m.observer }]), "panel-missed");
      else add(make("p", "dim", post.missed ? "Nobody." : "Not known of this post."));
    }
  } else if (kind === "warning") {
    const warning = snapshot.warnings.find(w => String(w.id) === id);
    title = warning ? warning.text : "A warning that is not kept any more";
    if (warning) {
      if (warning.place) add(placeLine(warning.place));
      facts([["Since", clock(warning.since)], ["Given", number(warning.count) + " times"], ["Over", isLiving(warning) ? "" : clock(warning.recovered)], ["Center", clean(warning.center)]]);
      const objects = snapshot.owners.filter(o => o.isGrowing);
      if (warning.kind === "growingOwners" && objects.length) { heading("Objects that become more"); list(objects.map(o => [o.type, `${number(o.count)}, +${number(o.growth)} a second`])); heading("What they observe"); list(groups.filter(g => g.isGrowing).map(g => [`${number(g.count)} × ${g.place}`, g.type, { kind: "group", id: g.id }])) }
    }
  }
  const head = make("header"), name = make("h2", "", shorten(clean(title, 400))), shut = make("button", "tool", "Close");
  name.id = "h-panel";
  name.title = clean(title, 400);
  shut.id = "panel-close";
  shut.addEventListener("click", close);
  head.append(name, shut);
  // What has the focus keeps it, and what is scrolled to stays there.
  const focus = panel.contains(document.activeElement) ? document.activeElement.dataset.open ?? (document.activeElement.textContent || null) : null, top = panel.signature === opened ? panel.scrollTop : 0;
  panel.replaceChildren(head, ...parts);
  const wasHidden = panel.hidden || panel.signature !== opened;
  panel.hidden = false;
  panel.signature = opened;
  panel.scrollTop = top;
  if (focus) [...panel.querySelectorAll("button")].find(b => b.dataset.open === focus || b.textContent === focus)?.focus({ preventScroll: true });
  else if (wasHidden && document.activeElement?.closest("#posts, table, #warnings, #panel")) shut.focus({ preventScroll: true });
}

// ---- The address says what is shown, so that it can be sent to somebody

let isReading = false;
function showInAddress() {
  if (isReading) return;
  const view = new URLSearchParams();
  if (filterText) view.set("filter", $("filter").value.trim());
  if (tables.observers.by + tables.observers.order !== "waitingdown") view.set("sort", tables.observers.by + " " + tables.observers.order);
  if (opened) view.set("open", opened.kind + ":" + opened.id);
  if (chosen) view.set("post", chosen);
  if (pinned.size) view.set("pinned", [...pinned].join(","));
  if (state.held) view.set("held", "1");
  const text = view.toString();
  history.replaceState(null, "", text ? "#" + text : location.pathname);
}
function readAddress() {
  const view = new URLSearchParams(location.hash.slice(1)), table = tables.observers;
  isReading = true;
  const filter = (view.get("filter") ?? "").slice(0, 200), [by, order] = (view.get("sort") ?? "").split(" ");
  $("filter").value = filter;
  filterText = filter.trim().toLowerCase();
  if (table.columns.some(c => c.parts.some(p => p.key === by)) && ["up", "down"].includes(order)) [table.by, table.order] = [by, order];
  chosen = view.get("post");
  pinned.clear();
  for (const id of (view.get("pinned") ?? "").split(",").filter(Boolean).slice(0, 20)) pinned.add(id);
  const found = /^(observer|group|type|post|warning):(.+)$/s.exec(view.get("open") ?? "");
  opened = found ? { kind: found[1], id: found[2] } : null;
  details = null;
  state.wantsHeld = view.get("held") === "1";
  isReading = false;
  askForDetails();
}
addEventListener("hashchange", () => { readAddress(); askAgain(); wanted() });

// ---- Drawing: what has changed is drawn in the next frame, and at most some times a second

const state = { held: null, replay: null, source: null, connected: "connecting", unshown: 0, trees: 10, frame: false, drawn: 0 };
// What is shown now: the recording, or what is held, or what the program said last.
const view = () => state.replay ? state.replay.view : state.held ?? model;

function wanted() {
  if (state.frame) return;
  state.frame = true;
  const wait = Math.max(0, state.drawn + 120 - performance.now());
  setTimeout(() => requestAnimationFrame(draw), wait);
}
function draw() {
  state.frame = false;
  state.drawn = performance.now();
  drawState();
  const shown = view(), snapshot = shown.snapshot;
  if (!snapshot) return;
  now = snapshot.time;
  const { totals, omitted } = snapshot, buses = new Map(snapshot.buses.map(b => [b.name, b]));
  several = new Set(snapshot.types.map(t => t.center).filter(c => !buses.has(c))).size > 1;
  longestQueue = Math.max(1, ...snapshot.groups.map(o => o.waiting));
  for (const tile of tiles) tile(snapshot, shown.history);
  tables.types.show(snapshot.types, omitted.types);
  tables.observers.show(snapshot.groups, snapshot.groups.length >= 1000 ? omitted.observers : 0);
  tables.ended.show(snapshot.ended);
  const consumers = snapshot.observers.filter(o => buses.has(o.center)).map(o => ({ ...o, bus: o.center, messages: buses.get(o.center).messages }));
  const filled = new Set(consumers.map(c => c.bus));
  tables.buses.show([...consumers, ...snapshot.buses.filter(b => !filled.has(b.name)).map(b => ({ bus: b.name, messages: b.messages, waiting: b.waiting, owner: b.consumers ? `${b.consumers} consumers` : null }))]);
  const routes = snapshot.relays.flatMap(r => {
    const relay = { relay: r.name, outgoing: r.outgoing, trouble: !r.connected ? "not connected" : r.error ? "no answer: " + r.error : "connected" };
    return r.routes.length ? r.routes.map(route => ({ ...route, ...relay })) : [relay];
  });
  tables.relays.show(routes);
  $("relays-card").hidden = $("relays-link").hidden = !routes.length;
  drawWarnings(snapshot);
  drawPosts(snapshot, shown.posts);
  drawActors();
  drawPanel();
  const title = clean(snapshot.program.name, 80) + " – Tidings inspector";
  if (document.title !== title) document.title = title;
  write($("n-types"), number(totals.types));
  write($("n-observers"), number(totals.observers));
  write($("n-warnings"), number(snapshot.warnings.filter(isLiving).length));
  write($("n-posts"), shown.posts.size ? number(shown.posts.size) : "");
  write($("n-buses"), number(snapshot.buses.length));
  write($("n-relays"), number(snapshot.relays.length));
  write($("n-ended"), number(snapshot.ended.length));
  write($("observers-hint"), snapshot.tier === "look" ? "Count or Follow measures waits and calls" : "");
  write($("program"), `${clean(snapshot.program.name, 80)} · process ${snapshot.program.process} · up ${age(snapshot.time - snapshot.program.started)}`);
  write($("foot"), `Snapshot ${number(snapshot.sequence)} at ${clock(snapshot.time)}` + (snapshot.lost ? ` · ${number(snapshot.lost)} missed by this page` : "") + (snapshot.viewers > 1 ? ` · ${snapshot.viewers} viewers` : ""));
  for (const radio of $("tiers").elements) if (radio.type === "radio") radio.checked = radio.value === snapshot.tier;
}
function drawState() {
  const snapshot = view().snapshot, box = $("state");
  const [name, words] = state.replay ? ["recording", "recording"] : state.connected !== "live" ? [state.connected === "connecting" ? "waiting" : "lost", state.connected]
    : state.held ? ["held", "held"] : ["live", snapshot?.tierEnds ? `live · ${snapshot.tier} ends in ${age(snapshot.tierEnds)}` : "live"];
  box.dataset.state = name;
  // A state is spoken when it changes, not each time that the seconds do.
  attribute(box, "aria-live", name === box.said ? "off" : "polite");
  box.said = name;
  write(box, words);
  $("tiers").disabled = Boolean(state.replay);
  attribute($("hold"), "aria-pressed", String(Boolean(state.held)));
  $("hold").disabled = Boolean(state.replay);
  write($("hold"), state.held ? "Held" : "Hold");
  $("replay").hidden = !state.replay;
}
function tell(text) { const note = $("note"); write(note, text); note.hidden = !text }

// ---- The program

let attempts = 0, retry = 0;
function connect() {
  clearTimeout(retry);
  state.source?.close();
  const query = new URLSearchParams({ every: .5, limit: 1000 }), { by, order } = tables.observers;
  const known = { type: "type", place: "place", delivery: "delivery", owner: "owner", sender: "sender", since: "since", waiting: "waiting", growth: "growth", oldest: "oldestWait", count: "count", running: "runningFor", busy: "busy", dropped: "dropped", wait: "waitTime", call: "callTime", call99: "callTime" }[by];
  if (known) { query.set("sort", known); query.set("order", order === "up" !== (by === "since") ? "ascending" : "descending") }
  if (filterText) query.set("filter", filterText);
  const posts = [chosen, ...pinned].filter(id => id && !id.startsWith("last-"));
  if (posts.length) query.set("posts", posts.slice(0, 20).join(","));
  state.asked = query.toString();
  const source = state.source = new EventSource("events?" + state.asked);
  source.addEventListener("snapshot", event => {
    let snapshot;
    try { snapshot = readSnapshot(event.data) } catch (error) { tell("The program sent what this page cannot read: " + clean(error.message)); return }
    attempts = 0;
    if (state.connected !== "live") { state.connected = "live"; tell("") }
    take(snapshot);
    record(snapshot, event.data);
    if (state.wantsHeld) { state.wantsHeld = false; hold() }
    if (!state.held && !state.replay) wanted();
  });
  source.addEventListener("end", () => lost("the program has ended"));
  source.onerror = () => lost("not connected");
}
function lost(words) {
  state.connected = words;
  state.source.close();
  clearTimeout(retry);
  retry = setTimeout(reconnect, Math.min(5000, 250 * 2 ** Math.min(attempts++, 5)));
  wanted();
}
// A stream that is refused does not say why, so the page asks once in another way.
async function reconnect() {
  try {
    const answer = await fetch("snapshot?limit=0");
    if (answer.status === 401) tell("The program was started again, with another token: open the address that it printed.");
    else if (!answer.ok) tell(clean(await answer.text(), 200));
    if (!answer.ok) throw new Error(answer.status);
    connect();
  } catch { lost(state.connected === "connecting" ? "not connected" : state.connected) }
}
// What the reader wants to see first, or at all, is for the program to choose where it has more than it sends.
let asking = 0;
function askAgain() {
  clearTimeout(asking);
  asking = setTimeout(() => { if (state.source?.readyState === EventSource.OPEN && (view().snapshot?.omitted.observers || /filter=|posts=/.test(state.asked) || chosen || pinned.size)) connect() }, 250);
}
async function chooseTier(tier) {
  try {
    const answer = await fetch("tier?tier=" + tier, { method: "POST" });
    if (!answer.ok) tell(clean(await answer.text(), 200));
  } catch { tell("The program does not answer.") }
  wanted();
}

// ---- Recordings

// A snapshot from a text; what is missing in it, as the file of somebody may lack anything, is empty.
function readSnapshot(text) {
  const s = JSON.parse(text);
  if (s === null || typeof s !== "object" || s.version !== 1 || typeof s.time !== "number") throw new Error("it is no snapshot of version 1");
  const list = value => Array.isArray(value) ? value.filter(v => v !== null && typeof v === "object") : [];
  const amount = value => typeof value === "number" ? value : 0;
  for (const key of ["types", "observers", "groups", "owners", "stuck", "ended", "buses", "relays", "warnings", "posts"]) s[key] = list(s[key]);
  s.omitted = { types: amount(s.omitted?.types), observers: amount(s.omitted?.observers), posts: amount(s.omitted?.posts) };
  s.totals = Object.fromEntries(Object.entries({ posts: 0, deliveries: 0, drops: 0, types: 0, observers: 0, waiting: 0, running: 0, ...s.totals }).filter(([, v]) => typeof v === "number"));
  s.program = { name: clean(s.program?.name, 80), process: amount(s.program?.process), started: amount(s.program?.started) };
  s.tier = ["look", "count", "follow"].includes(s.tier) ? s.tier : "look";
  for (const observer of [...s.observers, ...s.stuck]) observer.waiting = amount(observer.waiting);
  for (const group of s.groups) { group.waiting = amount(group.waiting); group.count = amount(group.count); group.seen = amount(group.seen); group.id = String(group.id) }
  for (const relay of s.relays) {
    [relay.name, relay.outgoing, relay.error, relay.routes] = [String(relay.name), amount(relay.outgoing), relay.error ? String(relay.error) : "", list(relay.routes)];
    for (const route of relay.routes) for (const key of ["waiting", "inProgress", "redelivered", "buried"]) route[key] = amount(route[key]);
  }
  for (const warning of s.warnings) { warning.text = String(warning.text ?? ""); warning.since = amount(warning.since) }
  for (const post of s.posts) {
    post.id = String(post.id);
    post.time = amount(post.time);
    post.cause = typeof post.cause === "string" ? post.cause : null;
    post.deliveries = list(post.deliveries);
    post.missed = Array.isArray(post.missed) ? list(post.missed) : null;
    for (const delivery of post.deliveries) delivery.id = String(delivery.id);
    for (const delivery of post.deliveries) delivery.time = amount(delivery.time);
  }
  return s;
}
const tape = { lines: [], size: 0, posts: new Map(), dropped: 0 };
const longestTape = 48e6;
// Keeps a snapshot, without the posts that an earlier line has in the same state.
function record(snapshot, text) {
  // What was seen of a program that has ended is kept: each line says of which run it is.
  if (isOther(tape.last, snapshot)) tape.posts = new Map();
  tape.last = snapshot;
  let line = text;
  if (snapshot.posts.length) {
    const stateOf = post => `${post.deliveries.map(d => String(d.state)[0] + (d.ahead ?? "")).join("")} ${post.missed?.length} ${post.deliveries.length} ${post.omitted} ${post.duration}`;
    const posts = snapshot.posts.filter(post => tape.posts.get(post.id) !== stateOf(post));
    tape.posts = new Map(snapshot.posts.map(post => [post.id, stateOf(post)]));
    line = JSON.stringify({ ...snapshot, posts });
  }
  tape.lines.push(line);
  tape.size += line.length;
  while (tape.size > longestTape) { tape.size -= tape.lines.shift().length; tape.dropped++ }
}
function save() {
  if (!tape.last) return tell("Nothing was seen yet.");
  const head = JSON.stringify({ recording: "tidings", version: 1, program: tape.last.program, saved: Date.now() / 1000 });
  const link = make("a"), address = URL.createObjectURL(new Blob([head, "\n", ...tape.lines.flatMap(line => [line, "\n"])], { type: "application/x-ndjson" }));
  link.href = address;
  link.download = `tidings-${tape.last.program.name.replace(/[^\w-]/g, "_") || "program"}-${new Date().toISOString().slice(0, 19).replace(/:/g, "")}.jsonl`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
  tell(tape.dropped ? `The first ${number(tape.dropped)} snapshots were too much to keep and are not in the file.` : "");
}
async function openRecording(file) {
  try {
    if (file.size > 400e6) throw new Error("it is larger than 400 MB");
    const lines = (await file.text()).split("\n").filter(line => line.trim()), head = JSON.parse(lines[0] ?? "null");
    if (head?.recording !== "tidings") throw new Error("its first line does not say that it is a recording of Tidings");
    if (head.version !== 1) throw new Error(`it is of version ${clean(head.version, 20)}, and this page reads version 1`);
    const snapshots = lines.slice(1).map((line, index) => {
      try { return readSnapshot(line) } catch (error) { throw new Error(`line ${index + 2}: ${error.message}`) }
    });
    if (!snapshots.length) throw new Error("there is no snapshot in it");
    state.replay = { snapshots, name: file.name };
    chosen = null;
    opened = null;
    $("replay-time").max = snapshots.length - 1;
    write($("replay-name"), clean(file.name, 60));
    tell("");
    replayTo(snapshots.length - 1);
  } catch (error) { tell(`${clean(file.name, 60)} cannot be opened: ${clean(error.message)}.`) }
}
function replayTo(index) {
  const { snapshots } = state.replay, snapshot = snapshots[index], posts = new Map();
  let kept = posts, run = null;
  for (const earlier of snapshots.slice(Math.max(0, index - 600), index + 1)) {
    if (run && isOther(run, earlier)) kept = asOfLastRun(kept);
    run = earlier;
    takePosts(earlier.posts, kept);
  }
  const live = { ...model };
  Object.assign(model, { history: [], snapshot: null, posts: new Map(), rows: new Map() });
  for (const earlier of snapshots.slice(0, index + 1)) if (earlier.time >= snapshot.time - longestHistory) take(earlier);
  state.replay.view = { snapshot, posts: kept, history: model.history, rows: model.rows };
  Object.assign(model, live);
  $("replay-time").value = index;
  $("replay-time").setAttribute("aria-valuetext", clock(snapshot.time));
  write($("replay-at"), `${clock(snapshot.time)} · ${index + 1} of ${snapshots.length}`);
  wanted();
}

// ---- What the reader does

const themes = { "": "Auto", light: "Light", dark: "Dark" };
function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme; else delete document.documentElement.dataset.theme;
  write($("theme"), themes[theme] ?? "Auto");
  $("theme").setAttribute("aria-label", `Colours: ${themes[theme] ?? "Auto"}`);
}
setTheme(memory.get("theme", ""));
$("theme").addEventListener("click", () => {
  const names = Object.keys(themes), next = names[(names.indexOf(memory.get("theme", "")) + 1) % names.length];
  memory.set("theme", next);
  setTheme(next);
});
function hold() {
  if (state.replay || !model.snapshot) return;
  state.held = state.held ? null : { snapshot: model.snapshot, posts: new Map(model.posts), history: model.history.slice(), rows: new Map([...model.rows].map(([key, points]) => [key, points.slice()])) };
  wanted();
  showInAddress();
}
function setFilter(text) {
  filterText = text.trim().toLowerCase();
  wanted();
  showInAddress();
  askAgain();
}
function choosePost(id) { if (chosen !== id) { chosen = id; askAgain() } wanted(); showInAddress() }
$("hold").addEventListener("click", hold);
$("save").addEventListener("click", save);
$("open").addEventListener("click", () => $("file").click());
$("file").addEventListener("change", event => { const [file] = event.target.files; if (file) openRecording(file); event.target.value = "" });
$("replay-time").addEventListener("input", event => replayTo(Number(event.target.value)));
$("replay-end").addEventListener("click", () => { state.replay = null; chosen = null; opened = null; wanted() });
$("tiers").addEventListener("change", event => chooseTier(event.target.value));
$("filter").addEventListener("input", event => setFilter(event.target.value));
for (const [id, count] of [["posts-more", 60], ["posts-less", 10]]) $(id).addEventListener("click", () => { state.trees = count; wanted() });
$("actors-all").addEventListener("click", () => choosePost(null));
for (const head of document.querySelectorAll("#observers thead")) head.addEventListener("click", askAgain);
document.addEventListener("dragover", event => event.preventDefault());
document.addEventListener("drop", event => { event.preventDefault(); const [file] = event.dataTransfer.files; if (file) openRecording(file) });

const editor = $("editor"), other = $("other"), folder = $("folder");
function showSettings() { $("other-label").hidden = editor.value !== "other" }
editor.value = memory.get("editor", "");
other.value = memory.get("other", "");
folder.value = memory.get("folder", "");
for (const field of [editor, other, folder]) field.addEventListener("input", () => { memory.set(field.id, field.value); showSettings(); wanted() });
$("files").addEventListener("change", event => { takeFiles(event.target.files); wanted() });
const help = () => { showSettings(); $("dialog").showModal() };
$("help").addEventListener("click", help);

// A key is hit by mistake, and following costs the program something: it says so, and wants the key again.
let saidCost = -Infinity;
function followByKey() {
  if (view().snapshot?.tier === "follow" || performance.now() - saidCost < 10000) { saidCost = -Infinity; tell(""); return chooseTier("follow") }
  saidCost = performance.now();
  tell("To follow a post costs the program some ten times as much as to make it, up to 20,000 posts and calls a second. Press 3 again to begin.");
}
const shortcuts = $("shortcuts");
shortcuts.checked = memory.get("shortcuts", "on") === "on";
shortcuts.addEventListener("change", () => memory.set("shortcuts", shortcuts.checked ? "on" : "off"));

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("dialog").open) return;
  if (event.key === "Escape") {
    if (opened) close();
    else if ($("filter").value) { $("filter").value = ""; setFilter("") }
    else choosePost(null);
    return;
  }
  if (memory.get("shortcuts", "on") !== "on") return;
  if (event.target.matches("input:not([type=radio]), select, textarea")) return;
  const action = { "/": () => $("filter").focus(), h: hold, "?": help, 1: () => chooseTier("look"), 2: () => chooseTier("count"), 3: followByKey }[event.key];
  if (action) { event.preventDefault(); action() }
});
// Ages grow also while nothing comes, so a page that is not connected does not seem to be.
document.addEventListener("visibilitychange", () => { if (!document.hidden) wanted() });
readAddress();
connect();
wanted();
})();
</script>
</body>
</html>

"""#

/// What its Content-Security-Policy allows: these scripts and styles, and no others.
let embeddedScripts = "'sha256-DHK2PM9XRmhjV0BXnxQsQ+MaleKaVUjGT0oK1ztiVnU='"
let embeddedStyles = "'sha256-XqsIDgFLWt/bP+FaEY84hFY7KKAsc+LhoCSzSy49xsQ='"
