import { type BinaryNode, proto } from 'baileys';

/** What the network tells a newly linked device of its account, as a child of pair-success; null: an account of which it says nothing. */
export function clientPropsNode(lidMigrated: boolean | null): BinaryNode[] {
  if (lidMigrated === null) return [];
  const content = proto.ClientPairingProps.encode({ isChatDbLidMigrated: lidMigrated, isSyncdPureLidSession: lidMigrated }).finish();
  return [{ tag: 'client-props', attrs: {}, content }];
}
