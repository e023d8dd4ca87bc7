import type { Brand } from '../branding/index.ts';
import { escapeHtml } from '../http/index.ts';
import { brandView } from './brand-of.ts';

/**
 * The portal's document as a provider's customers see it before anything is loaded: its name, its icon, and the brand as data for the pages,
 * so that they need not ask. Nothing in it is script.
 */
export function brandedPage(html: string, brand: Brand): string {
  const view = brandView(brand);
  if (view === null) return html;
  const meta = `<meta name="brand" content="${escapeHtml(JSON.stringify(view))}" />`;
  const title = view.name === null ? null : `<title>${escapeHtml(view.name)}</title>`;
  const icon = view.logo === null ? null : `<link rel="icon" href="${escapeHtml(view.logo)}" type="image/png" />`;
  // By functions: a name may hold what a replacement text takes for a pattern.
  return html
    .replace(/<title>[^<]*<\/title>/, (before) => `${title ?? before}\n    ${meta}`)
    .replace(/<link rel="icon"[^>]*>/, (before) => icon ?? before);
}
