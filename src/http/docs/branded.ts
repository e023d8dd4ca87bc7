import { type Brand, ownAddress } from '../../branding/index.ts';
import { escapeHtml } from '../escape-html.ts';
import type { ApiInfo } from './document.ts';

/** What the OpenAPI document says of the interface at a provider's own address. */
export function brandedInfo(info: ApiInfo, brand: Brand | null): ApiInfo & { readonly contact?: Readonly<Record<string, string>> } {
  if (brand === null || brand.name === null) return info;
  const address = ownAddress(brand);
  const contact = {
    name: brand.name,
    ...(address === null ? {} : { url: address }),
    ...(brand.replyTo === null ? {} : { email: brand.replyTo }),
  };
  return { ...info, title: `${brand.name} API`, contact };
}

/** The docs page under a provider's name and icon. */
export function brandedDocs(html: string, brand: Brand | null): string {
  if (brand === null) return html;
  const { name, logo } = brand;
  // By functions: a name may hold what a replacement text takes for a pattern. Addresses are relative, as all of the page's.
  return html
    .replace(/<title>[^<]*<\/title>/, (before) => (name === null ? before : `<title>${escapeHtml(name)} API</title>`))
    .replace(/<link rel="icon"[^>]*>/, (before) =>
      logo === null ? before : `<link rel="icon" href="portal/brand/${logo}.png" type="image/png">`,
    );
}
