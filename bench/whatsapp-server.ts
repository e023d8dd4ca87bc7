import { lenient, startWhatsAppServer } from 'whatsapp-test-server';

// The WhatsApp server for tests in a process of its own, asked by its parent. It counts messages and decrypts none.
// Lenient, because what the gateway is compared with knows neither LIDs nor what is asked at a scan.
const server = await startWhatsAppServer({ decrypt: 'never', receipts: false, strictness: lenient });

interface Question {
  readonly question: number;
  /** The phone with this number scans this code. Without one the question is what was counted. */
  readonly scan?: { readonly number: string; readonly code: string };
}

process.on('message', async ({ question, scan }: Question) => {
  try {
    if (scan !== undefined) await server.person(scan.number).scan(scan.code);
    const { messages, problems, incomplete, mostLoginsAtOnce } = server.record;
    const connected = server.record.connected().length;
    process.send?.({ question, counted: { messages, connected, mostLoginsAtOnce, problems, incomplete: incomplete.length } });
    server.record.resetMostLoginsAtOnce();
  } catch (error) {
    process.send?.({ question, failure: error instanceof Error ? error.message : String(error) });
  }
});
process.on('disconnect', () => void server.close().then(() => process.exit(0)));
process.send?.({ WHATSAPP_URL: server.url, WHATSAPP_ROOT_KEY: server.rootKey, WHATSAPP_CA_FILE: server.caFile });
