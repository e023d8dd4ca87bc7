import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification, type Vitest } from 'vitest/node';

/** Files that take long, the longest first; the order of all others is that of their sizes. */
const longest = [
  'test/web/dialogs.test.ts',
  'test/web/accessibility.test.ts',
  'test/web/first-journey.test.ts',
  'test/web/stored-scripts.test.ts',
  'test/web/passkey.test.ts',
  'test/web/shown-once.test.ts',
  'test/faults/nodes.test.ts',
  'test/faults/whatsapp-nodes.test.ts',
  'test/faults/stop.test.ts',
  'test/faults/whatsapp-kill.test.ts',
  'test/faults/whatsapp-soak.test.ts',
  'test/faults/whatsapp-secrets.test.ts',
  'test/faults/kill.test.ts',
  'test/faults/few-descriptors.test.ts',
  'test/whatsapp/store-away.test.ts',
  'test/networks/whatsapp-linking.test.ts',
  'test/whatsapp/client-version.test.ts',
  'test/networks/whatsapp-sending-faults.test.ts',
  'test/whatsapp/stored-before-acknowledged.test.ts',
  'test/networks/whatsapp.test.ts',
  'test/whatsapp/many-numbers.test.ts',
  'test/portal/foreign-objects.test.ts',
  'test/contract/restart.test.ts',
  'test/contract/start-stop.test.ts',
  'test/cli/user.test.ts',
  'test/contract/owed.test.ts',
  'test/portal/sign-in.test.ts',
  'test/debts/debts.test.ts',
];

/** Begins what takes longest first, so that no file is left over when all others are done. */
export class LongestFirst extends BaseSequencer {
  readonly #root: string;

  constructor(vitest: Vitest) {
    super(vitest);
    this.#root = vitest.config.root;
  }

  /** Files of one project stay together: those that share a process would start it again and again otherwise. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projects = this.ctx.projects.map(({ name }) => name);
    const rank = (file: TestSpecification) => {
      const known = longest.indexOf(relative(this.#root, file.moduleId));
      return known === -1 ? longest.length + 1 / statSync(file.moduleId).size : known;
    };
    return [...files].sort((a, b) => projects.indexOf(a.project.name) - projects.indexOf(b.project.name) || rank(a) - rank(b));
  }
}
