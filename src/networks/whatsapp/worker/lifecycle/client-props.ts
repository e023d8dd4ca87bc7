import { type BinaryNode, getBinaryNodeChild, proto } from 'baileys';

/** What the network said of the account when it was linked, kept with the link's records. */
export interface ClientProps {
  /** Whether the account's chats are addressed by LID; null: the network has not said. */
  readonly lidMigrated: boolean | null;
}

/** The properties in a `pair-success` stanza (`ClientPairingProps` of WhatsApp Web). What cannot be read counts as not said. */
export function clientPropsOf(stanza: BinaryNode): ClientProps {
  const content = getBinaryNodeChild(getBinaryNodeChild(stanza, 'pair-success'), 'client-props')?.content;
  if (!(content instanceof Uint8Array)) return { lidMigrated: null };
  try {
    // A field that is left out of the message reads as its default.
    const { isChatDbLidMigrated } = proto.ClientPairingProps.decode(content);
    return { lidMigrated: isChatDbLidMigrated === true };
  } catch {
    return { lidMigrated: null };
  }
}

/** The properties in the value of their record; a number that was linked before they were kept has none. */
export function storedClientProps(value: unknown): ClientProps {
  return (value as ClientProps | undefined) ?? { lidMigrated: null };
}
