import { type BinaryNode, proto } from 'baileys';

/** What the network tells a newly linked device about its account, as children of pair-success; none for null. */
export function clientPropsNode(lidMigrated: boolean | null): BinaryNode[] {
  if (lidMigrated === null) return [];
  const content = proto.ClientPairingProps.encode({ isChatDbLidMigrated: lidMigrated, isSyncdPureLidSession: lidMigrated }).finish();
  return [{ tag: 'client-props', attrs: {}, content }];
}
