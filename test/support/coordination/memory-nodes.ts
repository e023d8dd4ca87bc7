import { createHub } from '../../../src/coordination/memory/hub.ts';
import type { TestNodes } from './nodes.ts';

export async function memoryNodes(): Promise<TestNodes> {
  const hub = createHub();
  return {
    async attach() {
      const wire = hub.attach();
      return { wire, cut: async () => wire.cut(), mend: async () => wire.mend() };
    },
    async dispose() {},
  };
}
