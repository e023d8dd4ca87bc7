import { programOf } from './components.ts';

/** The programs that run requests as code. */
export function languagePrograms(): { readonly sh: string; readonly node: string; readonly python: string; readonly php: string } {
  const of = (name: string) => programOf('languages', name);
  return { sh: of('sh'), node: process.execPath, python: of('python3'), php: of('php') };
}
