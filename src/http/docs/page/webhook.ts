import type { Webhook } from '../webhooks.ts';
import { fieldList, type Schemas } from './fields.ts';
import { type Html, html } from './html.ts';
import { jsonBlock } from './operation.ts';
import { prose } from './prose.ts';

/** One webhook: when it comes, its fields, and a body. */
export function webhookSection({ operationId, summary, description, body, example }: Webhook, schemas: Schemas): Html {
  return html`<section class="operation" id="${operationId}">
<div class="words"><h3>${summary} <a class="anchor" href="#${operationId}" aria-label="Link to ${summary}">#</a></h3>
<p class="endpoint"><span class="method post">POST</span> your URL</p>
${prose(description)}
<h4>Body</h4>${fieldList(body, schemas)}
</div>
<div class="code">${jsonBlock(example)}</div></section>`;
}
