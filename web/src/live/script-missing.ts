/** A script or style of the pages did not come, because the server is away. */
export class ScriptMissing extends Error {
  constructor(cause: unknown) {
    super(String(cause), { cause });
    this.name = 'ScriptMissing';
  }
}
