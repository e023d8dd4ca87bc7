import type { SealedColumn } from '../store/index.ts';
import { credentialContext, sentMessageContext } from './credentials.ts';
import { proxyContext } from './proxies.ts';

/** Everything that belongs to numbers and is sealed. */
export const sealedOfNumbers: readonly SealedColumn[] = [
  { table: 'credentials', column: 'sealed', key: ['instance_id', 'name'], context: credentialContext },
  { table: 'sent_messages', column: 'sealed', key: ['instance_id', 'message_id'], context: sentMessageContext },
  { table: 'instances', column: 'proxy', key: ['id'], context: proxyContext },
];
