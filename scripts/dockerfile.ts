/** One instruction of a Dockerfile: `RUN`, `COPY`, …, and the rest of its line. */
export interface Instruction {
  readonly name: string;
  readonly rest: string;
  readonly line: number;
}

/** A stage: what follows one FROM, up to the next. */
export interface Stage {
  readonly name: string;
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

/** Reads as much of the language as our Dockerfile uses; throws at anything else, so that nothing is skipped in silence. */
export function readDockerfile(text: string): readonly Stage[] {
  const args = new Map<string, string>();
  const stages: { name: string; from: string; instructions: Instruction[] }[] = [];
  for (const one of instructions(text)) {
    const stage = stages.at(-1);
    if (one.name === 'ARG' && stage === undefined) {
      const [name = '', value = ''] = one.rest.split('=');
      args.set(name, value);
    } else if (one.name === 'FROM') {
      const words = /^(\S+)(?: AS (\S+))?$/.exec(one.rest);
      if (words?.[1] === undefined) throw new Error(`line ${one.line}: FROM ${one.rest} is not understood`);
      const from = words[1].replace(/\$\{(\w+)\}/g, (_, name: string) => args.get(name) ?? '');
      stages.push({ name: words[2] ?? String(stages.length), from, instructions: [] });
    } else if (stage === undefined) {
      throw new Error(`line ${one.line}: ${one.name} before the first FROM`);
    } else {
      stage.instructions.push(one);
    }
  }
  return stages;
}

/** The words of an instruction in its exec form, `["node", "main.js"]`; throws for the shell form. */
export function execForm({ name, rest, line }: Instruction): readonly string[] {
  const words: unknown = rest.startsWith('[') ? JSON.parse(rest) : null;
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string'))
    throw new Error(`line ${line}: ${name} is not in exec form`);
  return words;
}

/** What `.dockerignore` lets through, from its one form that is understood: everything is out (`*`) but what is named with `!`. */
export function contextPaths(text: string): readonly string[] {
  const [first, ...rest] = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  if (first !== '*' || rest.some((line) => !/^![\w./-]+$/.test(line)))
    throw new Error('.dockerignore: only * and then !path is understood');
  return rest.map((line) => line.slice(1));
}

function instructions(text: string): readonly Instruction[] {
  const found: Instruction[] = [];
  let begun = '';
  let line = 0;
  for (const [index, raw] of text.split('\n').entries()) {
    if (/^\s*(#|$)/.test(raw)) continue;
    if (begun === '') line = index + 1;
    begun += raw;
    if (begun.endsWith('\\')) {
      begun = begun.slice(0, -1);
      continue;
    }
    const [, name = '', rest = ''] = /^([A-Z]+) +(.*)$/.exec(begun) ?? [];
    if (name === '') throw new Error(`line ${line}: ${begun} is not understood`);
    found.push({ name, rest: rest.trim(), line });
    begun = '';
  }
  return found;
}
