/** The own fields of a valid send of each kind, to be spoilt one by one. `link` is where media kinds find their file. */
export function validBodies(link: string): Record<string, Record<string, unknown>> {
  return {
    text: { text: 'Hello' },
    image: { url: link },
    document: { url: link },
    video: { url: link },
    audio: { url: link },
    sticker: { url: link },
    location: { latitude: 52.5, longitude: 13.4 },
    contact: { contacts: [card()] },
    poll: { question: 'Which?', options: ['a', 'b'] },
    reaction: { message_id: '3EB0C767D097B7C1A2F4', emoji: '👍' },
    buttons: { title: 'Choose', buttons: [reply('yes')] },
    list: { title: 'Choose', button_text: 'Show', sections: [section(1)] },
  };
}

export const card = (fields: object = {}) => ({ full_name: 'Ada Lovelace', phone_number: '442079460958', ...fields });

export const reply = (id: string, fields: object = {}) => ({ type: 'reply', text: 'Yes', id, ...fields });

export const row = (row_id: string, fields: object = {}) => ({ title: 'Row', row_id, ...fields });

/** A section with so many rows; `name` keeps the ids of several sections apart. */
export const section = (rows: number, name = 's', fields: object = {}) => ({
  title: 'Section',
  rows: Array.from({ length: rows }, (_, i) => row(`${name}-${i}`)),
  ...fields,
});

/** So many things made one by one. */
export const many = <Thing>(count: number, make: (position: number) => Thing): Thing[] => Array.from({ length: count }, (_, i) => make(i));
