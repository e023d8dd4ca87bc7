import type { BinaryNode } from 'baileys';
import type { Contents } from '../../../../kinds/index.ts';
import type { WhatsAppContext, WhatsAppMessage } from './encoded-message.ts';

export function buttons({ buttons: items, ...words }: Contents['buttons'], context: WhatsAppContext): WhatsAppMessage {
  return interactive(words, items.map(nativeButton), context);
}

export function list(
  { title, description, footer_text, button_text, sections }: Contents['list'],
  context: WhatsAppContext,
): WhatsAppMessage {
  const parameters = {
    title: button_text,
    sections: sections.map(({ title: heading, rows }) => ({
      title: heading,
      rows: rows.map((one) => ({ id: one.row_id, title: one.title, description: one.description ?? '' })),
    })),
  };
  return interactive({ title, description, footer: footer_text }, [{ name: 'single_select', parameters }], context);
}

function nativeButton(item: Contents['buttons']['buttons'][number]): { name: string; parameters: object } {
  switch (item.type) {
    case 'reply':
      return { name: 'quick_reply', parameters: { display_text: item.text, id: item.id } };
    case 'url':
      return { name: 'cta_url', parameters: { display_text: item.text, url: item.url, merchant_url: item.url } };
    case 'call':
      return { name: 'cta_call', parameters: { display_text: item.text, phone_number: `+${item.phone_number}` } };
  }
}

/** An interactive message, made of named buttons and their parameters. */
function interactive(
  { title, description, footer }: { title: string; description?: string | undefined; footer?: string | undefined },
  buttons: readonly { name: string; parameters: object }[],
  { contextInfo, now }: WhatsAppContext,
): WhatsAppMessage {
  // The body must not be empty, so a title without a description becomes the body.
  const text = description ? { header: { title, hasMediaAttachment: false }, body: { text: description } } : { body: { text: title } };
  return {
    message: {
      interactiveMessage: {
        ...text,
        ...(footer ? { footer: { text: footer } } : {}),
        nativeFlowMessage: {
          buttons: buttons.map(({ name, parameters }) => ({ name, buttonParamsJson: JSON.stringify(parameters) })),
          messageVersion: 1,
        },
        contextInfo,
      },
    },
    type: 'text',
    nodes: [interactiveNode(now)],
  };
}

/** Without this node the network accepts an interactive message, but phones do not show it. */
function interactiveNode(now: number): BinaryNode {
  return {
    tag: 'biz',
    attrs: { actual_actors: '2', host_storage: '2', privacy_mode_ts: String(Math.floor(now / 1000)) },
    content: [
      {
        tag: 'interactive',
        attrs: { type: 'native_flow', v: '1' },
        content: [{ tag: 'native_flow', attrs: { v: '9', name: 'mixed' } }],
      },
      { tag: 'quality_control', attrs: { source_type: 'third_party' } },
    ],
  };
}
