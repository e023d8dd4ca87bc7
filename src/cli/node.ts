import type { Command } from 'commander';
import { iso, OperatorError } from '../core/index.ts';
import type { Leases, Store } from '../store/index.ts';
import { type Run, withStore } from './environment.ts';
import { print, table } from './output.ts';

export function addNode(program: Command, run: Run): void {
  const group = program
    .command('node')
    .summary('the servers of this installation')
    .description('The servers that share this database, and how many numbers each of them connects.');

  group
    .command('list')
    .description('List the running servers, oldest first.')
    .action(async (_options: object, command: Command) => {
      const nodes = await withStore(run, async (store) => {
        const numbers = await leasesOf(store).numbersOfNodes();
        return (await leasesOf(store).nodes()).map((node) => ({ ...node, numbers: numbers.get(node.id) ?? 0 }));
      });
      const json = nodes.map(({ id, name, address, startedAt, numbers, draining }) => ({
        node_id: id,
        name,
        address,
        started_at: iso(startedAt),
        numbers,
        draining,
      }));
      const rows = json.map((node) => Object.values(node));
      print(run, command, json, table(['NODE ID', 'NAME', 'ADDRESS', 'STARTED', 'NUMBERS', 'DRAINING'], rows, 'No server is running.'));
    });

  group
    .command('drain')
    .argument('<node_id>', 'the server, as gateway node list shows it')
    .option('--undo', 'let it take numbers again')
    .description('Have a server hand its numbers to the others without stopping it. It keeps answering requests.')
    .action(async (id: string, { undo = false }: { undo?: boolean }, command: Command) => {
      await withStore(run, async (store) => {
        const leases = leasesOf(store);
        const takesNumbers = (await leases.nodes()).some((node) => node.id !== id && !node.draining);
        if (!undo && !takesNumbers) throw new OperatorError('no other server would take its numbers; start one first');
        if (!(await leases.drain(id, !undo))) throw new OperatorError(`there is no running server ${id}; see gateway node list`);
      });
      print(
        run,
        command,
        { node_id: id, draining: !undo },
        undo ? 'It will take numbers again.' : 'It will hand its numbers to the others within seconds.',
      );
    });
}

function leasesOf({ leases }: Store): Leases {
  if (leases === null) throw new OperatorError('the embedded database has one server only; several need DATABASE_URL and REDIS_URL');
  return leases;
}
