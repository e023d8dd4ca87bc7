import type { Brand } from '../branding/index.ts';
import { escapeHtml } from '../http/index.ts';
import { brandView } from './brand-of.ts';

/**
 * The portal's document as a provider's customers see it before anything is loaded: its name, its icon, its colour, and the brand as data for
 * the pages, so that they need not ask. Nothing in it is script.
 */
export function brandedPage(html: string, brand: Brand): string {
  const view = brandView(brand);
  if (view === null) return html;
  const { name, logo, colour } = view;
  const meta = `<meta name="brand" content="${escapeHtml(JSON.stringify(view))}" />`;
  let page = html.replace('</title>', () => `</title>\n    ${meta}`);
  // By functions: a name may hold what a replacement text takes for a pattern.
  const show = (part: RegExp, value: string | null, shown: (value: string) => string) => {
    if (value !== null) page = page.replace(part, () => shown(escapeHtml(value)));
  };
  show(/<title>[^<]*/, name, (said) => `<title>${said}`);
  show(/<span>Messaging Gateway/, name, (said) => `<span>${said}`);
  show(/<link rel="icon"[^>]*>/, logo, (path) => `<link rel="icon" href="${path}" type="image/png" />`);
  show(/<img src="[^"]*"/, logo, (path) => `<img src="${path}"`);
  show(/class="shell"/, colour, (code) => `class="shell" style="--accent: ${code}"`);
  return page;
}
