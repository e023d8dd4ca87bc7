import { startFileServer } from '../support/file-server.ts';
import { type Portal, type PortalOptions, startPortal } from '../support/portal-browser.ts';
import { type Bakery, type Entered, makeBakery } from './bakery.ts';

/** The portal of a gateway with a bakery, which sends files too. */
export interface BakeryPortal {
  readonly portal: Portal;
  readonly bakery: Bakery;
  stop(): Promise<void>;
}

/** Starts it with its own file server; `entered` changes the texts that somebody entered. */
export async function startBakeryPortal({ entered, ...options }: { entered?: Entered } & PortalOptions = {}): Promise<BakeryPortal> {
  const files = await startFileServer();
  const portal = await startPortal({ env: { MEDIA_ALLOW_HOSTS: files.allowed }, ...options });
  const stop = async () => {
    await portal.stop();
    await files.close();
  };
  try {
    return { portal, bakery: await makeBakery(portal.gateway, files, entered), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
