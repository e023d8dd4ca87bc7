import { z } from 'zod';
import { defineKind } from './define-kind.ts';
import { list, text } from './fields.ts';

const maxOptions = 10;
const countExpected = `must be an integer from 1 to the number of options, at most ${maxOptions}`;

/** A question with options to vote on. */
export const poll = defineKind({
  type: 'poll',
  summary: 'Send a poll',
  description: 'All options must be different. They are compared exactly, including case and spaces.',
  fields: {
    question: text(1, 255).meta({ description: 'The question.' }),
    options: list(text(1, 100), 2, maxOptions).meta({
      uniqueItems: true,
      description: 'The answers to choose from, 2 to 10, all different.',
    }),
    selectable_count: z
      .int({ error: countExpected })
      .min(1, { error: countExpected })
      .max(maxOptions, { error: countExpected })
      .default(1)
      .meta({ description: 'How many options each person may choose.' }),
  },
  check({ options, selectable_count }, fail) {
    const seen = new Set<string>();
    for (const [index, option] of options.entries()) {
      if (seen.has(option)) fail(['options', index], 'must differ from every other option');
      seen.add(option);
    }
    // An empty list is an error of its own already.
    if (options.length > 0 && selectable_count > options.length)
      fail(['selectable_count'], `must be 1 to ${options.length}, the number of options`);
  },
  examples: {
    single: { question: 'Which day suits you for the delivery?', options: ['Monday', 'Wednesday', 'Friday'] },
    multiple: { question: 'What should we bring?', options: ['Coffee', 'Tea', 'Cake', 'Fruit'], selectable_count: 3 },
  },
});
