import { createContext, type ReactNode, useContext } from 'react';

/** The server's error messages by field path (`sections[1].rows[0].row_id`). */
export type Problems = ReadonlyMap<string, string>;

interface ProblemsContext {
  readonly problems: Problems;
  /** Removes the messages of a field, and of those inside it, because its value was changed. */
  changed(path: string): void;
}

const Context = createContext<ProblemsContext>({ problems: new Map(), changed() {} });

/** Provides the error messages to the fields inside it. */
export function ProblemsProvider({ children, ...value }: ProblemsContext & { readonly children: ReactNode }) {
  return <Context value={value}>{children}</Context>;
}

/** The error message of this field, if there is one. */
export function useProblem(path: string): { readonly problem: string | undefined; changed(): void } {
  const { problems, changed } = useContext(Context);
  return { problem: problems.get(path), changed: () => changed(path) };
}

/** The problems without those of this field and of the fields inside it. */
export function withoutProblemsOf(problems: Problems, path: string): Problems {
  const inside = (field: string) => field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[`);
  return [...problems.keys()].some(inside) ? new Map([...problems].filter(([field]) => !inside(field))) : problems;
}
