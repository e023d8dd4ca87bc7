import { setTimeout } from 'node:timers/promises';
import { Sources } from './sources.ts';
import { type InspectedThread, inspectThreads } from './threads.ts';

/** A function of `src` that ran. */
export interface Ran {
  readonly thread: string;
  /** From `src`. */
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly calls: number;
  /** When it was first called, in milliseconds after the start; null where V8 has no place in it to note that, or nobody asked. */
  readonly firstMs: number | null;
}

interface Counted {
  readonly key: string;
  readonly thread: InspectedThread;
  readonly url: string;
  readonly from: number;
  readonly to: number;
  readonly name: string;
  readonly calls: number;
}

/** V8's answer to `Profiler.takePreciseCoverage`. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly startOffset: number; readonly endOffset: number; readonly count: number }[];
    }[];
  }[];
}

const src = new URL('../../src/', import.meta.url).href;
/** How often an operation is counted. */
const rounds = 3;
/** How long nothing is asked of the program before each: what it does some moments after an answer is over by then. */
const pauseMs = 1_000;

/**
 * What of `src` runs in an operation, in order of first call. The operation is done once before, so that what runs only the first time does not
 * count. Then it is counted a few times, and only what ran each time counts, so that a timer that happens to fire does not. Counts tell no order: if
 * `timed`, in one more operation a breakpoint at the start of each function, which never stops, notes the time.
 */
export async function measure(operation: () => Promise<void>, timed: boolean): Promise<readonly Ran[]> {
  await operation();
  const threads = await inspectThreads();
  const sources = new Sources();
  const taken: ReadonlyMap<string, Counted>[] = [];
  for (let round = 0; round < rounds; round++) {
    const found = await counted(threads, sources, operation);
    taken.push(new Map(found.map((ran) => [ran.key, ran])));
  }
  const [first, ...others] = taken;
  const steady = [...(first?.values() ?? [])].filter(({ key }) => others.every((other) => other.has(key)));
  const times = timed ? await firstCalls(threads, sources, steady, operation) : new Map<string, number>();
  const usual = (key: string) => taken.map((round) => round.get(key)?.calls ?? 0).toSorted((a, b) => a - b)[rounds >> 1] ?? 0;
  return steady
    .map(({ key, thread, url, from, name }) => ({
      thread: thread.name,
      file: url.slice(src.length),
      line: sources.position(url, from).lineNumber + 1,
      name: name === '' ? '(anonymous)' : name,
      calls: usual(key),
      firstMs: times.get(key) ?? null,
    }))
    .toSorted((a, b) => (a.firstMs ?? Number.POSITIVE_INFINITY) - (b.firstMs ?? Number.POSITIVE_INFINITY));
}

/** The functions that run in the operation, with V8's precise counts. */
async function counted(threads: readonly InspectedThread[], sources: Sources, operation: () => Promise<void>): Promise<readonly Counted[]> {
  await setTimeout(pauseMs);
  for (const thread of threads) {
    await thread.post('Profiler.enable');
    await thread.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }
  await operation();
  const found: Counted[] = [];
  for (const thread of threads) {
    found.push(...functionsOf(thread, sources, (await thread.post('Profiler.takePreciseCoverage')) as Coverage));
    await thread.post('Profiler.disable');
  }
  return found;
}

/** Those of `src` that ran; a module's own statements are none. */
function functionsOf(thread: InspectedThread, sources: Sources, { result }: Coverage): Counted[] {
  const found: Counted[] = [];
  for (const { url, functions } of result.filter((script) => script.url.startsWith(src))) {
    for (const { functionName: name, ranges } of functions) {
      const { startOffset: from = 0, endOffset: to = 0, count: calls = 0 } = ranges[0] ?? {};
      const isModule = from === 0 && to >= sources.length(url) - 1;
      if (calls > 0 && !isModule) found.push({ key: `${thread.name} ${url} ${from} ${to}`, thread, url, from, to, name, calls });
    }
  }
  return found;
}

/** When each of these functions is first called in the operation, in milliseconds after its start. */
async function firstCalls(
  threads: readonly InspectedThread[],
  sources: Sources,
  functions: readonly Counted[],
  operation: () => Promise<void>,
): Promise<ReadonlyMap<string, number>> {
  for (const thread of threads) {
    const scripts = new Map<string, string>();
    thread.on('Debugger.scriptParsed', ({ url, scriptId }) => scripts.set(String(url), String(scriptId)));
    await thread.post('Debugger.enable');
    await thread.post('Runtime.evaluate', { expression: 'globalThis.pathTimes = new Map(); undefined' });
    // Functions that begin at the same place, such as a class and its fields, share a breakpoint.
    const keysAt = new Map<string, string[]>();
    for (const { key, url, from, to } of functions.filter((one) => one.thread === thread)) {
      const scriptId = scripts.get(url);
      const at = (offset: number) => ({ scriptId, ...sources.position(url, offset) });
      // An arrow begins where the statement around it has a place of its own.
      const start = sources.isClass(url, from) ? from : from + 1;
      const places = await thread.post('Debugger.getPossibleBreakpoints', { start: at(start), end: at(to) });
      const [place] = (places as { locations: object[] }).locations;
      if (place !== undefined) keysAt.set(JSON.stringify(place), [...(keysAt.get(JSON.stringify(place)) ?? []), key]);
    }
    for (const [place, keys] of keysAt) {
      const condition = `${JSON.stringify(keys)}.forEach((key) => pathTimes.has(key) || pathTimes.set(key, performance.timeOrigin + performance.now())), false`;
      await thread.post('Debugger.setBreakpoint', { location: JSON.parse(place), condition });
    }
  }
  await setTimeout(pauseMs);
  for (const thread of threads) await thread.post('Runtime.evaluate', { expression: 'pathTimes.clear()' });
  const began = performance.timeOrigin + performance.now();
  await operation();
  const times = new Map<string, number>();
  for (const thread of threads) {
    const expression = 'JSON.stringify([...pathTimes])';
    const noted = (await thread.post('Runtime.evaluate', { expression, returnByValue: true })) as { result: { value: string } };
    for (const [key, at] of JSON.parse(noted.result.value) as [string, number][]) times.set(key, at - began);
    await thread.post('Debugger.disable');
  }
  return times;
}
