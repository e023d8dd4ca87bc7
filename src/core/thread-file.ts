// The compiled program: beside this file, or in dist/ of a checkout that runs its sources.
const program = new URL(import.meta.url.endsWith('.ts') ? '../../dist/' : '../', import.meta.url);

/**
 * The compiled file of a thread, by its path in the program without the ending. A checkout that runs its sources starts the compiled threads,
 * too: Node takes types out of sources with WebAssembly, and V8 may crash when threads in which it does come and go.
 */
export function threadFile(path: string): URL {
  return new URL(`${path}.js`, program);
}
