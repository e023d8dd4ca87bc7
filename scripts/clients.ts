import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDocument } from './clients/document.ts';
import { phpClient } from './clients/php.ts';
import { pythonClient } from './clients/python.ts';

// Writes the Python and PHP clients: the methods and types of docs/openapi.json, put into what is written by hand (scripts/clients/client.py, client.php).
const packages = join(import.meta.dirname, '../packages');
const document = readDocument();
writeFileSync(join(packages, 'client-python/messaging_gateway.py'), pythonClient(document));
writeFileSync(join(packages, 'client-php/MessagingGateway.php'), phpClient(document));
