import { existsSync, readFileSync } from 'node:fs';
import { createLoadClient, type LoadClient } from './load-client.ts';
import { type Ending, type ServerProcess, startServer } from './server-process.ts';
import { crashWorker, inspectable } from './whatsapp-worker-crash.ts';

/** A gateway that is ended and started again while its customers go on. */
export class SoakGateway {
  readonly #env: Readonly<Record<string, string>>;
  #server: ServerProcess;
  #client: Promise<LoadClient>;
  #output = '';
  /** Processes that ended in another way than they were made to. */
  readonly wrong: string[] = [];

  constructor(env: Readonly<Record<string, string>>) {
    this.#env = env;
    [this.#server, this.#client] = this.#begin([]);
  }

  /** The connections to the process that runs; while one starts, when it is ready. Rejects when it did not start. */
  get client(): Promise<LoadClient> {
    return this.#client;
  }

  /** Everything that all processes have printed. */
  get output(): string {
    return this.#output + this.#server.stdout() + this.#server.stderr();
  }

  /** Resident memory in bytes; null while no process runs. */
  get memory(): number | null {
    const file = `/proc/${this.#server.child.pid}/status`;
    const kilobytes = existsSync(file) ? /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  }

  /** Ends the process by SIGTERM or SIGKILL and starts the next one; `crashable` makes `crashWorker` possible. */
  async restart(how: 'terminate' | 'kill', { crashable = false }: { crashable?: boolean } = {}): Promise<void> {
    const before = this.#server;
    const client = await this.#client;
    await this.#end(how);
    this.#output += before.stdout() + before.stderr();
    [this.#server, this.#client] = this.#begin(crashable ? inspectable : []);
    await client.close();
    await this.#client;
  }

  /** Makes the thread with the connections fail; false when this process was not started for it. */
  async crashWorker(): Promise<boolean> {
    return (await crashWorker(this.#server)) > 0;
  }

  /** Stops it for good. */
  async stop(): Promise<void> {
    await (await this.#client).close();
    await this.#end('terminate');
  }

  /** For the end of a run that failed. */
  async dispose(): Promise<void> {
    await this.#server.kill();
    await this.#client.then(
      (client) => client.close(),
      () => undefined,
    );
  }

  async #end(how: 'terminate' | 'kill'): Promise<void> {
    const ending: Ending = await this.#server[how]();
    const expected = how === 'kill' ? ending.signal === 'SIGKILL' : ending.code === 0;
    if (!expected) this.wrong.push(`the gateway ended with ${ending.code ?? ending.signal}: ${this.#server.stderr().slice(-2000)}`);
  }

  #begin(nodeOptions: readonly string[]): [ServerProcess, Promise<LoadClient>] {
    const server = startServer(this.#env, { nodeOptions });
    const client = server.ready.then((address) => createLoadClient(address, 32));
    client.catch(() => undefined);
    return [server, client];
  }
}
