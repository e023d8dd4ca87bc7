// The container's health check: exit code 0 when the process serves the portal's page within 4 seconds. Not GET /health, which is 503 while the
// store is away: some platforms restart an unhealthy container, which brings no store back and costs the links to WhatsApp. It reads the same
// settings as the gateway.
import http from 'node:http';
import https from 'node:https';

const { PORT: port = '3000', HOST: host = '127.0.0.1', TLS_CERT_FILE: certificate } = process.env;
const everywhere = { '0.0.0.0': '127.0.0.1', '::': '::1' };
const client = certificate ? https : http;
// The certificate is for the public name, and this asks the process beside it.
const options = { host: everywhere[host] ?? host, port, path: '/', rejectUnauthorized: false, signal: AbortSignal.timeout(4000) };

client
  .get(options, (answer) => {
    answer.resume();
    process.exitCode = answer.statusCode === 200 ? 0 : 1;
    if (process.exitCode !== 0) process.stderr.write(`GET / answered ${answer.statusCode}\n`);
  })
  .on('error', (error) => {
    process.stderr.write(`GET / failed: ${error.message}\n`);
    process.exitCode = 1;
  });
