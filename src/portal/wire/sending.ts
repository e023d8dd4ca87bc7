import type { MessageType } from '../../kinds/index.ts';
import type { requestView } from '../views.ts';

/** Every code that `RequestView.code` may have. */
export type { AnyErrorCode as FailureCode } from '../../core/index.ts';

/** GET /portal/api/kinds → { kinds }: all that a form needs, from the kind's own file. */
export interface KindView {
  readonly type: MessageType;
  readonly summary: string;
  readonly description: string | null;
  /** JSON Schema (draft 2020-12) of the request body as the caller writes it. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Bodies without instance_id and to, by name. */
  readonly examples: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly media: 'image' | 'document' | 'video' | 'voice' | 'sticker' | null;
  readonly best_effort_note: string | null;
}

/**
 * One request, as the activity list and the request page show it; never content. POST /portal/api/messages/{type} and /portal/api/numbers/check answer as the contract's do.
 * `at`: when it was answered. `code` is null when it succeeded, `error_message` also for requests that are no sends. `person`: the e-mail address, as
 * it was then, of who asked from the portal; null for a key. `key_prefix`: of the key that asked; null for the portal or without a valid key.
 * `stages`: the milliseconds of each in the order they ran; empty where none were measured.
 */
export type RequestView = ReturnType<typeof requestView>;

/**
 * GET /portal/api/activity?instance_id=&type=&outcome=sent|failed|CODE&recipient=&key_id=&from=&to=&cursor=&limit= → { items, cursor }.
 * `from`, `to`: from this day or time on, and before that one. `cursor` null: nothing older. GET /portal/api/requests/{request_id} → RequestView.
 */
export interface ActivityPage {
  readonly items: readonly RequestView[];
  readonly cursor: string | null;
  /** How far back was looked for this page, which may have no items although there is more; null when nothing was there. */
  readonly searched_back_to?: string | null;
}
