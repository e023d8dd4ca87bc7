import { askAhead, started } from '../session/started.ts';
import { pageLanguage } from './choice.ts';
import { speak } from './instance.ts';

// The first script: it makes the page's language known, and then runs the pages (main.tsx), so that whatever has words, constants too, has
// them in that language. The pages are named by the document and not imported here, so that the build sees them as an entry, whose parts stay in one file.
const language = pageLanguage();
document.documentElement.lang = language;
const pages = document.getElementById('app')?.dataset.pages;
if (pages === undefined) throw new Error('the document does not name its pages');
started.current = askAhead(language);
// Without a top-level `await`, with which the build makes a file of every part that two pages share.
void Promise.all([speak(language, navigator.languages), styled()]).then(() => import(/* @vite-ignore */ pages));

/** Puts the styles of the pages in force. The document only loads them, because its shell does not wait for them. */
function styled(): Promise<unknown> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="preload"][as="style"]')];
  return Promise.all(
    links.map((link) => {
      const there = new Promise((done) => {
        link.onload = done;
        link.onerror = done;
      });
      link.rel = 'stylesheet';
      return there;
    }),
  );
}
