import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesOf, type Group, groups, type Setup, type Tier } from '../test/groups.ts';
import { type ComponentName, canInstall, components, howToGet, installComponents, missingComponents } from '../test/support/components.ts';
import type { FailedFile, RunReport } from './test-reporter.ts';
import { verdict, withPassed, worthAnotherRun } from './test-results.ts';

// Runs the tests of a tier. `node scripts/test.ts push` (npm test): checks, builds, and runs what comes before a push in one run of Vitest.
// `rest`: what that leaves, group after group, each with the machine for itself. `all`: both. With `--long`, what is random is tried many times.
const words = process.argv.slice(2);
const known: ReadonlyMap<string | undefined, readonly Tier[]> = new Map([
  ['push', ['push']],
  ['rest', ['rest']],
  ['all', ['push', 'rest']],
]);
const tiers = known.get(words[0]);
if (tiers === undefined) throw new Error('usage: node scripts/test.ts push|rest|all [--long]');

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'gateway-tests-'));
const reports: RunReport[] = [];
const flaky: FailedFile[] = [];
const timings: string[] = [];
let checked = true;
let packagesPass = true;
const say = (line: string) => process.stdout.write(`${line}\n`);

try {
  const wanted = groups().filter((group) => group.name !== 'pictures' && tiers.some((tier) => filesOf(group, tier).length > 0));
  const missing = prepare(wanted);
  if (missing.length > 0 && process.env.CI === 'true') fail(missing.map(howToGet));
  const runnable = wanted.filter(({ needs }) => !componentsOf(needs).some((name) => missing.includes(name)));
  if (tiers.includes('push')) await push(runnable);
  if (tiers.includes('rest') && checked) await rest(runnable);

  const { passed, failed, lines } = verdict(reports, flaky);
  if (!checked) lines.push('failed: checks and build, see above');
  if (!packagesPass) lines.push('failed: tests in packages/, see above');
  say(`\n${[...timings, '', ...lines].join('\n')}`);
  for (const name of missing) {
    const idle = wanted.filter(({ needs }) => componentsOf(needs).includes(name)).map((group) => group.name);
    say(`not run: ${idle.join(', ')}; ${howToGet(name)}`);
  }
  say(`tests: ${passed} passed, ${failed} failed`);
  process.exitCode = checked && packagesPass && failed === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Ends the run before its first test. */
function fail(lines: readonly string[]): never {
  say(lines.join('\n'));
  rmSync(folder, { recursive: true, force: true });
  process.exit(1);
}

/** Installs what is missing, before the first test starts. Where it may not, it returns what stays missing; in CI that is an error. */
function prepare(wanted: readonly Group[]): readonly ComponentName[] {
  const missing = missingComponents(wanted.flatMap(({ needs }) => componentsOf(needs)));
  if (missing.length === 0) return [];
  if (canInstall()) {
    say(`installing ${missing.join(', ')}`);
    installComponents(missing);
    return [];
  }
  return missing;
}

function componentsOf(needs: readonly Setup[]): readonly ComponentName[] {
  return needs.filter((need): need is Setup & ComponentName => need in components);
}

/** Checks and builds side by side, then runs every group at once. */
async function push(runnable: readonly Group[]): Promise<void> {
  const checks = ['typecheck:program', 'build:stale', 'lint:code', 'typecheck:web', 'lint:unused'];
  checked = (await timed('checks and build', () => run(['scripts/check.ts', ...checks], {}))) === 0;
  const early = runnable.filter((group) => filesOf(group, 'push').length > 0);
  if (checked) await tests('before a push', 'push', early);
}

/** Runs what a push does not wait for: packages that have changed, the rest of each group, and the contract over three servers. */
async function rest(runnable: readonly Group[]): Promise<void> {
  packagesPass = (await timed('packages', () => run(['scripts/package-tests.ts'], {}))) === 0;
  for (const group of runnable) if (filesOf(group, 'rest').length > 0) await tests(group.name, 'rest', [group]);
  const names = new Set(runnable.map(({ name }) => name));
  if (names.has('postgres') && names.has('redis')) await tests('cluster', 'rest', [], { TEST_NODES: '3' });
}

/** One run of Vitest over these groups, and another of each file that may have failed by accident. */
async function tests(title: string, tier: Tier, of: readonly Group[], env: Readonly<Record<string, string>> = {}): Promise<void> {
  const projects = of.flatMap(({ name }) => ['--project', name]);
  const report = await timed(title, () => vitest(projects, { ...env, TEST_TIER: tier }));
  const passedAlone: FailedFile[] = [];
  const withProcesses = new Set(of.filter(({ processes }) => processes).map(({ name }) => name));
  for (const file of worthAnotherRun(report, withProcesses)) {
    say(`\n${file.path} failed and is run once more, alone.`);
    const second = await timed(`${file.path} again`, () => vitest(['--project', file.group, file.path], { ...env, TEST_TIER: tier }));
    if (second.failed.length + second.errors.length === 0) passedAlone.push(file);
  }
  flaky.push(...passedAlone);
  const { errors, ...rest } = withPassed(report, passedAlone);
  reports.push({ ...rest, errors: errors.map((error) => `${title}: ${error}`) });
}

/** Runs Vitest with this environment. */
async function vitest(args: readonly string[], env: Readonly<Record<string, string>>): Promise<RunReport> {
  const file = join(folder, `${Math.round(performance.now())}.json`);
  const long = words.includes('--long') ? { TEST_ROUNDS: 'long' } : {};
  const reporters = ['--reporter=default', '--reporter=./scripts/test-reporter.ts'];
  const code = await run(['node_modules/vitest/vitest.mjs', 'run', ...args, ...reporters], { ...long, ...env, TEST_REPORT: file });
  if (!existsSync(file)) return { passed: 0, failed: [], errors: [`ended without a report, exit code ${code}`] };
  const report = JSON.parse(readFileSync(file, 'utf8')) as RunReport;
  if (report.failed.length + report.errors.length > 0) return report;
  if (report.passed === 0) return { ...report, errors: ['no test was run'] };
  return code === 0 ? report : { ...report, errors: [`every test passed, and then it ended with exit code ${code}`] };
}

/** Runs a program of Node and resolves with its exit code. */
function run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<number | null> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
}

/** Does it and notes how long it took, on the clock and on the processors. */
async function timed<T>(title: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const before = cpuOfChildren();
  const result = await work();
  const seconds = Math.round((performance.now() - began) / 1000);
  timings.push(`${title}: ${seconds} s${before === null ? '' : `, CPU ${Math.round((cpuOfChildren() ?? 0) - before)} s`}`);
  return result;
}

/** CPU seconds of the processes below this one that have ended; null where the system does not say. */
function cpuOfChildren(): number | null {
  if (process.platform !== 'linux') return null;
  // proc(5): after the name in brackets comes the third field; the 16th and 17th are the children's time in ticks, of which a second has 100.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
