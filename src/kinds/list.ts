import { z } from 'zod';
import { defineKind } from './define-kind.ts';
import { list as items, text } from './fields.ts';

const maxRows = 30;

const row = z.object({
  title: text(1, 24).meta({ description: 'The label of the row.' }),
  row_id: text(1, 200).meta({ description: 'Your own id for this row, unique across the whole message.' }),
  description: text(1, 72).optional().meta({ description: 'A second line, if there is one.' }),
});

const section = z.object({
  title: text(1, 24).meta({ description: 'The title of the section.' }),
  rows: items(row, 1, 10).meta({ description: `The rows, 1 to 10 per section and at most ${maxRows} in all.` }),
});

/** A text with a menu to choose from. */
export const list = defineKind({
  type: 'list',
  summary: 'Send a list menu',
  description: `A button that opens a menu of at most ${maxRows} rows in up to ten sections. What the recipient chooses is not reported to you.`,
  fields: {
    title: text(1, 1024).meta({ description: 'The title, shown at the top.' }),
    button_text: text(1, 24).meta({ description: 'The label on the button that opens the menu.' }),
    description: text(0, 1024).optional().meta({ description: 'The text below the title.' }),
    footer_text: text(0, 60).optional().meta({ description: 'Small print at the bottom.' }),
    sections: items(section, 1, 10).meta({ description: `The sections, 1 to 10, with at most ${maxRows} rows in total.` }),
  },
  check({ sections }, fail) {
    const seen = new Set<string>();
    let rows = 0;
    for (const [place, { rows: inSection }] of sections.entries()) {
      rows += inSection.length;
      for (const [index, { row_id }] of inSection.entries()) {
        if (seen.has(row_id)) fail(['sections', place, 'rows', index, 'row_id'], 'must be unique across the whole message');
        seen.add(row_id);
      }
    }
    if (rows > maxRows) fail(['sections'], `must have at most ${maxRows} rows in total`);
  },
  bestEffortNote:
    'List menus are sent on a best-effort basis: depending on the phone and app version they may be shown as plain text or not at all. Word the text so that it makes sense without the menu.',
  examples: {
    menu: {
      title: 'What would you like to do?',
      button_text: 'Show options',
      sections: [
        {
          title: 'Orders',
          rows: [
            { title: 'Track my order', row_id: 'track', description: 'Where it is and when it arrives' },
            { title: 'Return an item', row_id: 'return' },
          ],
        },
        { title: 'Help', rows: [{ title: 'Talk to a person', row_id: 'agent' }] },
      ],
    },
    slots: {
      title: 'Choose a time for your appointment',
      button_text: 'Free times',
      description: 'All times are local.',
      footer_text: 'Example Dental',
      sections: [
        {
          title: 'Tuesday',
          rows: [
            { title: '09:30', row_id: 'tue-0930' },
            { title: '14:00', row_id: 'tue-1400' },
          ],
        },
      ],
    },
  },
});
