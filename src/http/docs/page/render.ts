import { catalogue, type ErrorCode } from '../../../core/index.ts';
import { exampleBase } from '../../../samples/index.ts';
import { errorAnchor } from '../../envelope.ts';
import { apiTitle, type DocumentedRoute, type DocumentOptions, describe } from '../document.ts';
import { detailFields } from '../error-examples.ts';
import { interfaceVersion, opening, tagDescriptions } from '../overview.ts';
import { webhooksTag } from '../webhooks.ts';
import { type Html, html } from './html.ts';
import { operationSection } from './operation.ts';
import { headingsIn, inline, prose } from './prose.ts';
import { webhookSection } from './webhook.ts';

export interface PageOptions extends DocumentOptions {
  readonly routes: readonly DocumentedRoute[];
  readonly publicUrl: string | null;
}

/** The API reference as one page of HTML, from the same document as /openapi.json. It can be read without scripts. */
export function renderPage(options: PageOptions): string {
  const { routes, publicUrl, webhookDocs } = options;
  const { operations, webhooks, schemas } = describe(routes, options);
  // Without an address that the operator names, the page's script puts in the one it was loaded from.
  const base = publicUrl?.replace(/\/$/, '') ?? exampleBase;
  const tags = Object.entries(tagDescriptions).flatMap(([name, description]) => {
    const own = operations.filter(({ docs }) => docs.tag === name);
    return own.length === 0 ? [] : [{ name, description, operations: own }];
  });
  const intro = opening(options);

  return `<!doctype html>\n${
    html`<html lang="en" data-language="curl"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${apiTitle}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="docs/page.css"><script src="docs/page.js" defer></script></head>
<body${publicUrl === null ? html` data-base="${exampleBase}"` : null}>
<a class="skip" href="#main">Skip to content</a>
<header><strong>${apiTitle}</strong> <span class="version">${interfaceVersion}</span>
<div class="search" role="search" hidden><input type="search" id="find" placeholder="Search ( / )" aria-label="Search the reference" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list"><ul id="found" role="listbox" aria-label="Results" hidden></ul></div>
<span class="links"><a href="openapi.json">OpenAPI</a> <a href="docs/try">Try it</a></span></header>
<div class="columns"><nav aria-label="Contents"><details open><summary>Contents</summary>
<ul>${headingsIn(intro).map((one) => html`<li><a href="#${one.id}">${one.title}</a></li>`)}</ul>
${tags.map((tag) => html`<h2>${tag.name}</h2><ul>${tag.operations.map(({ docs }) => html`<li><a href="#${docs.operationId}">${docs.summary}</a></li>`)}</ul>`)}
<h2>${webhooksTag}</h2><ul>${webhooks.map((one) => html`<li><a href="#${one.operationId}">${one.summary}</a></li>`)}</ul>
<h2>Errors</h2><ul>${codes().map((code) => html`<li><a href="#${errorAnchor(code)}">${catalogue[code].status} ${code}</a></li>`)}</ul></details></nav>
<main id="main" tabindex="-1"><h1>${apiTitle}</h1>
<div class="intro">${prose(intro, 2)}</div>
${tags.map((tag) => html`<section class="tag"><h2 id="tag-${tag.name.toLowerCase()}">${tag.name}</h2><p>${inline(tag.description)}</p>${tag.operations.map((one) => operationSection(one, schemas, base))}</section>`)}
<section class="tag"><h2 id="${webhooksId}">${webhooksTag}</h2>${prose(webhookDocs.description)}
<dl class="fields">${webhookDocs.headers.map(({ name, description }) => html`<div><dt><code>${name}</code> <span class="type">header</span></dt><dd>${inline(description)}</dd></div>`)}</dl>${webhooks.map((one) => webhookSection(one, schemas))}</section>
<section class="tag"><h2 id="errors">Errors</h2><p>${inline('Every failure has `error.code`. Branch on the HTTP status and on this code; the wording of `error.message` may change.')}</p>${codes().map(errorSection)}</section>
</main></div></body></html>`.html
  }`;
}

/** Where the page has what all webhooks have in common. */
export const webhooksId = 'webhooks';

/** The codes in the order of the page. */
export function codes(): readonly ErrorCode[] {
  return (Object.keys(catalogue) as ErrorCode[]).sort((one, other) => catalogue[one].status - catalogue[other].status);
}

/** What a code means, why it comes, and what to do. */
function errorSection(code: ErrorCode): Html {
  const entry = catalogue[code];
  const { status, condition, cure } = entry;
  const details: readonly string[] = 'details' in entry ? entry.details : [];
  return html`<section class="error" id="${errorAnchor(code)}"><h3>${status} <code>${code}</code> <a class="anchor" href="#${errorAnchor(code)}" aria-label="Link to ${code}">#</a></h3>
<dl><div><dt>Cause</dt><dd>${condition}</dd></div><div><dt>What to do</dt><dd>${cure}</dd></div></dl>
${details.length === 0 ? null : html`<details><summary>Details it may carry</summary><dl class="fields">${details.map((name) => html`<div><dt><code>details.${name}</code></dt><dd>${inline(String(detailFields[name]?.description ?? ''))}</dd></div>`)}</dl></details>`}</section>`;
}
