import { codeLanguages, codeOf, type RequestInCode } from '../../../code/index.ts';
import { catalogue } from '../../../core/index.ts';
import { exampleBase, samplesAt } from '../../../samples/index.ts';
import { errorAnchor } from '../../envelope.ts';
import type { Operation } from '../document.ts';
import { exampleInstanceId } from '../examples.ts';
import type { Example } from '../operation.ts';
import { fieldList, type Schemas } from './fields.ts';
import { type Html, html } from './html.ts';
import { inline, prose } from './prose.ts';

/** One endpoint: what it does, its fields, the request in every language, and what comes back. */
export function operationSection({ method, path, docs, codes, body, data, query }: Operation, schemas: Schemas, base: string): Html {
  const [first, ...others] = Object.values(docs.bodies ?? {});
  const request: RequestInCode = {
    method,
    url: `${base}${path.replace('{id}', exampleInstanceId)}`,
    ...(first === undefined ? {} : { body: atBase(first.value, base) }),
    apiKey: codes.includes('missing_api_key') ? 'YOUR_API_KEY' : null,
    // Each kind its own, so that one example after the other can be tried.
    idempotencyKey: codes.includes('idempotency_key_reused') ? `order-1042:${path.slice(path.lastIndexOf('/') + 1)}` : null,
  };
  return html`<section class="operation" id="${docs.operationId}">
<div class="words"><h3>${docs.summary} <a class="anchor" href="#${docs.operationId}" aria-label="Link to ${docs.summary}">#</a></h3>
<p class="endpoint"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code> <a class="try" href="docs/try#tag/${docs.tag.toLowerCase()}/${method}${path}">Try it</a></p>
${prose(docs.description)}
${query.length === 0 ? null : html`<h4>Query</h4><dl class="fields">${query.map((one) => html`<div><dt><code>${one.name}</code></dt><dd>${inline(one.description ?? '')}</dd></div>`)}</dl>`}
${body === null ? null : html`<h4>Body</h4>${fieldList(body.schema, schemas)}`}
<details><summary>Fields of the response</summary>${fieldList(data, schemas)}</details>
${codes.length === 0 ? null : html`<details><summary>Errors</summary><ul class="codes">${codes.map((code) => html`<li>${docs.statuses?.[code] ?? catalogue[code].status} <a href="#${errorAnchor(code)}"><code>${code}</code></a></li>`)}</ul></details>`}
</div>
<div class="code">${codeBlock(request, docs.summary)}
${others.map(({ summary, value }) => html`<details><summary>Body: ${summary}</summary>${jsonBlock(atBase(value, base))}</details>`)}
${different(Object.values(docs.results)).map(({ summary, value }, index) => html`<details${index === 0 ? html` open` : null}><summary>Response: ${summary}</summary>${jsonBlock({ success: true, data: value, request_id: '…' })}</details>`)}
</div></section>`;
}

/** The request in every language; the page shows one of them. */
function codeBlock(request: RequestInCode, name: string): Html {
  return html`<div class="languages" role="group" aria-label="${name}, as code"><div class="bar">${codeLanguages.map(
    (language) => html`<button type="button" data-language="${language.id}">${language.name}</button>`,
  )}</div>${codeLanguages.map(({ id }) => html`<pre class="in-${id}" tabindex="0"><code>${codeOf(id, request)}</code></pre>`)}</div>`;
}

/** Without those that look like an earlier one. */
function different(examples: readonly Example[]): readonly Example[] {
  return [...new Map(examples.toReversed().map((example) => [JSON.stringify(example.value), example])).values()].toReversed();
}

export function jsonBlock(value: unknown): Html {
  return html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`;
}

function atBase(value: unknown, base: string): unknown {
  return base === exampleBase ? value : JSON.parse(samplesAt(JSON.stringify(value), base));
}
