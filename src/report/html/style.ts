// How a report looks: light and dark as the reader's system is, on a phone, and on paper.
import { markup } from './markup.ts';

export const STYLE = markup`<style>
:root {
  --page: #f6f7f9; --card: #fff; --ink: #1b2230; --soft: #566072; --line: #dde1e8; --code: #f1f3f6;
  --link: #0b57b0; --create: #14663a; --create-bg: #e3f4e9; --update: #7a4b00; --update-bg: #fdf1d8;
  --delete: #a3172b; --delete-bg: #fdeaec; --note: #34408f; --note-bg: #eaecfb; --focus: #0b57b0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12151b; --card: #1a1f28; --ink: #e6e9ef; --soft: #a3adbd; --line: #323a48; --code: #232a35;
    --link: #8cbcff; --create: #7fdca0; --create-bg: #153323; --update: #f2c46d; --update-bg: #3a2b0c;
    --delete: #ff9aa5; --delete-bg: #431a20; --note: #b3bdff; --note-bg: #262c52; --focus: #8cbcff;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 5rem; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
}
header, main, footer { max-width: 68rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2rem; }
footer { padding: 1.5rem 1.25rem 3rem; color: var(--soft); font-size: .85rem; }
main:focus { outline: none; }
h1, h2, h3, p, ul, ol, dl, dd { margin: 0; padding: 0; }
ul, ol { list-style: none; }
h1 { font-size: 1.6rem; line-height: 1.25; font-weight: 650; letter-spacing: -.01em; }
h2 { font-size: 1.15rem; font-weight: 650; }
h3 { font-size: 1rem; font-weight: 600; display: inline; }
a { color: var(--link); text-underline-offset: .15em; }
a:focus-visible, summary:focus-visible, button:focus-visible, input:focus-visible, [tabindex]:focus-visible {
  outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 4px;
}
main:focus-visible { outline: none; }
code, pre, .v { font-family: ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace; font-size: .87em; }
code { background: var(--code); border-radius: 4px; padding: .08em .32em; }
code, b, .v, .place { unicode-bidi: isolate; overflow-wrap: anywhere; }
pre { margin: .5rem 0 0; padding: .7rem .9rem; background: var(--code); border-radius: 6px; overflow-x: auto; line-height: 1.45; }
p, li, td, summary { overflow-wrap: anywhere; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: .5rem .8rem; z-index: 9; }
.eyebrow { color: var(--soft); font-size: .8rem; font-weight: 600; letter-spacing: .06em; text-transform: uppercase; }
.lead { font-size: 1.08rem; margin-top: .5rem; max-width: 52rem; }
.live { color: var(--soft); font-size: .88rem; margin-top: .4rem; }
.live.lost { color: var(--delete); font-weight: 600; }
section { margin-top: 2rem; }
section > p { color: var(--soft); margin-top: .15rem; max-width: 52rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; margin-top: .7rem; overflow: clip; }
.rows > li + li { border-top: 1px solid var(--line); }
.rows > li { padding: .65rem 1rem; }
.row { display: flex; flex-wrap: wrap; align-items: baseline; gap: .15rem .6rem; }
.row > .what { flex: 1 1 18rem; min-width: 0; }
strong.good { color: var(--create); }
strong.careful { color: var(--update); }
strong.bad { color: var(--delete); }
.soft, .place { color: var(--soft); }
.place { font-size: .85rem; font-family: ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace; }
.danger > .card { border-left: 4px solid var(--delete); }
.todo { margin-top: .2rem; }
.badge {
  display: inline-block; padding: .02rem .5rem; border-radius: 99px; font-size: .76rem; font-weight: 650; line-height: 1.6;
  letter-spacing: .01em; background: var(--note-bg); color: var(--note); white-space: nowrap;
}
.create.badge { background: var(--create-bg); color: var(--create); }
.update.badge { background: var(--update-bg); color: var(--update); }
.delete.badge { background: var(--delete-bg); color: var(--delete); }
.risk.badge { background: none; color: var(--delete); box-shadow: inset 0 0 0 1.5px currentColor; }
summary { cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::before {
  content: ''; flex: none; width: .45rem; height: .45rem; margin: 0 .35rem .1rem .1rem; display: inline-block;
  border: solid var(--soft); border-width: 0 2px 2px 0; transform: rotate(-45deg);
}
details[open] > summary::before { transform: rotate(45deg); margin-bottom: .2rem; }
summary.row { padding: .6rem 1rem; align-items: baseline; }
summary:hover { background: var(--code); }
.act > summary.row { padding-left: 1.6rem; }
.inside { padding: .1rem 1rem .9rem 2rem; }
.inside > p { margin-top: .3rem; }
.plain > li { padding: .1rem 0; }
.more { margin-top: .4rem; }
.more > summary { color: var(--soft); font-size: .9rem; }
.more > ul { margin: .35rem 0 0 1.2rem; columns: 22rem auto; }
.more > ul > li { padding: .1rem 0; break-inside: avoid; }
table { border-collapse: collapse; width: 100%; margin-top: .5rem; font-size: .95em; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-top: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 600; border-top: 0; font-size: .85rem; }
tbody th { font-weight: 500; width: 30%; min-width: 8rem; overflow-wrap: anywhere; }
.v { display: block; padding: .05rem .4rem; border-radius: 4px; white-space: pre-wrap; }
ins.v, del.v { text-decoration: none; }
ins.v { background: var(--create-bg); color: var(--create); }
del.v { background: var(--delete-bg); color: var(--delete); }
ins.v::before { content: '+ '; } del.v::before { content: '− '; }
.same.v { color: var(--soft); }
.wide { overflow-x: auto; position: relative; }
.wide table { table-layout: fixed; min-width: 34rem; }
.uneven :is(th, td):first-child { width: 11rem; }
.uneven :is(th, td):last-child { width: 8rem; }
.tools {
  position: sticky; top: 0; z-index: 5; display: flex; flex-wrap: wrap; gap: .5rem; align-items: center;
  padding: .6rem 0; margin-top: 1.2rem; background: var(--page); border-bottom: 1px solid var(--line);
}
.tools[hidden] { display: none; }
.tools input {
  flex: 1 1 14rem; min-width: 0; font: inherit; color: var(--ink); background: var(--card); border: 1px solid var(--soft);
  border-radius: 8px; padding: .42rem .7rem;
}
.tools input::placeholder { color: var(--soft); opacity: 1; }
.tools button {
  font: inherit; font-size: .88rem; color: var(--ink); background: var(--card); border: 1px solid var(--line);
  border-radius: 99px; padding: .3rem .8rem; cursor: pointer;
}
.tools button:hover { border-color: var(--link); }
.tools button[aria-pressed=true] { background: var(--ink); color: var(--page); border-color: var(--ink); }
.tools [role=status] { color: var(--soft); font-size: .88rem; white-space: nowrap; }
[hidden] { display: none !important; }
.searching .quiet { display: none; }
.picture { padding: 1rem; overflow-x: auto; }
svg { display: block; }
svg .box { fill: var(--card); stroke: var(--soft); stroke-width: 1.2; }
svg .create .box { stroke: var(--create); fill: var(--create-bg); }
svg .update .box { stroke: var(--update); fill: var(--update-bg); }
svg .delete .box { stroke: var(--delete); fill: var(--delete-bg); }
svg .risky .box { stroke-width: 3; }
svg text { fill: var(--ink); font-size: 13px; }
svg text.sub { fill: var(--soft); font-size: 11px; }
svg .create text.sub { fill: var(--create); }
svg .update text.sub { fill: var(--update); }
svg .delete text.sub, svg .risky text.sub { fill: var(--delete); }
svg .edge { fill: none; stroke: var(--soft); stroke-width: 1.3; }
svg .tip, svg .dot { fill: var(--soft); }
svg a:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
@media (max-width: 40rem) {
  header, main, footer { padding-left: .8rem; padding-right: .8rem; }
  .inside { padding-left: 1rem; }
  .act > summary.row { padding-left: 1rem; }
  h1 { font-size: 1.3rem; }
  .tools { position: static; }
  .tools input { flex-basis: 100%; }
  tbody th { width: auto; min-width: 6rem; }
  .wide table { min-width: 0; }
  .uneven :is(th, td) { padding: .3rem .4rem; }
  .uneven :is(th, td):first-child, .uneven :is(th, td):last-child { width: 26%; }
}
@media print {
  :root {
    --page: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --code: #f3f3f3; --link: #000;
    --create: #14663a; --create-bg: #eef8f1; --update: #7a4b00; --update-bg: #fdf6e6; --delete: #a3172b; --delete-bg: #fdf0f1;
    --note: #34408f; --note-bg: #f0f1fb;
  }
  body { font-size: 10pt; }
  .tools, .skip, .live { display: none; }
  header, main, footer { max-width: none; padding-left: 0; padding-right: 0; }
  .card { overflow: visible; border-radius: 0; }
  summary::before { display: none; }
  details::details-content { content-visibility: visible; display: block; }
  .act, .rows > li, tr { break-inside: avoid; }
  h2, summary { break-after: avoid; }
  .picture { overflow: visible; }
  svg { max-width: 100%; height: auto; }
  a { text-decoration: none; }
  * { print-color-adjust: exact; }
}
</style>`;
