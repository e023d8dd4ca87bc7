import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { programOf } from './components.ts';

/** A series that a query found. */
export interface FoundSeries {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [time: number, value: string];
}

/** An alert rule as Prometheus has read it. */
interface AlertRule {
  readonly name: string;
  readonly query: string;
  readonly health: 'ok' | 'unknown' | 'err';
}

/** A Prometheus of the tests' own. */
export interface TestPrometheus {
  /** Runs a query now. Throws what Prometheus says against it. */
  query(text: string): Promise<readonly FoundSeries[]>;
  rules(): Promise<readonly AlertRule[]>;
  stop(): Promise<void>;
}

interface PrometheusOptions {
  /** What is scraped several times a second, as `host:port`, and the token for it. */
  readonly target: string;
  readonly token: string;
  readonly job: string;
  readonly rules: string;
}

/** Starts Prometheus, which the test asks until it has what it is asked for. */
export async function startPrometheus({ target, token, job, rules }: PrometheusOptions): Promise<TestPrometheus> {
  const program = programOf('prometheus', 'prometheus');
  const folder = mkdtempSync(join(tmpdir(), 'gateway-prometheus-'));
  const config = {
    global: { scrape_interval: '250ms', scrape_timeout: '250ms', evaluation_interval: '500ms' },
    rule_files: [rules],
    scrape_configs: [{ job_name: job, authorization: { credentials: token }, static_configs: [{ targets: [target] }] }],
  };
  const file = join(folder, 'prometheus.yaml');
  // JSON is YAML too.
  writeFileSync(file, JSON.stringify(config));
  const words = [`--config.file=${file}`, `--storage.tsdb.path=${folder}/data`, '--web.listen-address=127.0.0.1:0'];
  const server = spawn(program, words, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(server, 'exit');
  const said: string[] = [];
  const { promise: listening, resolve, reject } = Promise.withResolvers<string>();
  createInterface(server.stderr).on('line', (line) => {
    said.push(line);
    const address = /msg="Listening on" address=(\S+)/.exec(line)?.[1];
    if (address !== undefined) resolve(address);
  });
  void ended.then(() => reject(new Error(`Prometheus ended:\n${said.slice(-20).join('\n')}`)));
  const address = await listening;

  async function ask<Data>(path: string): Promise<Data> {
    const answer = await fetch(`http://${address}/api/v1/${path}`, { signal: AbortSignal.timeout(10_000) });
    const body = (await answer.json()) as { status: string; error?: string; data: Data };
    if (body.status !== 'success') throw new Error(body.error);
    return body.data;
  }
  return {
    query: async (text) => (await ask<{ result: FoundSeries[] }>(`query?query=${encodeURIComponent(text)}`)).result,
    async rules() {
      const { groups } = await ask<{ groups: { rules: AlertRule[] }[] }>('rules');
      return groups.flatMap((group) => group.rules);
    },
    async stop() {
      server.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
