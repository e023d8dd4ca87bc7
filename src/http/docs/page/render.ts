import { catalogue, type ErrorCode } from '../../../core/index.ts';
import { exampleBase } from '../../../samples/index.ts';
import { errorAnchor } from '../../error-pages.ts';
import { buildDocument, type DocumentedRoute } from '../document.ts';
import { detailFields } from '../error-examples.ts';
import type { JsonSchema } from '../operation.ts';
import { interfaceVersion, opening, tagDescriptions } from '../overview.ts';
import type { Schemas } from './fields.ts';
import { type Html, html } from './html.ts';
import { operationSection, type ShownOperation } from './operation.ts';
import { headingsIn, inline, prose } from './prose.ts';

export interface PageOptions {
  readonly routes: readonly DocumentedRoute[];
  readonly idempotency: boolean;
  readonly publicUrl?: string | null;
}

/** The parts of the document that the page reads. */
interface Document {
  readonly info: { readonly title: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly parameters?: readonly Parameter[] }>>>>;
  readonly components: { readonly schemas: Schemas };
}

interface Parameter {
  readonly in?: string;
  readonly name?: string;
  readonly description?: string;
}

/** The API reference as one page of HTML, from the same document as /openapi.json. It can be read without scripts. */
export function renderPage({ routes, idempotency, publicUrl = null }: PageOptions): string {
  const document = buildDocument(routes, { idempotency }) as unknown as Document;
  const { schemas } = document.components;
  // Without an address that the operator names, the page's script puts in the one it was loaded from.
  const base = publicUrl?.replace(/\/$/, '') ?? exampleBase;
  const operations = routes.map((route): ShownOperation => {
    const { method, url, schema, docs } = route;
    const path = url.replace(/:(\w+)/g, '{$1}');
    const parameters = document.paths[path]?.[method.toLowerCase()]?.parameters ?? [];
    const name = `${docs.operationId.charAt(0).toUpperCase()}${docs.operationId.slice(1)}Request`;
    return {
      method,
      path,
      docs,
      codes: docs.errors.filter((code) => idempotency || code !== 'idempotency_key_reused'),
      body: schema.body === undefined ? null : (schemas[name] ?? null),
      data: dataSchema(document, path, method),
      query: parameters.flatMap((one) => (one.in === 'query' && one.name !== undefined ? [{ ...one, name: one.name }] : [])),
    };
  });
  const tags = Object.entries(tagDescriptions).flatMap(([name, description]) => {
    const own = operations.filter(({ docs }) => docs.tag === name);
    return own.length === 0 ? [] : [{ name, description, operations: own }];
  });
  const intro = opening({ idempotency });
  const { title } = document.info;

  return `<!doctype html>\n${
    html`<html lang="en" data-language="curl"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${title}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="docs/page.css"><script src="docs/page.js" defer></script></head>
<body${publicUrl === null ? html` data-base="${exampleBase}"` : null}>
<a class="skip" href="#main">Skip to content</a>
<header><strong>${title}</strong> <span class="version">${interfaceVersion}</span>
<div class="search" role="search" hidden><input type="search" id="find" placeholder="Search ( / )" aria-label="Search the reference" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list"><ul id="found" role="listbox" aria-label="Results" hidden></ul></div>
<span class="links"><a href="openapi.json">OpenAPI</a> <a href="docs/try">Try it</a></span></header>
<div class="columns"><nav aria-label="Contents"><details open><summary>Contents</summary>
<ul>${headingsIn(intro).map((one) => html`<li><a href="#${one.id}">${one.title}</a></li>`)}</ul>
${tags.map((tag) => html`<h2>${tag.name}</h2><ul>${tag.operations.map(({ docs }) => html`<li><a href="#${docs.operationId}">${docs.summary}</a></li>`)}</ul>`)}
<h2>Errors</h2><ul>${codes().map((code) => html`<li><a href="#${errorAnchor(code)}">${catalogue[code].status} ${code}</a></li>`)}</ul></details></nav>
<main id="main" tabindex="-1"><h1>${title}</h1>
<div class="intro">${prose(intro, 2)}</div>
${tags.map((tag) => html`<section class="tag"><h2 id="tag-${tag.name.toLowerCase()}">${tag.name}</h2><p>${inline(tag.description)}</p>${tag.operations.map((one) => operationSection(one, schemas, base))}</section>`)}
<section class="tag"><h2 id="errors">Errors</h2><p>${inline('Every failure has `error.code`. Branch on the HTTP status and on this code; the wording of `error.message` may change.')}</p>${codes().map(errorSection)}</section>
</main></div></body></html>`.html
  }`;
}

function codes(): readonly ErrorCode[] {
  return (Object.keys(catalogue) as ErrorCode[]).sort((one, other) => catalogue[one].status - catalogue[other].status);
}

/** What a code means, why it comes, and what to do. */
function errorSection(code: ErrorCode): Html {
  const { status, condition, cure, ...more } = catalogue[code];
  const details = 'details' in more ? more.details : [];
  return html`<section class="error" id="${errorAnchor(code)}" data-find="${code} ${status} ${condition}"><h3>${status} <code>${code}</code> <a class="anchor" href="#${errorAnchor(code)}" aria-label="Link to ${code}">#</a></h3>
<dl><div><dt>Cause</dt><dd>${condition}</dd></div><div><dt>What to do</dt><dd>${cure}</dd></div></dl>
${details.length === 0 ? null : html`<details><summary>Details it may carry</summary><dl class="fields">${details.map((name) => html`<div><dt><code>details.${name}</code></dt><dd>${inline(String(detailFields[name]?.description ?? ''))}</dd></div>`)}</dl></details>`}</section>`;
}

/** The schema of `data` in a success of the operation. */
function dataSchema({ paths }: Document, path: string, method: string): JsonSchema | null {
  const operation: unknown = paths[path]?.[method.toLowerCase()];
  const found = at(operation, ['responses', '200', 'content', 'application/json', 'schema', 'allOf', '1', 'properties', 'data']);
  return typeof found === 'object' && found !== null ? (found as JsonSchema) : null;
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (one, name) => (typeof one === 'object' && one !== null ? (one as Record<string, unknown>)[name] : undefined),
    value,
  );
}
