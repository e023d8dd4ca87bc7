import type { FastifyRequest } from 'fastify';
import type { PortalOptions } from './portal-options.ts';

/** Where browsers reach the portal: as the settings say, else as this one did. */
export function portalAddress({ publicUrl }: Pick<PortalOptions, 'publicUrl'>, request: FastifyRequest): string {
  return publicUrl ?? `${request.protocol}://${request.host}`;
}

/** The address of a one-time link's page. */
export function linkAddress(portal: string, token: string): string {
  return `${portal}/link/${token}`;
}
