import { randomInt } from 'node:crypto';

/** Below the ports that systems give to whoever asks for any, so that none of those is among them. */
const first = 10_000;
const last = 19_999;
const mostTries = 20;

/** Another program has the port, as the server found when it wanted to listen there. */
export class PortTaken extends Error {
  constructor(port: number) {
    super(`port ${port} is in use`);
  }
}

/** Starts a server that cannot say which port it was given, or must have the same again: on one of chance, and on others while `start` throws PortTaken. */
export async function onChosenPort<Server>(start: (port: number) => Promise<Server>): Promise<Server> {
  for (let tries = 1; ; tries++) {
    try {
      return await start(randomInt(first, last + 1));
    } catch (error) {
      if (!(error instanceof PortTaken) || tries === mostTries) throw error;
    }
  }
}
