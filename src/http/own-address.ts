import type { FastifyRequest } from 'fastify';

/** Where callers reach the service: what the operator says, else the address this caller asked at. */
export function ownAddress(request: FastifyRequest, publicUrl: string | null): string {
  return publicUrl ?? `${request.protocol}://${request.host}`;
}

/** Every address of the service that this caller may mean: what the operator says, and the one asked at. */
export function ownBases(request: FastifyRequest, publicUrl: string | null): readonly string[] {
  const asked = `${request.protocol}://${request.host}`;
  return publicUrl === null ? [asked] : [publicUrl, asked];
}
