import { createContext, type ReactNode, useContext } from 'react';

/** What the server found wrong, by the field's place in its notation (`sections[1].rows[0].row_id`). */
export type Problems = ReadonlyMap<string, string>;

interface ProblemsContext {
  readonly problems: Problems;
  /** The field, or one inside it, was changed: what was said of it no longer holds. */
  changed(path: string): void;
}

const Context = createContext<ProblemsContext>({ problems: new Map(), changed() {} });

/** Gives the fields below what was found wrong with them. */
export function ProblemsProvider({ children, ...value }: ProblemsContext & { readonly children: ReactNode }) {
  return <Context value={value}>{children}</Context>;
}

/** What is wrong with this field, if anything. */
export function useProblem(path: string): { readonly problem: string | undefined; changed(): void } {
  const { problems, changed } = useContext(Context);
  return { problem: problems.get(path), changed: () => changed(path) };
}

/** The problems without those of this field and everything in it. */
export function withoutProblemsOf(problems: Problems, path: string): Problems {
  const inside = (field: string) => field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[`);
  return [...problems.keys()].some(inside) ? new Map([...problems].filter(([field]) => !inside(field))) : problems;
}
