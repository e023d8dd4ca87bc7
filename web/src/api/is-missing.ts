import { ApiError } from './client.ts';

/** Whether the server knows no such object, or none that the person may see. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'not_found' || error.code === 'instance_not_found');
}
