import { type Html, html } from './html.ts';

// The descriptions use little of Markdown: paragraphs, headings, lists and code. Only that is read; everything else, such as the asterisks
// that make a text bold on a phone, is shown as it stands.

/** A description as paragraphs. `level`: of its headings. */
export function prose(text: string, level: 2 | 3 = 3): readonly Html[] {
  return text.split(/\n{2,}/).map((block) => {
    const heading = /^#+ (.*)$/.exec(block)?.[1];
    if (heading !== undefined) {
      const id = slug(heading);
      return level === 2 ? html`<h2 id="${id}">${heading}</h2>` : html`<h3 id="${id}">${heading}</h3>`;
    }
    const lines = block.split('\n');
    if (lines.every((line) => line.startsWith('- '))) return html`<ul>${lines.map((line) => html`<li>${inline(line.slice(2))}</li>`)}</ul>`;
    if (lines.every((line) => /^\d+\. /.test(line))) {
      return html`<ol>${lines.map((line) => html`<li>${inline(line.replace(/^\d+\. /, ''))}</li>`)}</ol>`;
    }
    return html`<p>${inline(lines.join(' '))}</p>`;
  });
}

/** A line with its code. */
export function inline(text: string): readonly Html[] {
  return text.split('`').map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`));
}

/** A description cut at its headings; the part before the first has none. */
export function sections(text: string): readonly { readonly id: string | null; readonly title: string | null; readonly text: string }[] {
  const [first = '', ...others] = text.split(/^#+ /m);
  const rest = others.map((part) => {
    const [title = '', ...lines] = part.split('\n');
    return { id: slug(title), title, text: lines.join('\n').trim() };
  });
  return [...(first.trim() === '' ? [] : [{ id: null, title: null, text: first.trim() }]), ...rest];
}

export function headingsIn(text: string): readonly { readonly id: string; readonly title: string }[] {
  return sections(text).flatMap(({ id, title }) => (id === null || title === null ? [] : [{ id, title }]));
}

function slug(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
