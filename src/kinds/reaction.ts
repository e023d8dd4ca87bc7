import { z } from 'zod';
import { defineKind } from './define-kind.ts';
import { characters } from './fields.ts';

const emojiLength = 24;

/** One recommended emoji of any form: single, with skin tone, keycap, flag, or several joined to one. */
const emojiPattern = /^\p{RGI_Emoji}$/v;

/** U+FE0F where it may stand: after a symbol, but not inside a flag, which it would break in two. */
const selector = /(?<=(?!\p{Regional_Indicator})\p{Emoji})\ufe0f/gu;

/** A symbol that is drawn as text unless U+FE0F follows; a skin tone does the same job. */
const needsSelector = /(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gu;

/** The text with U+FE0F exactly where the emoji standard wants it: keyboards and JSON tools often drop it. */
function fullyQualified(value: string): string {
  return value.replace(selector, '').replace(needsSelector, '$&\ufe0f');
}

function isEmojiOrEmpty(value: string): boolean {
  // The length comes first, so that the pattern never sees a long string.
  if (value.length > emojiLength * 2 || characters(value) > emojiLength) return false;
  return value === '' || emojiPattern.test(value) || emojiPattern.test(fullyQualified(value));
}

/** An emoji on an earlier message. */
export const reaction = defineKind({
  type: 'reaction',
  summary: 'React to a message',
  description: 'Adds an emoji to an earlier message, or removes it again. A reaction cannot be a reply.',
  quotable: false,
  fields: {
    message_id: z
      .string()
      .regex(/^[A-Za-z0-9_=+/-]{1,128}$/, { error: 'must be 1 to 128 characters: letters, digits, _, =, +, / and - only' })
      .meta({
        minLength: 1,
        maxLength: 128,
        description: 'The ID of the message to react to. The answer to a send has it as message_id.',
      }),
    emoji: z
      .string()
      .refine(isEmojiOrEmpty, {
        error: `must be a single emoji without spaces, at most ${emojiLength} characters, or an empty string to remove a reaction`,
      })
      .meta({
        maxLength: emojiLength,
        description: 'A single emoji (one made of several parts counts as several characters). Left empty, it removes an earlier reaction.',
      }),
    from_me: z.boolean().default(false).meta({ description: 'Whether that message was sent from this number.' }),
  },
  examples: {
    thumbsUp: { message_id: '3EB0C767D097B7C1A2F4', emoji: '👍' },
    removeFromOwn: { message_id: '3EB0C767D097B7C1A2F4', emoji: '', from_me: true },
  },
});
