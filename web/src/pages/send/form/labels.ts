import { t } from '../../../language/language.ts';

/** The fields of the kinds, their values and the names of their examples. One that is not here is told by its own name. */
const labels: Readonly<Record<string, string>> = {
  address: t('Address'),
  button_text: t('Button text'),
  buttons: t('Buttons'),
  caption: t('Caption'),
  contacts: t('Contacts'),
  description: t('Description'),
  email: t('E-mail'),
  emoji: t('Emoji'),
  filename: t('File name'),
  footer: t('Footer'),
  footer_text: t('Footer'),
  from_me: t('From me'),
  full_name: t('Full name'),
  id: t('ID'),
  latitude: t('Latitude'),
  longitude: t('Longitude'),
  message_id: t('Message ID'),
  mime_type: t('MIME type'),
  name: t('Name'),
  options: t('Options'),
  organization: t('Organisation'),
  phone_number: t('Phone number'),
  question: t('Question'),
  row_id: t('Row ID'),
  rows: t('Rows'),
  sections: t('Sections'),
  selectable_count: t('Selectable count'),
  text: t('Text'),
  title: t('Title'),
  type: t('Type'),
  url: t('URL'),

  actions: t('Actions'),
  bare: t('Bare'),
  captioned: t('Captioned'),
  complete: t('Complete'),
  converted: t('Converted'),
  formatted: t('Formatted'),
  menu: t('Menu'),
  multiple: t('Multiple'),
  named: t('Named'),
  plain: t('Plain'),
  recording: t('Recording'),
  removeFromOwn: t('Remove from own'),
  replies: t('Replies'),
  single: t('Single'),
  slots: t('Slots'),
  thumbsUp: t('Thumbs up'),
  webp: 'WebP',
};

/** What is said of the items of a list. */
interface ItemWords {
  one(place: number): string;
  readonly add: string;
  remove(place: number): string;
}

const items: Readonly<Record<string, ItemWords>> = {
  contacts: {
    one: (place) => t('Contact {{place}}', { place }),
    add: t('Add contact'),
    remove: (place) => t('Remove contact {{place}}', { place }),
  },
  options: {
    one: (place) => t('Option {{place}}', { place }),
    add: t('Add option'),
    remove: (place) => t('Remove option {{place}}', { place }),
  },
  buttons: {
    one: (place) => t('Button {{place}}', { place }),
    add: t('Add button'),
    remove: (place) => t('Remove button {{place}}', { place }),
  },
  sections: {
    one: (place) => t('Section {{place}}', { place }),
    add: t('Add section'),
    remove: (place) => t('Remove section {{place}}', { place }),
  },
  rows: {
    one: (place) => t('Row {{place}}', { place }),
    add: t('Add row'),
    remove: (place) => t('Remove row {{place}}', { place }),
  },
};

const capitals = new Set(['id', 'url', 'mime']);

/** Whether a field, a value or an example has a name for people in every language. */
export const isNamed = (name: string): boolean => name in labels;

/** The name of a field, a value or an example for people. One that nobody has named: "due_id" → "Due ID". */
export function labelOf(name: string): string {
  return labels[name] ?? inWords(name);
}

function inWords(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[_\s]+/)
    .map((word) => (capitals.has(word) ? word.toUpperCase() : word))
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What is said of the items of the list of this name. */
export function itemWords(name: string): ItemWords {
  const label = labelOf(name);
  return (
    items[name] ?? {
      one: (place) => t('{{list}}, {{place}}', { list: label, place }),
      add: t('Add to {{list}}', { list: label }),
      remove: (place) => t('Remove {{place}} of {{list}}', { list: label, place }),
    }
  );
}

/** The length as the server counts it, in code points. */
export function characters(text: string): number {
  return Array.from(text).length;
}
