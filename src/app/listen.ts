import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/index.ts';
import { OperatorError } from '../core/index.ts';

/** Has the server listen where the settings say; resolves to its address. Throws OperatorError when it may not, or cannot, listen there. */
export async function listen(server: FastifyInstance, config: Pick<Config, 'host' | 'port'>): Promise<string> {
  try {
    // For localhost Fastify would make a second server, for ::1, whose connections nobody here would know.
    return await server.listen({ host: config.host === 'localhost' ? '127.0.0.1' : config.host, port: config.port });
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    switch (error.code) {
      case 'EADDRINUSE':
        throw new OperatorError(`port ${config.port} on ${config.host} is in use; stop the other program or set PORT`);
      case 'EACCES':
        throw new OperatorError(`port ${config.port} may not be used by this user; set PORT to one above 1023`);
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
      case 'EAI_AGAIN':
        throw new OperatorError(`HOST ${config.host} is not an address of this machine`);
      default:
        throw error;
    }
  }
}
