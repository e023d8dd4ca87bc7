import type { FastifyRequest } from 'fastify';
import { ownAddress } from '../http/index.ts';
import type { PortalOptions } from './portal-options.ts';

/** Where browsers reach the portal: as the settings say, else as this one did. */
export function portalAddress({ publicUrl }: Pick<PortalOptions, 'publicUrl'>, request: FastifyRequest): string {
  return ownAddress(request, publicUrl);
}

/** The address of a one-time link's page. */
export function linkAddress(portal: string, token: string): string {
  return `${portal}/link/${token}`;
}
