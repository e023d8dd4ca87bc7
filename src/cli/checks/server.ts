import { type Check, fail, ok, reason, warn } from '../../health/index.ts';
import { NobodyListens, type OwnServer, openOwnServer } from '../own-server.ts';

const where = 'check that HOST, PORT and the TLS files are the ones the server was started with';

/** Whether the server answers at the address of the settings. */
export const server: Check = async (_world, config) => {
  let own: OwnServer;
  try {
    own = openOwnServer(config);
  } catch (error) {
    return [warn('server', reason(error), where)];
  }
  try {
    const { status } = await own.get('/health');
    if (status === 503) {
      return [fail('server', `${own.address} answers that its storage cannot be used`, 'its log says why; so may the other checks here')];
    }
    return status === 200
      ? [ok('server', `answers at ${own.address}`)]
      : [
          fail(
            'server',
            `${own.address}/health answers with status ${status}`,
            'look at its log; if it is another program, stop it or set PORT',
          ),
        ];
  } catch (error) {
    // Not running is a state, not a fault: doctor is also for before the first start.
    if (error instanceof NobodyListens) return [warn('server', `nothing answers at ${own.address}`, 'start it with gateway serve')];
    return [fail('server', reason(error), where)];
  } finally {
    await own.close();
  }
};
