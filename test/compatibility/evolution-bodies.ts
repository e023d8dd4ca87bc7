import type { sends } from '../../src/compatibility/evolution/sends.ts';

interface Case {
  readonly path: keyof typeof sends;
  readonly body: object;
  /** Kind and content as the contact receives them. */
  readonly received: readonly [type: string, content: object];
  /** Of the answer. */
  readonly message: object;
}

/** Bodies as clients of versions 2 and 1 write them; `link` gives the link to a file. */
export const bodies = (link: (name: string) => string): readonly Case[] => [
  { path: 'sendText', body: { text: 'Hello' }, received: ['text', { text: 'Hello' }], message: { conversation: 'Hello' } },
  {
    path: 'sendText',
    body: { textMessage: { text: 'Hello' }, options: { delay: 1200, presence: 'composing' } },
    received: ['text', { text: 'Hello' }],
    message: { conversation: 'Hello' },
  },
  {
    path: 'sendMedia',
    body: { mediatype: 'image', mimetype: 'image/png', caption: 'Front', media: link('a.png'), fileName: 'a.png' },
    received: ['image', { caption: 'Front' }],
    message: { imageMessage: { url: link('a.png'), caption: 'Front', mimetype: 'image/png' } },
  },
  {
    path: 'sendMedia',
    body: { mediatype: 'video', caption: '', media: link('a.mp4') },
    received: ['video', {}],
    message: { videoMessage: { url: link('a.mp4') } },
  },
  {
    path: 'sendMedia',
    body: { mediatype: 'document', mimetype: 'application/pdf', media: link('a.pdf'), fileName: 'Invoice.pdf' },
    received: ['document', { filename: 'Invoice.pdf', mime_type: 'application/pdf' }],
    message: { documentMessage: { url: link('a.pdf'), fileName: 'Invoice.pdf', mimetype: 'application/pdf' } },
  },
  { path: 'sendMedia', body: { mediatype: 'audio', media: link('a.mp3') }, received: ['audio', {}], message: { audioMessage: {} } },
  {
    path: 'sendMedia',
    body: { mediaMessage: { mediatype: 'image', caption: 'Front', media: link('b.png') } },
    received: ['image', { caption: 'Front' }],
    message: { imageMessage: { caption: 'Front' } },
  },
  { path: 'sendWhatsAppAudio', body: { audio: link('b.mp3') }, received: ['audio', {}], message: { audioMessage: { ptt: true } } },
  { path: 'sendWhatsAppAudio', body: { audioMessage: { audio: link('b.mp3') } }, received: ['audio', {}], message: { audioMessage: {} } },
  {
    path: 'sendSticker',
    body: { sticker: link('a.webp') },
    received: ['sticker', {}],
    message: { stickerMessage: { url: link('a.webp') } },
  },
  {
    path: 'sendSticker',
    body: { stickerMessage: { image: link('a.webp') } },
    received: ['sticker', {}],
    message: { stickerMessage: {} },
  },
  {
    path: 'sendLocation',
    body: { name: 'Town hall', address: 'Market 1', latitude: -19.93359, longitude: -43.93851 },
    received: ['location', { latitude: -19.93359, longitude: -43.93851, name: 'Town hall', address: 'Market 1' }],
    message: { locationMessage: { degreesLatitude: -19.93359, degreesLongitude: -43.93851, name: 'Town hall', address: 'Market 1' } },
  },
  {
    path: 'sendLocation',
    body: { locationMessage: { name: '', address: '', latitude: -16.5, longitude: -151.75 } },
    received: ['location', { latitude: -16.5, longitude: -151.75 }],
    message: { locationMessage: { degreesLatitude: -16.5, degreesLongitude: -151.75 } },
  },
  {
    path: 'sendContact',
    body: {
      contact: [
        { fullName: 'Ada', wuid: '442079460958', phoneNumber: '+44 20 7946 0958', organization: 'Engines', email: '', url: '' },
        { fullName: 'Desk', wuid: '493090182000', phoneNumber: '(030) 9018-2000', url: 'https://example.com/' },
      ],
    },
    received: [
      'contact',
      {
        contacts: [
          { full_name: 'Ada', phone_number: '442079460958', organization: 'Engines' },
          { full_name: 'Desk', phone_number: '493090182000', url: 'https://example.com/' },
        ],
      },
    ],
    message: { contactsArrayMessage: { contacts: [{ displayName: 'Ada' }, { displayName: 'Desk' }] } },
  },
  {
    path: 'sendContact',
    body: { contactMessage: [{ fullName: 'Ada', phoneNumber: '442079460958' }] },
    received: ['contact', { contacts: [{ full_name: 'Ada', phone_number: '442079460958' }] }],
    message: { contactMessage: { displayName: 'Ada' } },
  },
  {
    path: 'sendPoll',
    body: { name: 'Which day?', selectableCount: 1, values: ['Monday', 'Friday'] },
    received: ['poll', { question: 'Which day?', options: ['Monday', 'Friday'], selectable_count: 1 }],
    message: {
      pollCreationMessage: {
        name: 'Which day?',
        options: [{ optionName: 'Monday' }, { optionName: 'Friday' }],
        selectableOptionsCount: 1,
      },
    },
  },
  {
    path: 'sendPoll',
    body: { pollMessage: { name: 'Which days?', selectableCount: 0, values: ['Monday', 'Friday', 'Sunday'] } },
    received: ['poll', { question: 'Which days?', options: ['Monday', 'Friday', 'Sunday'], selectable_count: 3 }],
    message: { pollCreationMessage: { selectableOptionsCount: 3 } },
  },
  {
    path: 'sendButtons',
    body: {
      ...{
        title: 'Does it suit you?',
        description: 'Tomorrow at 14:00',
        footer: 'Example Dental',
        thumbnailUrl: 'https://example.com/a.png',
      },
      buttons: [
        { type: 'reply', displayText: 'Yes', id: 'yes' },
        { type: 'url', displayText: 'Directions', url: 'https://example.com/way' },
        { type: 'call', displayText: 'Call us', phoneNumber: '4930901820' },
      ],
    },
    received: [
      'buttons',
      {
        ...{ title: 'Does it suit you?', description: 'Tomorrow at 14:00', footer: 'Example Dental' },
        buttons: [
          { type: 'reply', text: 'Yes', id: 'yes' },
          { type: 'url', text: 'Directions', url: 'https://example.com/way' },
          { type: 'call', text: 'Call us', phone_number: '4930901820' },
        ],
      },
    ],
    message: { interactiveMessage: { footer: 'Example Dental' } },
  },
  {
    path: 'sendButtons',
    body: { buttonMessage: { title: 'Sure?', description: '', footerText: 'Us', buttons: [{ buttonText: 'Yes', buttonId: 'yes' }] } },
    received: ['buttons', { title: 'Sure?', footer: 'Us', buttons: [{ type: 'reply', text: 'Yes', id: 'yes' }] }],
    message: { interactiveMessage: { footer: 'Us' } },
  },
  {
    path: 'sendList',
    body: {
      ...{ title: 'What would you like?', description: 'Choose', buttonText: 'Show', footerText: '' },
      sections: [{ title: 'Orders', rows: [{ title: 'Track', description: '', rowId: 'track' }] }],
    },
    received: [
      'list',
      {
        ...{ title: 'What would you like?', description: 'Choose', button_text: 'Show' },
        sections: [{ title: 'Orders', rows: [{ title: 'Track', row_id: 'track' }] }],
      },
    ],
    message: { listMessage: { title: 'What would you like?', buttonText: 'Show' } },
  },
  {
    path: 'sendList',
    body: {
      ...{ title: 'What?', buttonText: 'Show' },
      values: [{ title: 'Orders', rows: [{ title: 'Track', description: 'Where it is', rowId: 'track' }] }],
    },
    received: ['list', { sections: [{ title: 'Orders', rows: [{ title: 'Track', row_id: 'track', description: 'Where it is' }] }] }],
    message: { listMessage: { title: 'What?' } },
  },
  {
    path: 'sendList',
    body: {
      listMessage: {
        ...{ title: 'What?', description: 'Choose', buttonText: 'Show', footerText: 'Us\nhttps://example.com' },
        sections: [{ title: 'Orders', rows: [{ title: 'Track', description: 'Where it is', rowId: 'row 001' }] }],
      },
    },
    received: ['list', { footer_text: 'Us\nhttps://example.com', sections: [{ title: 'Orders', rows: [{ row_id: 'row 001' }] }] }],
    message: { listMessage: { title: 'What?', footerText: 'Us\nhttps://example.com' } },
  },
];
