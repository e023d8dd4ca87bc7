import type { WhatsAppServer } from './api.ts';

interface Command {
  readonly usage: string;
  readonly does: string;
  readonly words: number;
  run(server: WhatsAppServer, words: readonly string[]): Promise<unknown>;
}

const text = (words: readonly string[]) => words.join(' ');

const commands: Record<string, Command> = {
  scan: {
    usage: 'scan NUMBER CODE',
    does: "the owner's phone scans the content of a QR code",
    words: 2,
    run: (server, [number = '', code = '']) => server.person(number).scan(code),
  },
  code: {
    usage: 'code NUMBER CODE',
    does: "an 8-character pairing code is entered on the owner's phone",
    words: 2,
    run: (server, [number = '', code = '']) => server.person(number).enterPairingCode(code.replaceAll('-', '')),
  },
  received: {
    usage: 'received NUMBER',
    does: 'what that phone has received, oldest first',
    words: 1,
    run: async (server, [number = '']) =>
      (await server.person(number).received()).map(({ id, from, to, times, message }) => ({ id, from, to, times, message })),
  },
  send: {
    usage: 'send FROM TO TEXT',
    does: 'a phone writes to a number',
    words: 3,
    run: (server, [from = '', to = '', ...rest]) => server.person(from).send(to, text(rest)),
  },
  unlink: {
    usage: 'unlink NUMBER',
    does: 'the phone removes its linked devices',
    words: 1,
    run: (server, [number = '']) => server.person(number).unlink(),
  },
  drop: {
    usage: 'drop NUMBER',
    does: 'the connections of the number are cut',
    words: 1,
    run: (server, [number = '']) => server.faults.end(number, { kind: 'drop' }),
  },
  absent: {
    usage: 'absent NUMBER',
    does: 'the number is not on the network any more',
    words: 1,
    run: async (server, [number = '']) => server.person(number).is({ onNetwork: false }),
  },
  status: {
    usage: 'status',
    does: 'who is linked and connected, and what was counted',
    words: 0,
    run: async ({ record }) => ({
      ...{ linked: record.linked(), connected: record.connected(), messages: record.messages, uploads: record.uploads },
      ...{ mostLoginsAtOnce: record.mostLoginsAtOnce, incomplete: record.incomplete.length, problems: record.problems },
    }),
  },
};

export const commandHelp: readonly string[] = Object.values(commands).map(({ usage, does }) => `${usage.padEnd(20)}${does}`);

/** Runs the command in one line. Rejects with a plain message when it is no command or fails. */
export async function runCommand(server: WhatsAppServer, line: string): Promise<unknown> {
  const [name = '', ...words] = line.trim().split(/\s+/);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new Error(`unknown command '${name}'; known are: ${Object.keys(commands).join(', ')}`);
  if (words.length < command.words) throw new Error(`usage: ${command.usage}`);
  return (await command.run(server, words)) ?? null;
}
