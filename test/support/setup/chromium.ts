import type { TestProject } from 'vitest/node';
import { startChromium } from '../chromium.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the run's Chromium listens. */
    chromium: string;
  }
}

/** One Chromium for the run: each visitor of a test has a context of it, which is a browser of somebody else. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const browser = await startChromium();
  project.provide('chromium', browser.wsEndpoint());
  return () => browser.close();
}
