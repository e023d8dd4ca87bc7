import { type BinaryNode, getBinaryNodeChild, proto } from 'baileys';

/** What the network said about the account when it was linked. Kept with the link's records. */
export interface ClientProps {
  /** Whether the account's chats are addressed by LID; null when the network has not said. */
  readonly lidMigrated: boolean | null;
}

/** The properties in a `pair-success` stanza (`ClientPairingProps` of WhatsApp Web). Properties that cannot be read count as not said. */
export function clientPropsOf(stanza: BinaryNode): ClientProps {
  const content = getBinaryNodeChild(getBinaryNodeChild(stanza, 'pair-success'), 'client-props')?.content;
  if (!(content instanceof Uint8Array)) return { lidMigrated: null };
  try {
    // A field missing from the message would be decoded as its default.
    const { isChatDbLidMigrated } = proto.ClientPairingProps.decode(content);
    return { lidMigrated: isChatDbLidMigrated === true };
  } catch {
    return { lidMigrated: null };
  }
}

/** The properties in their record's value; none for a number that was linked before they were stored. */
export function storedClientProps(value: unknown): ClientProps {
  return (value as ClientProps | undefined) ?? { lidMigrated: null };
}
