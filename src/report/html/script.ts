// Search and folding. Without it the report is whole: everything is there, and folds by itself.
import { markup } from './markup.ts';

/** `.item` is found or not; a `details` with nothing found in it goes, and one with something opens meanwhile. */
export const SCRIPT = markup`<script>
'use strict';
(function () {
  var tools = document.querySelector('.tools');
  function unfold(id) {
    var target = id && document.getElementById(id);
    for (var at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
    if (target) target.scrollIntoView();
  }
  function follow() { unfold(location.hash.slice(1)); }
  window.addEventListener('hashchange', follow);
  document.addEventListener('click', function (event) {
    var link = event.target.closest && event.target.closest('a[href^="#"]');
    if (link && link.getAttribute('href') === location.hash) follow();
  });
  if (location.hash) follow();
  var printed = [];
  window.addEventListener('beforeprint', function () {
    printed = Array.from(document.querySelectorAll('details')).filter(function (one) { return !one.open; });
    printed.forEach(function (one) { one.open = true; });
  });
  window.addEventListener('afterprint', function () { printed.forEach(function (one) { one.open = false; }); });
  if (!tools) return;
  tools.hidden = false;
  var field = tools.querySelector('input');
  var said = tools.querySelector('[role=status]');
  var chips = Array.from(tools.querySelectorAll('button[data-only]'));
  var items, groups, texts, before;
  function collect() {
    items = Array.from(document.querySelectorAll('.item'));
    groups = Array.from(document.querySelectorAll('.group')).reverse();
    texts = before = null;
    search();
  }
  function textOf(item) {
    var root = item.parentElement.closest('details.group');
    return (item.textContent + ' ' + Array.from(item.querySelectorAll('span[title]'), function (one) { return one.title; }).join(' ') + ' ' + (root ? root.firstElementChild.textContent : '')).toLowerCase();
  }
  function search() {
    var words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
    var only = chips.filter(function (chip) { return chip.getAttribute('aria-pressed') === 'true'; })
      .map(function (chip) { return chip.dataset.only; });
    var active = words.length > 0 || only.length > 0;
    if (active && !texts) texts = items.map(textOf);
    if (active && !before) before = new Map(groups.map(function (group) { return [group, group.open]; }));
    var found = 0;
    var full = new Set();
    items.forEach(function (item, index) {
      var tags = (item.dataset.is || '').split(' ');
      var shown = !active || (words.every(function (word) { return texts[index].includes(word); }) &&
        (only.length === 0 || only.some(function (tag) { return tags.includes(tag); })));
      if (item.hidden === shown) item.hidden = !shown;
      if (!shown) return;
      found += 1;
      for (var at = item.parentElement.closest('.group'); at && !full.has(at); at = at.parentElement.closest('.group'))
        full.add(at);
    });
    groups.forEach(function (group) {
      group.hidden = active && !full.has(group);
      if (group.tagName !== 'DETAILS') return;
      if (active) group.open = full.has(group) && found <= 300;
      else if (before) group.open = before.get(group);
    });
    if (!active) before = null;
    said.textContent = active ? found + ' of ' + items.length + ' entries' : items.length + ' entries';
    document.body.classList.toggle('searching', active);
  }
  field.addEventListener('input', search);
  field.addEventListener('keydown', function (event) {
    if (event.key === 'Escape') { field.value = ''; search(); }
  });
  chips.forEach(function (chip) {
    chip.addEventListener('click', function () {
      chip.setAttribute('aria-pressed', String(chip.getAttribute('aria-pressed') !== 'true'));
      search();
    });
  });
  document.addEventListener('keydown', function (event) {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target === field) return;
    event.preventDefault();
    field.focus();
  });
  tools.querySelector('.fold').addEventListener('click', function (event) {
    var open = event.target.dataset.open !== 'true';
    event.target.dataset.open = String(open);
    event.target.textContent = open ? 'Fold all' : 'Unfold all';
    document.querySelectorAll('details').forEach(function (one) { if (!one.hidden) one.open = open; });
  });
  document.addEventListener('renewed', collect);
  collect();
})();
</script>`;

/** Of a page on a server: what has changed there takes the place of what is here; what is open stays open. */
export const LIVE = markup`<script>
'use strict';
(function () {
  var said = document.querySelector('.live');
  var isAsked = false;
  var isStale = false;
  function say(text, lost) { if (said.textContent !== text) said.textContent = text; said.classList.toggle('lost', lost); }
  function renew(text) {
    var next = new DOMParser().parseFromString(text, 'text/html');
    if (!next.body.dataset.live) { location.reload(); return; } // The sign-on asks again.
    var open = Array.from(document.querySelectorAll('details[id][open]'), function (one) { return one.id; });
    var at = document.activeElement.closest('[id]');
    var within = document.activeElement.closest('main > section') && at && at.id;
    var top = window.scrollY;
    var header = document.querySelector('header');
    header.replaceChildren.apply(header, Array.from(next.querySelectorAll('header > :not(.live)')).concat(said));
    document.title = next.title;
    document.querySelectorAll('main > section').forEach(function (one) { one.remove(); });
    document.querySelector('main').append.apply(document.querySelector('main'), next.querySelectorAll('main > section'));
    document.querySelector('footer').replaceChildren.apply(document.querySelector('footer'), next.querySelector('footer').childNodes);
    open.forEach(function (id) { var one = document.getElementById(id); if (one) one.open = true; });
    document.dispatchEvent(new Event('renewed'));
    var focus = within && document.getElementById(within);
    if (focus) (focus.querySelector('summary') || focus).focus({ preventScroll: true });
    window.scrollTo(0, top);
  }
  function over() { isAsked = false; if (isStale) ask(); }
  function ask() {
    isStale = isAsked;
    if (isAsked) return;
    isAsked = true;
    fetch(location.href.split('#')[0]).then(function (answer) {
      if (!answer.ok) throw new Error(String(answer.status));
      return answer.text();
    }).then(renew).catch(function () { say('Not live: the worker does not answer', true); }).then(over);
  }
  var seen = null;
  var source = new EventSource(document.body.dataset.live + 'events');
  source.addEventListener('version', function (event) {
    say('Live', false);
    if (seen !== null && seen !== event.data) ask();
    seen = event.data;
  });
  source.addEventListener('away', function () { say('Not live: the database does not answer', true); });
  source.onerror = function () { say('Not live: the worker does not answer', true); };
})();
</script>`;
