import { join } from 'node:path';
import Sqlite from 'better-sqlite3';

// A process of its own that writes to the database of a data folder, says so, and goes on until its input ends.

const [folder = ''] = process.argv.slice(2);
const database = new Sqlite(join(folder, 'gateway.db'), { timeout: 5000 });
database.exec('begin immediate');
process.stdout.write('writing\n');
process.stdin.resume().once('end', () => {
  database.exec('commit');
  database.close();
});
