import { exampleInstanceId } from '../examples.ts';
import { search } from './search.ts';

/** What the docs page does: the chosen language, copying, search, and the reader's own values in the examples. A file, because the page allows no inline scripts. */
export const script = `'use strict';
const root = document.documentElement;
const kept = { get(name) { try { return localStorage.getItem(name); } catch { return null; } }, set(name, value) { try { localStorage.setItem(name, value); } catch {} } };

// The language of all examples.
const languages = [...document.querySelectorAll('button[data-language]')];
function choose(language) {
  root.dataset.language = language;
  for (const button of languages) button.setAttribute('aria-pressed', String(button.dataset.language === language));
}
choose(languages.some((one) => one.dataset.language === kept.get('docs-language')) ? kept.get('docs-language') : 'curl');
for (const button of languages) button.addEventListener('click', () => {
  const top = button.getBoundingClientRect().top;
  kept.set('docs-language', button.dataset.language);
  choose(button.dataset.language);
  // The code above may be longer or shorter now.
  scrollBy(0, button.getBoundingClientRect().top - top);
});

// Copying.
for (const block of document.querySelectorAll('.languages')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    const text = block.querySelector('.in-' + root.dataset.language).textContent;
    try { await navigator.clipboard.writeText(text); button.textContent = 'Copied'; } catch { button.textContent = 'Select and copy'; }
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  block.querySelector('.bar').append(button);
}

// On a phone the contents would fill the first screen.
if (matchMedia('(max-width: 48rem)').matches) document.querySelector('nav details').open = false;

// Replaces a text in all examples.
function put(found, text) {
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (walker.currentNode.data.includes(found)) walker.currentNode.data = walker.currentNode.data.replaceAll(found, () => text);
}
const home = new URL('.', document.baseURI).href.replace(/\\/$/, '');
if (document.body.dataset.base) put(document.body.dataset.base, home);

// A reader who is signed in at the portal finds their own number and the beginning of their own key in the examples.
(async () => {
  let account = null;
  try { account = sessionStorage.getItem('acting-account'); } catch {}
  try {
    const answer = await fetch(new URL('portal/api/docs-examples', document.baseURI), { headers: account === null ? {} : { 'x-account-id': account } });
    if (!answer.ok) return;
    const { data } = await answer.json();
    if (data.instance_id) put('${exampleInstanceId}', data.instance_id);
    if (data.key_prefix) put('YOUR_API_KEY', data.key_prefix + '_…');
  } catch {}
})();

// Search, by an index that is loaded when somebody wants to search.
const input = document.querySelector('#find');
const list = document.querySelector('#found');
document.querySelector('.search').hidden = false;
const search = ${search.toString()};
let index = null;
let shown = [];
let at = 0;
async function load() {
  if (index !== null) return;
  try {
    const answer = await fetch(new URL('docs/search.json', document.baseURI));
    if (answer.ok) index = await answer.json();
  } catch {}
  // What was typed meanwhile.
  if (document.activeElement === input) look();
}
function look() {
  if (index === null) return;
  shown = search(index, input.value).slice(0, 12);
  at = 0;
  list.replaceChildren(...shown.map((entry, index) => {
    const item = document.createElement('li');
    item.id = 'found-' + index;
    item.setAttribute('role', 'option');
    item.textContent = entry.title;
    const about = document.createElement('small');
    about.textContent = entry.about;
    item.append(about);
    item.addEventListener('mousedown', (event) => { event.preventDefault(); open(entry); });
    return item;
  }));
  if (input.value.trim() !== '' && shown.length === 0) {
    const none = document.createElement('li');
    none.textContent = 'Nothing found';
    none.setAttribute('role', 'option');
    none.setAttribute('aria-disabled', 'true');
    list.append(none);
  }
  mark();
}
function mark() {
  list.hidden = list.children.length === 0;
  input.setAttribute('aria-expanded', String(!list.hidden));
  [...list.children].forEach((item, index) => { item.setAttribute('aria-selected', String(index === at)); if (index === at) item.scrollIntoView({ block: 'nearest' }); });
  if (shown.length > 0) input.setAttribute('aria-activedescendant', 'found-' + at); else input.removeAttribute('aria-activedescendant');
}
function close() { list.replaceChildren(); shown = []; mark(); }
function open(entry) {
  close();
  input.value = '';
  input.blur();
  location.hash = entry.id;
  const target = document.getElementById(entry.id);
  target.setAttribute('tabindex', '-1');
  target.focus({ preventScroll: true });
  target.scrollIntoView();
}
input.addEventListener('focus', load);
input.addEventListener('input', look);
input.addEventListener('blur', close);
input.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    if (shown.length > 0) { at = (at + (event.key === 'ArrowDown' ? 1 : shown.length - 1)) % shown.length; mark(); }
  } else if (event.key === 'Enter' && shown[at]) { event.preventDefault(); open(shown[at]); }
  else if (event.key === 'Escape') { input.value = ''; close(); }
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')) return;
  event.preventDefault();
  input.focus();
});
`;
