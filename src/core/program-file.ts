// The bundles lie in one folder, this file's text in one of them; a checkout that runs its sources has them in dist/.
const program = new URL(import.meta.url.endsWith('.ts') ? '../../dist/' : './', import.meta.url);

/**
 * A file or folder of the built program, by its path in it. A checkout that runs its sources uses the built ones for what it starts beside
 * itself, too: Node takes types out of sources with WebAssembly, and V8 may crash when threads in which it does come and go.
 */
export function programFile(path: string): URL {
  return new URL(path, program);
}
