import { acceptedJson } from '../http/index.ts';
import type { Kind } from '../kinds/index.ts';
import type { KindView } from './wire/index.ts';

/** What a form of the kind is made from. `say` gives the language's text for an English one. */
export function kindView(
  { type, summary, description, schema, examples, media, bestEffortNote }: Kind,
  say: (english: string) => string,
): KindView {
  return {
    type,
    summary: say(summary),
    description: description === undefined ? null : say(description),
    schema: { ...inLanguage(acceptedJson(schema), say) },
    examples,
    media: media?.as ?? null,
    best_effort_note: bestEffortNote === null ? null : say(bestEffortNote),
  };
}

/** A schema whose titles and descriptions are in the language. Fields may have these names too: then they are schemas. */
function inLanguage<Schema extends object>(schema: Schema, say: (english: string) => string): Schema {
  return JSON.parse(JSON.stringify(schema), (name, value) =>
    (name === 'description' || name === 'title') && typeof value === 'string' ? say(value) : value,
  );
}
